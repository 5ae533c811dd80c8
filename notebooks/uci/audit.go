package uci

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

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
	// Base says how many of the cell's [Alternatives] would do as well.
	Base Base
	// Cell is what the reading gives.
	Cell Cell
}

// Name is that of the reading for the command line: "C/NB/skip-last" for "lab uci --variant",
// and "C/RF", the cell itself, for "lab uci --only" where the settings are the stated ones.
func (f Finding) Name() string {
	if f.Variant != "" {
		return f.Variant
	}
	return fmt.Sprintf("%s/%s", f.Set, f.Row)
}

// AsGood is the number of alternatives that do as well: that are exact where the finding is,
// else those that are near.
func (f Finding) AsGood() int {
	if f.Kind == Exact {
		return f.Base.Exact
	}
	return f.Base.Near
}

// AuditTable has a row for each finding. Its first column repeats the cell: a name of three
// parts by "lab uci --variant", one of two by "lab uci --only".
func AuditTable(list []Finding) [][]string {
	table := [][]string{{"to repeat", "report", "ours", "kind", "as good", "free", "tried", "reading"}}
	for _, f := range list {
		table = append(table, []string{f.Name(), fmt.Sprintf("%.2f", f.Said.Mean), fmt.Sprintf("%.2f", f.Cell.Mean), f.Kind.String(),
			fmt.Sprintf("%d of %d", f.AsGood(), f.Base.Of), strings.Join(f.Free, ", "), fmt.Sprint(f.Tried), f.Reading})
	}
	return table
}

// level is the probability with which a cut into folds like ours is near by [Cell.Near].
const level = 0.95

// nearSDOfMeans is nearSD for the standard deviation of the means of as many cuts as ours.
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
func (c Cell) Near(mean float64) bool { return nearCuts(c.Cuts(), mean) }

// nearCuts is [Cell.Near] of the means of the cuts.
func nearCuts(cuts []float64, mean float64) bool {
	middle, s := meanSD(cuts)
	if len(cuts) < 2 || s == 0 {
		return math.Abs(mean-middle) < digit
	}
	r := float64(len(cuts))
	between := float64((mean-middle)*(mean-middle)) * r / (r + 1)
	return between/float64(s*s) <= distuv.F{D1: 1, D2: r - 1}.Quantile(level)
}

// nearSD reports whether the standard deviation of one cut into five folds, written down
// ten times, is no more unlike ours than chance makes it: by the F test of the report's
// variance, with 4 degrees of freedom, against the mean variance within our cuts, with 4
// for each cut.
func (c Cell) nearSD(sd float64) bool {
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
		return []string{freeAttributes, freeTrees}
	case row == AdaBoost:
		return []string{freeRounds}
	case row == BaggedNaiveBayes:
		return []string{freeShare, freeBags}
	case row.neighbours():
		return []string{freeK}
	}
	return nil
}

// A Trial is a reading of the report with which a cell was looked for.
type Trial struct {
	// Variant is its name, "" for the stated settings.
	Variant, Reading string
	Free             []string
	Tried            int
	Kind             Kind
	Cell             Cell
	// Refuted is true where another set tells that the reading is wrong: naive Bayes with all
	// attributes, on any set. The audit does not count it.
	Refuted bool
}

// Trials lists the readings of a cell of Table 2 or, for the distances of k-NN, of Table 4:
// the stated settings, and every variant that was run.
func (r *Runs) Trials(s Set, row Algorithm) []Trial {
	said, isDistance := saidOf(s, row)
	kindOf := func(c Cell, free []string) Kind {
		exact := c.isOneCut() && (c.TenTimes().Is(said) || isDistance && math.Abs(c.TenTimes().Mean-said.Mean) < digit)
		switch {
		case exact:
			return Exact
		case c.Near(said.Mean) && len(free) == 0:
			return Near
		case c.Near(said.Mean):
			return NearFree
		}
		return NotFound
	}
	c, _ := r.Stated.Cell(s, row)
	free := freeOf(c.Algorithm)
	list := []Trial{{Reading: stated, Free: free, Tried: 1, Kind: kindOf(c, free), Cell: c}}
	for _, v := range Variants() {
		if v.Set != s || v.Algorithm != row && !(row == KNN && v.Algorithm == bestDistance(s)) {
			continue
		}
		if c, ran := r.Variants[v.Name]; ran {
			list = append(list, Trial{Variant: v.Name, Reading: v.Reading, Free: v.Free, Tried: v.Tried, Kind: kindOf(c, v.Free), Cell: c})
		}
	}
	list[0].Refuted = (row == NaiveBayes || row == BaggedNaiveBayes) && len(list) > 1
	return list
}

// saidOf is what the report has in a cell of Table 2, or of Table 4, which has no standard
// deviations.
func saidOf(s Set, row Algorithm) (said Outcome, isDistance bool) {
	if row.neighbours() {
		mean, _ := PublishedDistance(s, row)
		return Outcome{Mean: mean}, true
	}
	said, _ = Published(s, row)
	return said, false
}

// Audit tells of each cell of Table 2, in its order, the best kind of match, computed from
// the runs: the stated settings and every variant of the cell, but not naive Bayes with all
// attributes, which other sets have refuted. Of two of the same kind it is the one with fewer free settings, then the one
// whose mean is closer to the report's.
func (r *Runs) Audit() []Finding {
	var list []Finding
	for _, row := range Rows() {
		for _, s := range Sets() {
			list = append(list, r.Find(s, row))
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
			if _, printed := PublishedDistance(s, d); printed {
				list = append(list, r.Find(s, d))
			}
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
		case f.Cell.nearSD(sd) && len(f.Free) == 0:
			f.Kind = Near
		case f.Cell.nearSD(sd):
			f.Kind = NearFree
		case f.Cell.nearSDOfMeans(sd):
			f.Kind, f.Free = NearFree, append(slices.Clone(f.Free), freeMeans)
		default:
			f.Kind = NotFound
		}
	}
	return list
}

// Find is the finding of one cell of Table 2 or, for the distances of k-NN, of Table 4.
func (r *Runs) Find(s Set, row Algorithm) Finding {
	said, isDistance := saidOf(s, row)
	f := Finding{Set: s, Row: row, Said: said, Kind: NotFound + 1}
	for _, t := range r.Trials(s, row) {
		f.Tried += t.Tried
		better := cmp.Or(cmp.Compare(t.Kind, f.Kind), cmp.Compare(len(t.Free), len(f.Free)),
			cmp.Compare(math.Abs(t.Cell.Mean-said.Mean), math.Abs(f.Cell.Mean-said.Mean)))
		if better < 0 && !t.Refuted {
			f.Kind, f.Reading, f.Variant, f.Free, f.Cell = t.Kind, t.Reading, t.Variant, t.Free, t.Cell
		}
	}
	for _, search := range Searches() {
		if search.Set == s && search.Row == row {
			f.Tried += search.Tried
		}
	}
	for _, a := range r.Alternatives {
		if a.Set == s && (a.Algorithm == row || row == KNN && a.Algorithm == bestDistance(s)) {
			f.Base = a.base(said, isDistance)
		}
	}
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
