package uci

import "math"

// A Result is what an experiment found. It is the same whatever the number of
// workers, and whether the experiment was stopped and resumed or not.
type Result struct {
	Folds   int    `json:"folds"`
	Repeats int    `json:"repeats"`
	Seed    uint64 `json:"seed"`
	// Cells are in the order of Table 2, row by row.
	Cells []Cell `json:"cells"`
}

// A Cell is one algorithm on one set.
type Cell struct {
	Set       Set       `json:"set"`
	Algorithm Algorithm `json:"algorithm"`
	// Mean and SD are those of Accuracies, in percent. SD has the divisor n-1, as
	// the report's has, and is 0 for a single fold.
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`
	// Accuracies holds the percentage of test rows that were predicted rightly,
	// for the folds of the first repeat, then of the second, and so on.
	Accuracies []float64 `json:"accuracies"`
}

// Cell returns the cell of an algorithm on a set, and whether it was run. For
// [KNN] it is that of the distance with the highest mean, the first such on a tie.
func (r *Result) Cell(s Set, row Algorithm) (Cell, bool) {
	var best Cell
	found := false
	for _, c := range r.Cells {
		if c.Set != s || c.Algorithm != row && !(row == KNN && c.Algorithm.neighbours()) {
			continue
		}
		if !found || c.Mean > best.Mean {
			best, found = c, true
		}
	}
	return best, found
}

// collect makes the result of all the folds.
func (e *Experiment) collect(found map[place]Fold) *Result {
	r := &Result{Folds: e.Folds, Repeats: e.Repeats, Seed: e.Seed}
	takesPart := map[Set]map[Algorithm]bool{}
	for _, s := range Sets() {
		takesPart[s] = map[Algorithm]bool{}
		for _, a := range e.algorithms(s) {
			takesPart[s][a] = true
		}
	}
	for _, a := range Algorithms() {
		for _, s := range Sets() {
			if !takesPart[s][a] {
				continue
			}
			c := Cell{Set: s, Algorithm: a}
			for repeat := range e.Repeats {
				for fold := range e.Folds {
					f := found[place{s, repeat, fold}]
					c.Accuracies = append(c.Accuracies, 100*float64(f.Right[a])/float64(f.Rows))
				}
			}
			c.Mean, c.SD = meanSD(c.Accuracies)
			r.Cells = append(r.Cells, c)
		}
	}
	return r
}

func meanSD(v []float64) (mean, sd float64) {
	for _, x := range v {
		mean += x
	}
	mean /= float64(len(v))
	if len(v) < 2 {
		return mean, 0
	}
	sum := 0.0
	for _, x := range v {
		sum += float64((x - mean) * (x - mean))
	}
	return mean, math.Sqrt(sum / float64(len(v)-1))
}
