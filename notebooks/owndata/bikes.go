package owndata

import (
	"fmt"
	"math"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore"
)

// Bikes writes a made-up table of inspections of rental bikes to a file and returns its
// path. Each bike was inspected several times, and its inspections resemble each other. The
// file has semicolons, decimal commas, two units of pressure, levels in several spellings,
// doubled rows, and a column that is filled in after the outcome.
func Bikes() string { return write("bikes.csv", bikes()) }

func bikes() string {
	rng := mlcore.NewRand(22)
	var lines []string
	for b := range 110 {
		age, weight := 0.5+8*rng.Float64(), 14+6*rng.Float64()
		depot := oneOf(rng, "North", "South", "Airport")
		quirk := 2.2 * rng.NormFloat64() // of this bike, in no column
		for range 2 + rng.IntN(7) {
			km, brake, bar := 50+950*rng.Float64(), 1+7*rng.Float64(), 2.5+3*rng.Float64()
			z := (km-500)/260 + (3.5-brake)/1.6 + (age-4)/3 + math.Abs(bar-4.2) - 1.6 + quirk
			repair := rng.Float64() < 1/(1+math.Exp(-1.3*z))
			pressure := comma(fmt.Sprintf("%.1f bar", bar))
			if rng.Float64() < 0.3 {
				pressure = fmt.Sprintf("%.0f psi", bar/0.0689476)
			}
			brakeText := comma(fmt.Sprintf("%.1f", brake))
			if rng.Float64() < 0.04 {
				brakeText = "n/a"
			}
			parts, outcome := "none", oneOf(rng, "no", "No", "n")
			if repair {
				outcome = oneOf(rng, "yes", "Yes", "YES ")
			}
			if repair && rng.Float64() < 0.8 {
				parts = oneOf(rng, "pads", "chain", "tyre", "cable")
			}
			line := fmt.Sprintf("%d;B-%03d;%s;%s;%s;%.0f;%s;%s;%s;%s", 1+len(lines), 100+b*7%661,
				oneOf(rng, depot, depot, strings.ToUpper(depot)), comma(fmt.Sprintf("%.1f", age)),
				comma(fmt.Sprintf("%.1f kg", weight)), km, pressure, brakeText, parts, outcome)
			lines = append(lines, line)
			if rng.Float64() < 0.03 {
				lines = append(lines, line)
			}
		}
	}
	return "inspection;bike;depot;age;weight;km;pressure;brake;parts;repair\n" + strings.Join(lines, "\n") + "\n"
}
