package uci

import (
	"cmp"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Kind says how well a cell of the report comes out. A lower Kind is a better match.
type Kind int

// The kinds of match.
const (
	// Exact is the same number of right answers, and in Tables 2 and 3 the same standard
	// deviation, to the last digit that the report prints.
	Exact Kind = iota
	// Near is within what another cut into folds changes ([Cell.Near]), with no setting
	// chosen by a look at the cell.
	Near
	// NearFree is the same, with settings that were chosen by a look at the cell.
	NearFree
	// NotFound is none of them.
	NotFound
)

// String is the kind in words.
func (k Kind) String() string {
	return [...]string{"exact", "near, nothing free", "near, a setting free", "not found"}[k]
}

// A Finding is the best match of one cell of the report.
type Finding struct {
	Set  Set
	Row  Algorithm
	Said Outcome
	Kind Kind
	// Reading says under which reading of the report the cell comes out, or comes closest
	// where it was not found. Variant is its name, "" for the stated settings.
	Reading, Variant string
	// Free names the settings that were chosen by a look at the cell.
	Free []string
	// Tried is how many readings were tried on the cell, this one included.
	Tried int
	// Cell is what the reading gives.
	Cell Cell
}

// level is the probability with which a cut into folds like ours is near by [Cell.Near].
const level = 0.95

// nearSDOfMeans is NearSD for the standard deviation of the means of as many cuts as ours.
func (c Cell) nearSDOfMeans(sd float64) bool {
	cuts := c.Cuts()
	_, s := meanSD(cuts)
	if len(cuts) < 2 || s == 0 {
		return false
	}
	df := float64(len(cuts) - 1)
	f, ratio := distuv.F{D1: df, D2: df}, float64(sd/s)*float64(sd/s)
	return ratio >= f.Quantile((1-level)/2) && ratio <= f.Quantile((1+level)/2)
}

// digit is more than what a number of the report loses by having four digits behind the
// point.
const digit = 1.01e-4

// Cuts are the means of the repeats, each of which is a cut into folds of its own.
func (c Cell) Cuts() (means []float64) {
	for five := range slices.Chunk(c.Accuracies, modelsel.DefaultFolds) {
		mean, _ := meanSD(five)
		means = append(means, mean)
	}
	return means
}

// Near reports whether the mean of one cut into five folds, which is what the report has,
// is no more unlike the means of our cuts than chance makes it: by the F test of a group of
// one against the group of our R cuts, with 1 and R-1 degrees of freedom. The means that
// pass are those of the 95 % prediction interval. A cell of fewer than two cuts is near to
// no mean but its own.
func (c Cell) Near(mean float64) bool {
	cuts := c.Cuts()
	_, s := meanSD(cuts)
	if len(cuts) < 2 || s == 0 {
		return math.Abs(mean-c.Mean) < digit
	}
	r := float64(len(cuts))
	between := (mean - c.Mean) * (mean - c.Mean) * r / (r + 1)
	return between/float64(s*s) <= distuv.F{D1: 1, D2: r - 1}.Quantile(level)
}

// NearSD reports whether the standard deviation of one cut into five folds, written down
// ten times, is no more unlike ours than chance makes it: by the F test of the report's
// variance, with 4 degrees of freedom, against the mean variance within our cuts, with 4
// for each cut.
func (c Cell) NearSD(sd float64) bool {
	within, cuts := 0.0, 0.0
	for five := range slices.Chunk(c.Accuracies, modelsel.DefaultFolds) {
		_, s := meanSD(five)
		within += float64(s * s)
		cuts++
	}
	if within == 0 || cuts < 2 {
		return math.Abs(sd-c.TenTimes().SD) < digit
	}
	// Ten copies of five numbers have the divisor 49 where five numbers have 4.
	ratio := sd * sd * 49 / 40 / (within / cuts)
	f := distuv.F{D1: 4, D2: 4 * cuts}
	return ratio >= f.Quantile((1-level)/2) && ratio <= f.Quantile((1+level)/2)
}

// isOneCut reports whether all cuts have the same mean, as where the rows are in the order
// of the file or every answer is right. Otherwise the first cut could hit by luck.
func (c Cell) isOneCut() bool {
	cuts := c.Cuts()
	return slices.Min(cuts) == slices.Max(cuts)
}

// stated is the reading of the report's words, with [DefaultSettings] where it has none.
const stated = "the stated settings"

// freeOf lists the settings of an algorithm that the report does not give and that
// [DefaultSettings] chose by a look at its Table 2.
func freeOf(row Algorithm) []string {
	switch {
	case row == RandomForest:
		return []string{freeAttributes}
	case row == AdaBoost:
		return []string{freeRounds}
	case row == BaggedNaiveBayes:
		return []string{freeBag}
	case row.neighbours():
		return []string{freeK}
	}
	return nil
}

// Audit tells of each cell of Table 2, in its order, the best kind of match, computed from
// the runs: the stated settings and every variant of the cell. Of two of the same kind it
// is the one with fewer free settings, then the one whose mean is closer to the report's.
func (r *Runs) Audit() []Finding {
	var list []Finding
	for _, row := range Rows() {
		for _, s := range Sets() {
			said, _ := Published(s, row)
			list = append(list, r.best(s, row, said, func(c Cell) (exact, near bool) {
				return c.isOneCut() && c.TenTimes().Is(said), c.Near(said.Mean)
			}))
		}
	}
	return list
}

// AuditDistances is the [Runs.Audit] of Table 4, which has no standard deviations: the same
// number of right answers is exact there.
func (r *Runs) AuditDistances() []Finding {
	var list []Finding
	for _, s := range Sets() {
		for _, d := range []Algorithm{KNNSquared, KNNCityBlock, KNNHamming} {
			mean, printed := PublishedDistance(s, d)
			if !printed {
				continue
			}
			list = append(list, r.best(s, d, Outcome{Mean: mean}, func(c Cell) (exact, near bool) {
				return c.isOneCut() && math.Abs(c.TenTimes().Mean-mean) < digit, c.Near(mean)
			}))
		}
	}
	return list
}

// AuditSDs is the audit of Table 3: under the reading that is best for a cell's mean, whether
// the standard deviation is the report's, as that of folds or, with that for a free setting,
// as that of the ten repeats' means.
func (r *Runs) AuditSDs() []Finding {
	list := r.Audit()
	for i := range list {
		f := &list[i]
		switch sd := f.Said.SD; {
		case f.Kind == Exact:
		case f.Cell.NearSD(sd) && len(f.Free) == 0:
			f.Kind = Near
		case f.Cell.NearSD(sd):
			f.Kind = NearFree
		case f.Cell.nearSDOfMeans(sd):
			f.Kind, f.Free = NearFree, append(slices.Clone(f.Free), freeMeans)
		default:
			f.Kind = NotFound
		}
	}
	return list
}

// best is the best match of a cell, of which match says whether it is exact or near.
func (r *Runs) best(s Set, row Algorithm, said Outcome, match func(Cell) (exact, near bool)) Finding {
	kindOf := func(c Cell, free []string) Kind {
		switch exact, near := match(c); {
		case exact:
			return Exact
		case near && len(free) == 0:
			return Near
		case near:
			return NearFree
		}
		return NotFound
	}
	c, _ := r.Stated.Cell(s, row)
	f := Finding{Set: s, Row: row, Said: said, Reading: stated, Free: freeOf(c.Algorithm), Cell: c}
	f.Kind = kindOf(c, f.Free)
	tried := 1
	for _, v := range Variants() {
		if v.Set != s || v.Algorithm != row && !(row == KNN && v.Algorithm == bestDistance(s)) {
			continue
		}
		tried += v.Tried
		c, ran := r.Variants[v.Name]
		if !ran {
			continue
		}
		k := kindOf(c, v.Free)
		better := cmp.Or(cmp.Compare(k, f.Kind), cmp.Compare(len(v.Free), len(f.Free)),
			cmp.Compare(math.Abs(c.Mean-said.Mean), math.Abs(f.Cell.Mean-said.Mean)))
		if better < 0 {
			f.Kind, f.Reading, f.Variant, f.Free, f.Cell = k, v.Reading, v.Name, v.Free, c
		}
	}
	for _, search := range Searches() {
		if search.Set == s && search.Row == row {
			tried += search.Tried
		}
	}
	f.Tried = tried
	return f
}

// bestDistance is the distance that stands for k-NN in the report's Tables 2 and 3, the best
// of its Table 4.
func bestDistance(s Set) Algorithm {
	var best Algorithm
	highest := -1.0
	for _, d := range []Algorithm{KNNSquared, KNNCityBlock, KNNHamming} {
		if mean, printed := PublishedDistance(s, d); printed && mean > highest {
			best, highest = d, mean
		}
	}
	return best
}

// CountKinds counts findings by kind.
func CountKinds(list []Finding) (counts [NotFound + 1]int) {
	for _, f := range list {
		counts[f.Kind]++
	}
	return counts
}

// Far lists the findings of an audit whose cell the run r does not come near. It is nil for a
// run of fewer than two repeats or of another number of folds than the report's, which
// cannot tell.
func (r *Result) Far(audit []Finding) []Finding {
	if r.Repeats < 2 || r.Folds != modelsel.DefaultFolds {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(audit), func(f Finding) bool {
		c, ran := r.Cell(f.Set, f.Row)
		return !ran || c.Near(f.Said.Mean)
	})
}
