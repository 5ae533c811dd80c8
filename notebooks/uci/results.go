package uci

import (
	"context"
	_ "embed"
	"encoding/json"
	"sync"
)

// mostRounds bounds the rounds of AdaBoost where a cross-validation chooses them.
const mostRounds = 300

// Runs are the results that an audit judges.
type Runs struct {
	// Stated is the experiment with the stated settings.
	Stated *Result `json:"stated"`
	// Variants holds the cell of each of [Variants], by name.
	Variants map[string]Cell `json:"variants"`
	// Alternatives are those of [committedAlternatives], for the base rates.
	Alternatives []Alternatives `json:"-"`
}

// committed is what "go test ./notebooks/uci -run TestCommittedRuns -update" writes.
//
//go:embed results.json
var committed []byte

// Committed returns the runs of this folder's results.json: the whole experiment and all
// variants with ten repeats and the seed 1. They take minutes, which is why notebooks read
// them. A test computes the small sets again and the first cut of the large ones; "lab uci"
// runs any of them.
var Committed = sync.OnceValues(func() (*Runs, error) {
	list, err := committedAlternatives()
	if err != nil {
		return nil, err
	}
	r := &Runs{Alternatives: list}
	return r, json.Unmarshal(committed, r)
})

// Run runs the variant: ten repeats, or one in file order.
func (v Variant) Run(ctx context.Context, seed uint64) (Cell, error) {
	r, err := v.Experiment(seed).Run(ctx)
	if err != nil {
		return Cell{}, err
	}
	return r.Cells[0], nil
}
