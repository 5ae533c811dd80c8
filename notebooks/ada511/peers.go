package ada511

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/notebooks/assess"
	"gonum.org/v1/gonum/stat"
)

//go:embed peers.json
var peersJSON []byte

// A Peer is what another library's model reached on Adult Income.
type Peer struct {
	// Name says what the model is, and whose where several libraries have it.
	Name string
	// Settings are those that cross-validation chose, as "name=value name=value".
	Settings string
	// Tried is how many settings were tried.
	Tried int
	// Choice is the accuracy by which they were chosen: the mean over the five folds
	// of [Search].
	Choice float64
	// Scores are of the chosen settings on the folds of [TenFolds].
	Scores assess.Scores
	// Train and Test are the accuracies on both files of a fit to the training file,
	// each the mean over the seeds where the model draws at random.
	Train, Test float64
}

type peersFile struct {
	Versions map[string]string
	// Folds holds the sum of the row numbers of each fold, by how many folds there
	// are: it tells whether the folds are ours.
	Folds  map[string][]int
	Models map[string]struct {
		Settings            map[string]any
		Tried               int
		Choice              float64
		Errors, Train, Test []float64
	}
}

func readPeers() (f peersFile) {
	if err := json.Unmarshal(peersJSON, &f); err != nil {
		panic(fmt.Sprintf("ada511: peers.json: %v", err)) // it is part of the program
	}
	return f
}

// Peers returns the answers that scripts/oracles/ada511.py stored, by name.
func Peers() (peers []Peer) {
	file := readPeers()
	for _, name := range slices.Sorted(maps.Keys(file.Models)) {
		m := file.Models[name]
		scores := assess.Scores{Errors: m.Errors, Folds: toCompare.Folds, Repeats: 1}
		peers = append(peers, Peer{name, words(m.Settings), m.Tried, m.Choice, scores,
			stat.Mean(m.Train, nil), stat.Mean(m.Test, nil)})
	}
	return peers
}

func words(settings map[string]any) string {
	var w []string
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		w = append(w, fmt.Sprintf("%s=%v", key, settings[key]))
	}
	return strings.Join(w, " ")
}
