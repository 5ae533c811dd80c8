package owndata

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/mlcore"
)

// Appointments writes a made-up table of appointments, some of them missed, to a file and
// returns its path. The file has dates, two units in one column, a code for an unknown age,
// levels in several spellings, doubled rows, and a column that is empty or not depending on
// what is to be predicted.
func Appointments() string { return write("appointments.csv", appointments()) }

func appointments() string {
	rng := mlcore.NewRand(21)
	var lines []string
	for i := range 1500 {
		wait, age := rng.IntN(60), 18+rng.IntN(70)
		km, earlier := 0.3+9*rng.Float64()*rng.Float64(), int(2.2*rng.Float64()*rng.Float64()*rng.Float64()*2)
		clinic := oneOf(rng, "North", "North", "Harbour", "Station")
		reminder := rng.Float64() < 0.4
		z := -2.6 + float64(wait)/22 + 1.5*float64(earlier) + km/9 - float64(age-50)/40
		if reminder {
			z -= 1.1
		}
		if age < 30 && clinic == "Station" {
			z += 1.3
		}
		missed := rng.Float64() < 1/(1+math.Exp(-1.3*z))

		booked := time.Date(2025, 1, 1+rng.IntN(300), 0, 0, 0, 0, time.UTC)
		date := booked.AddDate(0, 0, wait)
		rebooked, outcome := "", oneOf(rng, "no", "no", "No")
		if missed {
			outcome = oneOf(rng, "yes", "yes", "Yes", "Y")
		}
		if missed && rng.Float64() < 0.9 || rng.Float64() < 0.02 {
			rebooked = date.AddDate(0, 0, 3+rng.IntN(20)).Format(time.DateOnly)
		}
		distance := fmt.Sprintf("%.1f km", km)
		if rng.Float64() < 0.25 {
			distance = fmt.Sprintf("%.0f m", 1000*km)
		}
		ages := fmt.Sprint(age)
		if i%60 == 7 {
			ages = "999"
		}
		bookedText := booked.Format(time.DateOnly)
		if i%75 == 30 {
			bookedText = "n/a"
		}
		reminded := oneOf(rng, "no", "No ", "NO")
		if reminder {
			reminded = oneOf(rng, "yes", "Yes", "y")
		}
		line := fmt.Sprintf("A%05d,%s,%s,%s,%s,%s,%s,%d,%s,%s", 20000+i*11%7919, bookedText, date.Format(time.DateOnly),
			oneOf(rng, clinic, clinic, strings.ToLower(clinic)), ages, distance, reminded, earlier, rebooked, outcome)
		lines = append(lines, line)
		if rng.Float64() < 0.03 {
			lines = append(lines, line)
		}
	}
	rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return "appointment,booked,date,clinic,age,distance,reminder,earlier_missed,rebooked,missed\n" +
		strings.Join(lines, "\n") + "\n"
}
