//go:build unix

package uci

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"syscall"
	"testing"
)

func processorTime(t *testing.T) float64 {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	seconds := func(v syscall.Timeval) float64 { return float64(v.Sec) + float64(v.Usec)/1e6 }
	return seconds(u.Utime) + seconds(u.Stime)
}

// The committed times are of every cell, and with -update they are measured. How long a thing
// takes is nobody's oracle, so nothing else is compared.
func TestCommittedTimes(t *testing.T) {
	cells := cellsOfAlternatives()
	if !*update {
		list, err := measuredTimes()
		if err != nil || len(list) != len(cells) {
			t.Fatalf("%d times of %d cells, %v; run this test with -update", len(list), len(cells), err)
		}
		for i, c := range cells {
			if list[i].Set != c.Set || list[i].Algorithm != c.Algorithm || !(list[i].Seconds > 0) {
				t.Errorf("%+v is not a time of %s/%s", list[i], c.Set, c.Algorithm)
			}
		}
		return
	}
	var list []measuredTime
	for _, c := range cells {
		load(t, c.Set)
		if _, err := c.Set.Load(); err != nil { // what reads the file is not the algorithm's time
			t.Fatal(err)
		}
		e := Experiment{Seed: 1, Repeats: 1, Workers: 1, Only: func(s Set, a Algorithm) bool { return s == c.Set && a == c.Algorithm }}
		began := processorTime(t)
		mustRun(t, e)
		list = append(list, measuredTime{c.Set, c.Algorithm, math.Round(1e4*(processorTime(t)-began)) / 1e4})
		t.Log(list[len(list)-1])
	}
	data, err := json.MarshalIndent(list, "", " ")
	if err == nil {
		err = os.WriteFile("times.json", append(data, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Oracle: sums by hand.
func TestTimeTable(t *testing.T) {
	table := timeTable([]measuredTime{{Car, ID3, 0.5}, {Breast, KNNSquared, 1}, {Breast, KNNHamming, 2}})
	want := [][]string{
		{"seconds", "car", "breast", "ecoli", "mushroom", "letter", "all"},
		{"ID3", "5.00", "0.00", "0.00", "0.00", "0.00", "5.00"},
		{"kNN", "0.00", "30.00", "0.00", "0.00", "0.00", "30.00"},
		{"all", "5.00", "30.00", "0.00", "0.00", "0.00", "35.00"},
	}
	got := [][]string{table[0], table[1], table[6], table[7]}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v", got)
	}
}
