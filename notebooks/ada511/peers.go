package ada511

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

//go:embed peers.json
var peersJSON []byte

// A Peer is what another library's model reached. Accuracies are shares of rows.
type Peer struct {
	// Name says what the model is, and whose where several libraries have it.
	Name string
	// Settings are those that cross-validation chose, as "name=value name=value".
	Settings string
	// Tried is how many settings were tried.
	Tried int
	// CrossValidation is the mean accuracy of the chosen settings over five folds
	// of the training file, Train and Test the accuracies of the final fit.
	CrossValidation, Train, Test float64
}

// Peers returns the answers that scripts/oracles/ada511.py stored, by name,
// and the versions that gave them.
func Peers() ([]Peer, map[string]string) {
	var file struct {
		Versions map[string]string
		Models   map[string]struct {
			Settings        map[string]any
			Candidates      int
			CrossValidation float64 `json:"cross_validation"`
			Train, Test     float64
		}
	}
	if err := json.Unmarshal(peersJSON, &file); err != nil {
		panic(fmt.Sprintf("ada511: peers.json: %v", err)) // it is part of the program
	}
	var peers []Peer
	for _, name := range slices.Sorted(maps.Keys(file.Models)) {
		m := file.Models[name]
		peers = append(peers, Peer{name, words(m.Settings), m.Candidates, m.CrossValidation, m.Train, m.Test})
	}
	return peers, file.Versions
}

func words(settings map[string]any) string {
	var w []string
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		w = append(w, fmt.Sprintf("%s=%v", key, settings[key]))
	}
	return strings.Join(w, " ")
}
