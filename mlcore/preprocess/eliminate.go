package preprocess

import (
	"fmt"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"gonum.org/v1/gonum/mat"
)

// RFEConfig eliminates columns recursively (Guyon et al., 2002, "Gene selection for
// cancer classification using support vector machines"): it fits a learner, leaves out
// the columns that are least important to its model, and repeats this with those that
// are left. A model tells the importance of its columns by its FeatureImportances or
// its Coef; coefficients are squared, and those of several classes added up, so bring
// columns to one scale first. Among equally important columns the one that stands
// first is kept.
//
// Exactly one of Learner and RegressorLearner is set.
type RFEConfig struct {
	// Learner fits classifiers, RegressorLearner regressors.
	Learner          mlcore.ClassifierLearner
	RegressorLearner mlcore.RegressorLearner
	// FeaturesToSelect is the number of columns to keep; 0 means half of them, rounded
	// down, at least one.
	FeaturesToSelect int
	// Step is the number of columns that are left out at a time; 0 means 1. StepShare,
	// where set, is the share of all columns that is left out at a time, rounded down, at
	// least one. At most one of them is set.
	Step      int
	StepShare float64
	// Importances returns the importance of each column to a fitted model, none below
	// 0; nil takes it from the model, as above.
	Importances func(model any) ([]float64, error)
}

// Fit eliminates columns of the training rows.
func (c RFEConfig) Fit(train *mlcore.Dataset) (*Elimination, error) {
	e, err := c.eliminator(train)
	if err != nil {
		return nil, err
	}
	d := len(train.Columns)
	if c.FeaturesToSelect < 0 || c.FeaturesToSelect > d {
		return nil, configError("FeaturesToSelect is %d of %d columns", c.FeaturesToSelect, d)
	}
	features := c.FeaturesToSelect
	if features == 0 {
		features = max(1, d/2)
	}
	return e.run(train, features)
}

// FitStep is Fit for a pipeline.
func (c RFEConfig) FitStep(train *mlcore.Dataset) (FittedStep, error) {
	return fitStep(c.Fit, train)
}

// RFECVConfig is [RFEConfig] with the number of columns chosen by cross-validation: in
// each fold columns are eliminated by the training rows, and the model of every round is
// scored on the test rows. The number with the best mean score is chosen, the smallest of
// those that are equally good, and then columns are eliminated by all the rows.
type RFECVConfig struct {
	// Learner, RegressorLearner, Step, StepShare and Importances are those of
	// [RFEConfig].
	Learner          mlcore.ClassifierLearner
	RegressorLearner mlcore.RegressorLearner
	Step             int
	StepShare        float64
	Importances      func(model any) ([]float64, error)
	// MinFeaturesToSelect is the least number of columns to keep; 0 means 1.
	MinFeaturesToSelect int
	// Splitter makes the folds; nil means modelsel.StratifiedKFold{Shuffle: true} for
	// classes and modelsel.KFold{Shuffle: true} for numbers.
	Splitter modelsel.Splitter
	// Scorer judges the models; the zero value means modelsel.Accuracy or modelsel.R2.
	Scorer modelsel.Scorer
	// Workers is the greatest number of folds at a time; 0 means one per
	// processor.
	Workers int
}

// Fit chooses the number of columns and eliminates the others.
func (c RFECVConfig) Fit(train *mlcore.Dataset) (*Elimination, error) {
	e, err := RFEConfig{Learner: c.Learner, RegressorLearner: c.RegressorLearner, Step: c.Step, StepShare: c.StepShare, Importances: c.Importances}.eliminator(train)
	if err != nil {
		return nil, err
	}
	least := max(1, c.MinFeaturesToSelect)
	if c.MinFeaturesToSelect < 0 || least > len(train.Columns) {
		return nil, configError("MinFeaturesToSelect is %d of %d columns", c.MinFeaturesToSelect, len(train.Columns))
	}
	curve, err := e.crossValidate(train, least, c)
	if err != nil {
		return nil, err
	}
	best := 0
	for i := range curve.X {
		if curve.Points[i].Better(curve.Points[best]) {
			best = i
		}
	}
	m, err := e.run(train, int(curve.X[best]))
	if err != nil {
		return nil, err
	}
	m.curve = curve
	return m, nil
}

// FitStep is Fit for a pipeline.
func (c RFECVConfig) FitStep(train *mlcore.Dataset) (FittedStep, error) {
	return fitStep(c.Fit, train)
}

// eliminator fits models and leaves columns out.
type eliminator struct {
	RFEConfig
	step int
}

// eliminator checks the settings and the data.
func (c RFEConfig) eliminator(train *mlcore.Dataset) (*eliminator, error) {
	if _, err := start(train, nil, anyColumn); err != nil {
		return nil, err
	}
	switch {
	case (c.Learner == nil) == (c.RegressorLearner == nil):
		return nil, configError("elimination needs a Learner or a RegressorLearner, and one of them only")
	case c.Step < 0:
		return nil, configError("Step is %d; it is at least 1", c.Step)
	case !(c.StepShare >= 0 && c.StepShare < 1):
		return nil, configError("StepShare is %v; it is above 0 and below 1", c.StepShare)
	case c.Step != 0 && c.StepShare != 0:
		return nil, configError("Step is %d and StepShare %v; set one of them", c.Step, c.StepShare)
	}
	step := max(1, c.Step)
	if c.StepShare != 0 {
		step = max(1, int(float64(c.StepShare*float64(len(train.Columns)))))
	}
	return &eliminator{c, step}, nil
}

// run eliminates columns until as many are left as are wanted.
func (e *eliminator) run(train *mlcore.Dataset, features int) (m *Elimination, err error) {
	defer par.Recover(&err) // of a learner, or of Importances
	round := func(part *mlcore.Dataset) (any, error) {
		if e.Learner != nil {
			return fitted.Made(e.Learner(part))
		}
		return fitted.Made(e.RegressorLearner(part))
	}
	kept, ranking, err := e.eliminate(train, features, round)
	if err != nil {
		return nil, err
	}
	return &Elimination{subset: newSubset(train.Columns, kept), ranking: ranking}, nil
}

// eliminate calls round, which fits a model, for ever fewer columns, and returns those
// that are left in the end and the ranking of all. The last round is not called.
func (e *eliminator) eliminate(train *mlcore.Dataset, features int, round func(part *mlcore.Dataset) (any, error)) (kept, ranking []int, err error) {
	kept, ranking = make([]int, len(train.Columns)), slices.Repeat([]int{1}, len(train.Columns))
	for j := range kept {
		kept[j] = j
	}
	for len(kept) > features {
		model, err := round(onColumns(train, kept))
		if err != nil {
			return nil, nil, fmt.Errorf("preprocess: elimination with %d columns: %w", len(kept), err)
		}
		importances, err := e.importances(model, len(kept))
		if err != nil {
			return nil, nil, err
		}
		order := make([]int, len(kept))
		for p := range order {
			order[p] = p
		}
		slices.SortFunc(order, func(a, b int) int {
			switch {
			case importances[a] > importances[b]:
				return -1
			case importances[a] < importances[b]:
				return 1
			}
			return a - b
		})
		order = order[:max(features, len(kept)-e.step)]
		slices.Sort(order)
		next := make([]int, len(order))
		for k, p := range order {
			next[k] = kept[p]
		}
		kept = next
		for j := range ranking {
			if _, is := slices.BinarySearch(kept, j); !is {
				ranking[j]++
			}
		}
	}
	return kept, ranking, nil
}

// importances returns what a model thinks of its columns.
func (e *eliminator) importances(model any, columns int) ([]float64, error) {
	v, err := []float64(nil), error(nil)
	if e.Importances != nil {
		v, err = e.Importances(model)
	} else {
		v = ownImportances(model)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("preprocess: Importances: %w", err)
	case v == nil && e.Importances == nil:
		return nil, configError("a %T has neither FeatureImportances nor Coef; set Importances, or eliminate by another learner", model)
	case len(v) != columns:
		return nil, fmt.Errorf("preprocess: %w: %d importances of %d columns", mlcore.ErrShape, len(v), columns)
	}
	for j, x := range v {
		if x-x != 0 || x < 0 {
			return nil, fmt.Errorf("preprocess: %w: importance %v of column %d; importances are finite and not negative", mlcore.ErrNonFinite, x, j)
		}
	}
	return v, nil
}

// ownImportances returns nil for a model that says nothing of its columns.
func ownImportances(model any) []float64 {
	var coef *mat.Dense
	switch m := model.(type) {
	case interface{ FeatureImportances() []float64 }:
		return m.FeatureImportances()
	case interface{ Coef() []float64 }:
		if v := m.Coef(); v != nil {
			coef = mat.NewDense(1, len(v), v)
		}
	case interface{ Coef() *mat.Dense }:
		coef = m.Coef()
	}
	if coef == nil {
		return nil
	}
	rows, columns := coef.Dims()
	v := mat.DenseCopyOf(coef).RawMatrix().Data
	toUnit(v) // so that squares do not overflow
	out := make([]float64, columns)
	for r := range rows {
		for j := range out {
			out[j] += float64(v[r*columns+j] * v[r*columns+j])
		}
	}
	return out
}

// crossValidate scores ever fewer columns in each fold.
func (e *eliminator) crossValidate(train *mlcore.Dataset, least int, c RFECVConfig) (*modelsel.Curve, error) {
	splitter, labels := c.Splitter, train.Y
	if e.Learner == nil {
		labels = nil
	}
	switch {
	case splitter != nil:
	case e.Learner != nil:
		splitter = modelsel.StratifiedKFold{Shuffle: true}
	default:
		splitter = modelsel.KFold{Shuffle: true}
	}
	folds, err := splitter.Split(modelsel.Rows{N: train.Len(), Labels: labels})
	if err != nil {
		return nil, fmt.Errorf("preprocess: the folds of the elimination: %w", err)
	}
	options := modelsel.Options{TrainScores: true, Workers: 1}
	if s := c.Scorer; s.Labels != nil || s.Proba != nil || s.Targets != nil {
		options.Scorers = []modelsel.Scorer{s}
	}
	scores := make([][]modelsel.Scores, folds.Len()) // of each fold and number of columns
	err = par.Do(folds.Len(), c.Workers, func(i int) error {
		fold, own := folds.At(i), options
		own.Splitter = modelsel.Predefined{fold}
		// The test rows come along, so that the model of a round is scored on them; it
		// is fitted to the training rows.
		round := func(part *mlcore.Dataset) (any, error) {
			model, r, err := e.scored(part, own)
			if err != nil {
				return nil, err
			}
			scores[i] = append(scores[i], r.Scores[0])
			return model, nil
		}
		kept, _, err := e.eliminate(train, least, round)
		if err == nil {
			_, err = round(onColumns(train, kept))
		}
		if err != nil {
			return fmt.Errorf("fold %d of the elimination: %w", i, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	rounds := len(scores[0])
	curve := &modelsel.Curve{Scorer: scores[0][0].Scorer, X: make([]float64, rounds), Points: make([]modelsel.Scores, rounds)}
	for r := range rounds {
		at := rounds - 1 - r // from the fewest columns up
		curve.X[at] = float64(max(least, len(train.Columns)-r*e.step))
		point := modelsel.Scores{Scorer: curve.Scorer, LowerIsBetter: scores[0][r].LowerIsBetter}
		for i := range scores {
			point.Test = append(point.Test, scores[i][r].Test...)
			point.Train = append(point.Train, scores[i][r].Train...)
		}
		curve.Points[at] = point
	}
	return curve, nil
}

// scored fits a model to the one fold of the options, and scores it.
func (e *eliminator) scored(part *mlcore.Dataset, options modelsel.Options) (model any, r *modelsel.Result, err error) {
	if e.Learner != nil {
		r, err = modelsel.CrossValidate(func(ds *mlcore.Dataset) (mlcore.Classifier, error) {
			m, err := e.Learner(ds)
			model = m
			return m, err
		}, part, options)
	} else {
		r, err = modelsel.CrossValidate(func(ds *mlcore.Dataset) (mlcore.Regressor, error) {
			m, err := e.RegressorLearner(ds)
			model = m
			return m, err
		}, part, options)
	}
	return model, r, err
}

// An Elimination is a fitted [RFEConfig] or [RFECVConfig].
type Elimination struct {
	subset
	ranking []int
	curve   *modelsel.Curve
}

// Ranking returns 1 for each column that is kept, 2 for those that were left out last,
// and so on.
func (m *Elimination) Ranking() []int { return slices.Clone(m.ranking) }

// Curve returns the scores by cross-validation along the number of columns, which
// plotx.ValidationCurve draws; nil without cross-validation. It is not part of a file.
func (m *Elimination) Curve() *modelsel.Curve { return m.curve }
