package site

import (
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// The oracle is which data set each line loads.
func TestUses(t *testing.T) {
	for source, want := range map[string][]string{
		`df := nbkit.Must(datasets.Load("hitters"))`:                        {"hitters"},
		`train, test, err := datasets.LoadSplit("income")`:                  {"income"},
		`people := nbkit.Must(datasets.IncomeTrain())`:                      {"income"},
		`people := nbkit.Must(datasets.AdultTest())`:                        {"adult"},
		`flowers, cars := datasets.Iris, datasets.Car`:                      {"car", "iris"},
		`ds := nbkit.Must(uci.Ecoli.Load())`:                                {"ecoli"},
		`set, err := datasets.Lookup("iris"); income := df.Col("income")`:   {"iris"},
		`wins := uci.CarVotes("letter"); nbkit.Show(p, "income", "People")`: nil,
	} {
		var got []string
		for _, set := range datasets.All() {
			if uses([]*notebook.Cell{{Type: "markdown", Source: `datasets.Load("wdbc")`}, {Type: "code", Source: source}}, set) {
				got = append(got, set.Name)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
}
