package ada511

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"gonum.org/v1/gonum/floats"
)

//go:embed networks.json
var networksJSON []byte

// The grid of networks that notebook 10 chooses from.
var (
	hiddenNodes = Over("hidden", 16, 32, 64)
	penalties   = Over("L2", 0, 0.0003, 0.001, 0.003)
)

// NetworkGrids are the searches of notebook 10, one for each of the seeds 0 to 4.
// They take a minute of two processors, so they are kept in networks.json, which a
// test writes (go test -run TestNetworkGrids -update) and compares.
func NetworkGrids() (grids []Grid) {
	var accuracies [][][]float64
	if err := json.Unmarshal(networksJSON, &accuracies); err != nil {
		panic(fmt.Sprintf("ada511: networks.json: %v", err)) // it is part of the program
	}
	for _, a := range accuracies {
		grids = append(grids, Grid{hiddenNodes, penalties, a})
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
