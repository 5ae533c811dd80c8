package ada511

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"gonum.org/v1/gonum/floats"
)

//go:embed networks.json
var networksJSON []byte

//go:embed forests.json
var forestsJSON []byte

// The grids of forests and networks that notebooks 5 and 10 choose from.
var (
	features    = Over("features", 2, 3, 4)
	leastLeaf   = Over("least leaf", 8, 16, 32, 64)
	hiddenNodes = Over("hidden", 32, 64, 128)
	penalties   = Over("L2", 0, 0.0003, 0.001, 0.003)
)

// NetworkGrids are the searches of notebook 10, one for each of the seeds 0 to 4.
// They take a minute of two processors, so they are kept in networks.json, which a
// test writes (go test -run TestKeptGrids -update) and compares.
func NetworkGrids() []Grid { return kept("networks.json", networksJSON, hiddenNodes, penalties) }

// ForestGrids are the searches of notebook 5 for a random forest, one for each of the
// seeds 0 to 4, kept in forests.json as those of [NetworkGrids] are.
func ForestGrids() []Grid { return kept("forests.json", forestsJSON, features, leastLeaf) }

func kept(file string, text []byte, rows, columns Axis) (grids []Grid) {
	var accuracies [][][]float64
	if err := json.Unmarshal(text, &accuracies); err != nil {
		panic(fmt.Sprintf("ada511: %s: %v", file, err)) // it is part of the program
	}
	for _, a := range accuracies {
		grids = append(grids, Grid{rows, columns, a})
	}
	return grids
}

// MeanGrid holds the means of the accuracies of several searches of one grid.
func MeanGrid(grids ...Grid) Grid {
	mean := Grid{Rows: grids[0].Rows, Columns: grids[0].Columns}
	for i := range mean.Rows.Values {
		line := make([]float64, len(mean.Columns.Values))
		for _, g := range grids {
			floats.Add(line, g.Accuracy[i])
		}
		floats.Scale(1/float64(len(grids)), line)
		mean.Accuracy = append(mean.Accuracy, line)
	}
	return mean
}
