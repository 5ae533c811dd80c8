package owndata

import (
	"fmt"
	"math"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore"
)

// Soil writes a made-up table of soil samples to a file and returns its path. The file
// begins with a byte order mark, and has semicolons, decimal commas, two units in one
// column, levels in several spellings, doubled rows, and a column that is filled in only
// after the outcome is known.
func Soil() string { return write("soil.csv", soil()) }

func soil() string {
	rng := mlcore.NewRand(20)
	var lines []string
	for i := range 420 {
		cm := math.Round(30 + 130*rng.Float64())
		clay, humus := 8+40*rng.Float64(), 1+5*rng.Float64()
		ph, slope := 5+2.5*rng.Float64(), 8*rng.Float64()
		crop := oneOf(rng, "grass", "grass", "wheat", "beet")
		z := (clay-26)/8 + (75-cm)/22 + (3-slope)/1.6 - (humus-3.5)/4
		if crop == "grass" {
			z -= 0.9
		}
		if cm < 60 && slope < 2 {
			z += 2
		}
		wet := rng.Float64() < 1/(1+math.Exp(-1.5*z))
		lines = append(lines, soilLine(i, cm, clay, humus, ph, slope, crop, wet, rng.IntN))
		if rng.Float64() < 0.05 { // the same sample again, sometimes in another spelling
			lines = append(lines, soilLine(i, cm, clay, humus, ph, slope, crop, wet, rng.IntN))
		}
	}
	rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return "\uFEFFsample;crop;groundwater;clay;humus;ph;slope;pump_hours;wet\r\n" +
		strings.Join(lines, "\r\n") + "\r\n"
}

// soilLine is a line of the file. What is untidy in it depends on the sample, except for the
// spelling, which is drawn.
func soilLine(i int, cm, clay, humus, ph, slope float64, crop string, wet bool, draw func(int) int) string {
	water := fmt.Sprintf("%.0f cm", cm)
	if i%4 == 1 {
		water = comma(fmt.Sprintf("%.2f m", cm/100))
	}
	crop = []string{crop, crop, crop, strings.ToUpper(crop[:1]) + crop[1:], strings.ToUpper(crop)}[draw(5)]
	clayText, humusText, phText := comma(fmt.Sprintf("%.1f", clay)), comma(fmt.Sprintf("%.1f", humus)), comma(fmt.Sprintf("%.1f", ph))
	switch {
	case i%23 == 4:
		clayText = "n/a"
	case i%31 == 7:
		phText = ""
	case i%97 == 12:
		humusText = "trace"
	case i%140 == 20:
		phText = strings.Replace(phText, ",", "", 1) // the comma was forgotten
	}
	outcome, pump := []string{"no", "no", "No", "n"}[draw(4)], 0
	if wet {
		outcome, pump = []string{"yes", "yes", "Yes", "YES", "y"}[draw(5)], 2+(i*i+7)%19
	}
	if i%105 == 50 {
		outcome = ""
	}
	return fmt.Sprintf("S-%04d;%s;%s;%s;%s;%s;%s;%d;%s", 1000+i*7%2903, crop, water, clayText, humusText, phText,
		comma(fmt.Sprintf("%.1f", slope)), pump, outcome)
}
