package uci

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"gonum.org/v1/gonum/mat"
)

// A Variant is a reading of the report under which a cell of its tables is looked for.
type Variant struct {
	// Name is a short name for the command line, after the cell: "C/NB/skip-last".
	Name string
	// Set and Algorithm are the cell.
	Set       Set
	Algorithm Algorithm
	// Reading says in words what differs from [DefaultSettings].
	Reading string
	// Free names the setting that was chosen by a look at the cell, "" where none was.
	Free string
	// InFileOrder cuts the folds by [FileOrder] and does not shuffle. WholeFile is that of
	// the [Experiment].
	InFileOrder, WholeFile bool

	change func(c *Settings)
}

// Variants lists the readings under which cells come out that the stated settings miss,
// in the order of Table 2. The first to find one is told in notebook 3 of this folder,
// with how many others were tried.
func Variants() []Variant {
	skip := func(c *Settings) { c.SkipLast = true }
	skipAndThird := func(c *Settings) { c.SkipLast, c.BagShare = true, 1./3 }
	const noLast = "naive Bayes does not see the last attribute"
	all := []Variant{
		{Set: Ecoli, Algorithm: RandomForest, Reading: "numeric attributes, each tree a third of the overall data, so that it has seen test rows",
			Free: "attributes of a tree", Name: "sees-test",
			change: func(c *Settings) { c.NumericTrees, c.SeesTest, c.TreeAttributes = true, true, 5 }},
		{Set: Mushroom, Algorithm: AdaBoost, Reading: "rows in file order, one round: the odor stump", InFileOrder: true, Name: "file-order",
			change: func(c *Settings) { c.Rounds = 1 }},
		{Set: Car, Algorithm: NaiveBayes, Reading: noLast + "; rows in file order", InFileOrder: true, Name: "skip-last", change: skip},
		{Set: Breast, Algorithm: NaiveBayes, Reading: noLast + "; rows in file order", InFileOrder: true, Name: "skip-last", change: skip},
	}
	whole := map[Set]string{Ecoli: "; intervals of the whole file"}
	for _, s := range []Set{Ecoli, Mushroom, Letter} {
		all = append(all, Variant{Set: s, Algorithm: NaiveBayes, Reading: noLast + whole[s], WholeFile: whole[s] != "", Name: "skip-last", change: skip})
	}
	for _, s := range []Set{Car, Breast, Ecoli, Mushroom} {
		all = append(all, Variant{Set: s, Algorithm: BaggedNaiveBayes, Reading: noLast + "; bags of a third" + whole[s], WholeFile: whole[s] != "",
			Free: "size of a bag", Name: "skip-last", change: skipAndThird})
	}
	all = append(all, Variant{Set: Car, Algorithm: KNNHamming, Name: "file-order",
		Reading: "k = 5, rows in file order, the earliest of equally near rows, tied votes to the class that is last in the alphabet", InFileOrder: true,
		change: func(c *Settings) { c.Neighbours, c.LastOnTies = 5, true }})
	for i := range all {
		all[i].Name = fmt.Sprintf("%s/%s/%s", all[i].Set, all[i].Algorithm, all[i].Name)
	}
	return all
}

// VariantCalled returns the variant of a name.
func VariantCalled(name string) (Variant, error) {
	var names []string
	for _, v := range Variants() {
		if v.Name == name {
			return v, nil
		}
		names = append(names, v.Name)
	}
	return Variant{}, fmt.Errorf("uci: %w: there is no variant %q; there are %q", mlcore.ErrConfig, name, names)
}

// Experiment is the experiment of the variant's cell alone. In file order there is
// nothing that a repeat would change, unless the algorithm draws at random.
func (v Variant) Experiment(seed uint64) Experiment {
	e := Experiment{
		Seed: seed,
		Only: func(s Set, a Algorithm) bool { return s == v.Set && a == v.Algorithm },
		Settings: func(s Set) Settings {
			c := DefaultSettings(s)
			v.change(&c)
			return c
		},
	}
	e.WholeFile = v.WholeFile
	if v.InFileOrder {
		e.Splitter = FileOrder
		e.Repeats = 1
	}
	return e
}

// TenTimes is the mean and the standard deviation as the report counts them: of the five
// accuracies of the first repeat, written down ten times, in percent.
func (c Cell) TenTimes() Outcome {
	var all []float64
	for range 10 {
		all = append(all, c.Accuracies[:min(modelsel.DefaultFolds, len(c.Accuracies))]...)
	}
	mean, sd := meanSD(all)
	return Outcome{mean, sd}
}

// Is reports whether an outcome is the report's, which gives up to four digits behind the
// point and cuts off or rounds the others.
func (o Outcome) Is(reported Outcome) bool {
	const digit = 1.01e-4
	return math.Abs(o.Mean-reported.Mean) < digit && math.Abs(o.SD-reported.SD) < digit
}

// together is the training and the test rows of a view.
func together(v View) *mlcore.Dataset {
	train, test := v.Train, v.Test
	all := *train
	all.X = mat.NewDense(train.Len()+test.Len(), train.NumFeatures(), nil)
	all.X.Stack(train.X, test.X)
	all.Y = slices.Concat(train.Y, test.Y)
	return &all
}

// FileOrder cuts the n rows of a set as they stand in its file into five folds of ⌊n/5⌋
// test rows. The rows that are left at the end are trained on only. It is a Splitter of
// an [Experiment], the same in every repeat.
func FileOrder(s Set, _ int) modelsel.Splitter { return fileOrder{} }

type fileOrder struct{}

// Split implements modelsel.Splitter.
func (fileOrder) Split(rows modelsel.Rows) (*modelsel.Folds, error) {
	size := rows.N / modelsel.DefaultFolds
	var folds modelsel.Predefined
	for f := range modelsel.DefaultFolds {
		test := make([]int, size)
		for i := range test {
			test[i] = f*size + i
		}
		folds = append(folds, modelsel.Fold{Test: test})
	}
	return folds.Split(rows)
}

// skipLast is a learner that does not see the last attribute.
func skipLast(learn mlcore.ClassifierLearner) mlcore.ClassifierLearner {
	return func(ds *mlcore.Dataset) (mlcore.Classifier, error) {
		names := ds.FeatureNames()
		seen, err := ds.Select(names[:len(names)-1]...)
		if err != nil {
			return nil, err
		}
		m, err := learn(seen)
		if err != nil {
			return nil, err
		}
		return skipping{m}, nil
	}
}

type skipping struct{ mlcore.Classifier }

func (m skipping) NumFeatures() int { return m.Classifier.NumFeatures() + 1 }

func (m skipping) Predict(X mat.Matrix) ([]int, error) {
	if err := mlcore.CheckFeatures(X, m.NumFeatures()); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	return m.Classifier.Predict(mat.DenseCopyOf(X).Slice(0, n, 0, d-1))
}

// lastOnTies is a learner whose ties go to the class whose name is the last in the
// alphabet, and not to the class of the lowest code.
func lastOnTies(learn mlcore.ClassifierLearner) mlcore.ClassifierLearner {
	return func(ds *mlcore.Dataset) (mlcore.Classifier, error) {
		names := slices.Sorted(slices.Values(ds.ClassNames))
		slices.Reverse(names)
		sorted, m := *ds, &lastOnTie{code: make([]int, len(names))}
		sorted.Y, sorted.ClassNames = make([]int, ds.Len()), names
		place := make([]int, len(names))
		for k, name := range ds.ClassNames {
			place[k] = slices.Index(names, name)
			m.code[place[k]] = k
		}
		for i, k := range ds.Y {
			sorted.Y[i] = place[k]
		}
		var err error
		m.Classifier, err = learn(&sorted)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
}

type lastOnTie struct {
	mlcore.Classifier
	code []int // of each class in the order of the model
}

func (m *lastOnTie) Predict(X mat.Matrix) ([]int, error) {
	y, err := m.Classifier.Predict(X)
	for i, k := range y {
		y[i] = m.code[k]
	}
	return y, err
}
