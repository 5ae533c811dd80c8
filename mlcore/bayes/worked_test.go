package bayes_test

import (
	"encoding"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/internal/fixture"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"gonum.org/v1/gonum/mat"
)

// Six rows of two attributes with 3 and 2 values; classes of 4 and 2 rows.
var (
	workedX = mat.NewDense(6, 2, []float64{
		0, 0,
		0, 1,
		1, 1,
		1, 1,
		1, 0,
		2, 0,
	})
	workedY = []int{0, 0, 0, 0, 1, 1}
)

// The oracle is arithmetic on the counts. Of class 0 the first attribute counts
// 2, 2, 0 and the second 1, 3; of class 1 they count 0, 1, 1 and 2, 0. The query is
// (1, 1), so that n is 2 and 3 of 4, and 1 and 0 of 2.
func TestSmoothingByHand(t *testing.T) {
	for _, tc := range []struct {
		smoothing  bayes.Smoothing
		zero, one  float64 // P(c) P(x | c)
		table0At02 float64 // P(first attribute is 2 | class 0)
	}{
		{bayes.Laplace, 4. / 6 * (3. / 7) * (4. / 6), 2. / 6 * (2. / 5) * (1. / 4), 1. / 7},
		{bayes.Lidstone(0.5), 4. / 6 * (2.5 / 5.5) * (3.5 / 5), 2. / 6 * (1.5 / 3.5) * (0.5 / 3), 0.5 / 5.5},
		{bayes.Lidstone(0), 4. / 6 * (2. / 4) * (3. / 4), 0, 0},
		// Equation 6 of the report: k is the number of attributes, 2.
		{bayes.AttributeCount, 4. / 6 * (3. / 6) * (4. / 6), 2. / 6 * (2. / 4) * (1. / 4), 1. / 6},
	} {
		t.Run(tc.smoothing.String(), func(t *testing.T) {
			m, err := bayes.CategoricalConfig{Smoothing: tc.smoothing}.FitClassifier(fixture.Codes(mlcore.FromMatrix(workedX, workedY, nil)))
			if err != nil {
				t.Fatal(err)
			}
			query := mat.NewDense(1, 2, []float64{1, 1})
			joint, err := m.PredictJointLogProba(query)
			if err != nil {
				t.Fatal(err)
			}
			for k, want := range []float64{tc.zero, tc.one} {
				if got := math.Exp(joint.At(0, k)); math.Abs(got-want) > 1e-15 {
					t.Errorf("P(%d) P(x | %d) = %v, want %v", k, k, got, want)
				}
			}
			p, err := m.PredictProba(query)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := p.At(0, 1), tc.one/(tc.zero+tc.one); math.Abs(got-want) > 1e-15 {
				t.Errorf("P(1 | x) = %v, want %v", got, want)
			}
			if got := math.Exp(m.FeatureLogProb(0).At(0, 2)); math.Abs(got-tc.table0At02) > 1e-15 {
				t.Errorf("P(x_0 = 2 | 0) = %v, want %v", got, tc.table0At02)
			}
		})
	}
}

// A query with an unknown category is refused, or judged by its other columns:
// (9, 1) as 4/6 * 4/6 against 2/6 * 1/4, which is 16 to 3.
func TestUnknownCategory(t *testing.T) {
	query := mat.NewDense(2, 2, []float64{0, 0, 9, 1})
	m, err := bayes.CategoricalConfig{}.FitClassifier(fixture.Codes(mlcore.FromMatrix(workedX, workedY, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Predict(query); !errors.Is(err, mlcore.ErrLevel) || !strings.Contains(err.Error(), "row 1, column 0") {
		t.Errorf("error %v, want ErrLevel in row 1, column 0", err)
	}
	m, err = bayes.CategoricalConfig{Unknown: mlcore.UnknownIgnore}.FitClassifier(fixture.Codes(mlcore.FromMatrix(workedX, workedY, nil)))
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.PredictProba(query)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := p.At(1, 0), 16./19; math.Abs(got-want) > 1e-15 {
		t.Errorf("P(0 | unknown, 1) = %v, want %v", got, want)
	}
	for _, bad := range []float64{-1, 0.5, math.NaN()} {
		query.Set(1, 0, bad)
		if _, err := m.Predict(query); !errors.Is(err, mlcore.ErrLevel) && !errors.Is(err, mlcore.ErrNonFinite) {
			t.Errorf("%v passes for an unknown category: error %v", bad, err)
		}
	}
}

// The oracle is the rule that the package states: what no class can produce is
// judged by the prior.
func TestImpossibleEverywhere(t *testing.T) {
	// Value 2 never comes with (…, 1) in either class.
	m, err := bayes.CategoricalConfig{Smoothing: bayes.Lidstone(0)}.FitClassifier(fixture.Codes(mlcore.FromMatrix(workedX, workedY, nil)))
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.PredictProba(mat.NewDense(1, 2, []float64{2, 1}))
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(p.At(0, 0)-4./6) > 1e-15 {
		t.Errorf("P(0 | impossible) = %v, want the prior, 4/6", p.At(0, 0))
	}
	g, err := bayes.GaussianConfig{}.FitClassifier(mlcore.FromMatrix(workedX, workedY, nil))
	if err != nil {
		t.Fatal(err)
	}
	if p, err = g.PredictProba(mat.NewDense(1, 2, []float64{1e300, 0})); err != nil {
		t.Fatal(err)
	}
	if math.Abs(p.At(0, 0)-4./6) > 1e-15 {
		t.Errorf("P(0 | 1e300) = %v, want the prior, 4/6", p.At(0, 0))
	}
}

// Class 1 of 3 has no rows; the oracle is the rule that it has probability 0.
func TestClassWithoutRows(t *testing.T) {
	y := []int{0, 0, 0, 0, 2, 2}
	for name, prior := range map[string]bayes.Prior{
		"fitted":  {},
		"uniform": {Uniform: true},
		"given":   {Given: []float64{0.1, 0.8, 0.1}},
	} {
		for kind, fit := range map[string]mlcore.ClassifierLearner{
			"categorical": mlcore.LearnClassifier(bayes.CategoricalConfig{Prior: pad(prior)}.FitClassifier),
			"bernoulli":   mlcore.LearnClassifier(bayes.BernoulliConfig{Prior: pad(prior)}.FitClassifier),
			"multinomial": mlcore.LearnClassifier(bayes.MultinomialConfig{Prior: pad(prior)}.FitClassifier),
			"gaussian":    mlcore.LearnClassifier(bayes.GaussianConfig{Prior: pad(prior)}.FitClassifier),
		} {
			ds := fixture.Classes(mlcore.FromMatrix(workedX, y, nil), 4)
			if kind == "categorical" {
				fixture.Codes(ds)
			}
			m, err := fit(ds)
			if err != nil {
				t.Fatalf("%s, %s: %v", kind, name, err)
			}
			p, err := m.(mlcore.ProbClassifier).PredictProba(workedX)
			if err != nil {
				t.Fatal(err)
			}
			for i := range y {
				if p.At(i, 1) != 0 || p.At(i, 3) != 0 || !(math.Abs(p.At(i, 0)+p.At(i, 2)-1) < 1e-12) {
					t.Errorf("%s, %s prior, row %d: %v", kind, name, i, p.RawRowView(i))
				}
			}
		}
	}
}

// pad gives a prior of three classes a fourth.
func pad(p bayes.Prior) bayes.Prior {
	if p.Given != nil {
		p.Given = append(append([]float64(nil), p.Given...), 0)
	}
	return p
}

func TestBadConfigurations(t *testing.T) {
	negative := mat.NewDense(2, 2, []float64{0, 1, 2, -3})
	huge := mat.NewDense(2, 1, []float64{-1e308, 1e308})
	two := []int{0, 1}
	for name, tc := range map[string]struct {
		err  func() error
		want error
		says string
	}{
		"alpha below 0": {func() error {
			_, err := bayes.CategoricalConfig{Smoothing: bayes.Lidstone(-1)}.FitClassifier(fixture.Codes(mlcore.FromMatrix(workedX, workedY, nil)))
			return err
		}, mlcore.ErrConfig, "alpha is -1"},
		"numeric column": {func() error {
			_, err := bayes.CategoricalConfig{}.FitClassifier(fixture.Levels(mlcore.FromMatrix(workedX, workedY, nil), []int{3, 0}))
			return err
		}, mlcore.ErrColumn, "column 1 (x1) is numeric"},
		"a table too large": {func() error {
			_, err := bayes.GaussianConfig{}.FitClassifier(fixture.Classes(mlcore.FromMatrix(mat.NewDense(2, 1<<9, nil), two, nil), 1<<20))
			return err
		}, mlcore.ErrConfig, "too large"},
		"a label that is no code": {func() error {
			_, err := bayes.GaussianConfig{}.FitClassifier(mlcore.FromMatrix(workedX, []int{0, 0, 0, 0, 1, 1 << 30}, nil))
			return err
		}, mlcore.ErrLabel, "codes from 0"},
		"code not whole": {func() error {
			_, err := bayes.CategoricalConfig{}.FitClassifier(fixture.Levels(mlcore.FromMatrix(mat.NewDense(1, 1, []float64{1.5}), []int{0}, nil), []int{3}))
			return err
		}, mlcore.ErrLevel, "row 0, column 0"},
		"attribute count of events": {func() error {
			_, err := bayes.MultinomialConfig{Smoothing: bayes.AttributeCount}.FitClassifier(mlcore.FromMatrix(workedX, workedY, nil))
			return err
		}, mlcore.ErrConfig, "CategoricalConfig"},
		"negative count": {func() error {
			_, err := bayes.MultinomialConfig{}.FitClassifier(mlcore.FromMatrix(negative, two, nil))
			return err
		}, mlcore.ErrColumn, "row 1, column 1"},
		"threshold": {func() error {
			_, err := bayes.BernoulliConfig{Threshold: math.NaN()}.FitClassifier(mlcore.FromMatrix(workedX, workedY, nil))
			return err
		}, mlcore.ErrConfig, "Threshold"},
		"variance smoothing": {func() error {
			_, err := bayes.GaussianConfig{VarSmoothing: -1}.FitClassifier(mlcore.FromMatrix(workedX, workedY, nil))
			return err
		}, mlcore.ErrConfig, "VarSmoothing"},
		"variance smoothing that overflows": {func() error {
			_, err := bayes.GaussianConfig{VarSmoothing: 1e308}.FitClassifier(mlcore.FromMatrix(mat.NewDense(2, 1, []float64{0, 10}), two, nil))
			return err
		}, mlcore.ErrConfig, "VarSmoothing is 1e+308"},
		"variance overflows": {func() error {
			_, err := bayes.GaussianConfig{}.FitClassifier(mlcore.FromMatrix(huge, two, nil))
			return err
		}, mlcore.ErrNonFinite, "column 0"},
		"priors too few": {func() error {
			_, err := bayes.GaussianConfig{Prior: bayes.Prior{Given: []float64{1}}}.FitClassifier(mlcore.FromMatrix(workedX, workedY, nil))
			return err
		}, mlcore.ErrConfig, "1 numbers for 2"},
		"priors sum": {func() error {
			_, err := bayes.GaussianConfig{Prior: bayes.Prior{Given: []float64{1, 1}}}.FitClassifier(mlcore.FromMatrix(workedX, workedY, nil))
			return err
		}, mlcore.ErrConfig, "sum to 2"},
		"prior of nothing": {func() error {
			_, err := bayes.GaussianConfig{Prior: bayes.Prior{Given: []float64{0, 0, 1}}}.FitClassifier(fixture.Classes(mlcore.FromMatrix(workedX, workedY, nil), 3))
			return err
		}, mlcore.ErrConfig, "every class that has rows"},
		"two priors": {func() error {
			_, err := bayes.GaussianConfig{Prior: bayes.Prior{Uniform: true, Given: []float64{0.5, 0.5}}}.FitClassifier(mlcore.FromMatrix(workedX, workedY, nil))
			return err
		}, mlcore.ErrConfig, "both"},
		"classes": {func() error {
			_, err := bayes.GaussianConfig{}.FitClassifier(fixture.Classes(mlcore.FromMatrix(workedX, workedY, nil), 1))
			return err
		}, mlcore.ErrLabel, "row 4"},
	} {
		if err := tc.err(); !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: error %v, want one that wraps %q and says %q", name, err, tc.want, tc.says)
		}
	}
}

// The oracle is arithmetic on the counts of the two columns: their sums in class 0
// are 2 and 3, in class 1 3 and 0; they are on in 2 and 3 of its 4 rows, and in 2
// and 0 of 2.
func TestTablesByHand(t *testing.T) {
	near := func(what string, got float64, want float64) {
		t.Helper()
		if math.Abs(math.Exp(got)-want) > 1e-15 {
			t.Errorf("%s is %v, want %v", what, math.Exp(got), want)
		}
	}
	multinomial, err := bayes.MultinomialConfig{}.FitClassifier(mlcore.FromMatrix(workedX, workedY, nil))
	if err != nil {
		t.Fatal(err)
	}
	bernoulli, err := bayes.BernoulliConfig{}.FitClassifier(mlcore.FromMatrix(workedX, workedY, []float64{1, 1, 1, 1, 1, 1}))
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range [][2]float64{{3. / 7, 4. / 7}, {4. / 5, 1. / 5}} {
		near("P(event 0)", multinomial.FeatureLogProb().At(k, 0), want[0])
		near("P(event 1)", multinomial.FeatureLogProb().At(k, 1), want[1])
	}
	for k, want := range [][2]float64{{3. / 6, 4. / 6}, {3. / 4, 1. / 4}} {
		near("P(0 is on)", bernoulli.FeatureLogProb().At(k, 0), want[0])
		near("P(1 is on)", bernoulli.FeatureLogProb().At(k, 1), want[1])
		near("P(c)", bernoulli.ClassLogPrior()[k], []float64{4. / 6, 2. / 6}[k])
	}
	if got := bernoulli.ClassWeights(); got[0] != 4 || got[1] != 2 {
		t.Errorf("class weights %v, want 4 and 2", got)
	}
	gaussian, err := bayes.GaussianConfig{}.FitClassifier(mlcore.FromMatrix(workedX, workedY, nil))
	if err != nil {
		t.Fatal(err)
	}
	// Column 0 is 0, 0, 1, 1 in class 0: mean and variance 1/2 and 1/4.
	if mean, variance := gaussian.Means().At(0, 0), gaussian.Variances().At(0, 0); mean != 0.5 || math.Abs(variance-0.25) > 1e-8 {
		t.Errorf("mean %v and variance %v, want 0.5 and 0.25", mean, variance)
	}
}

// No model is taken for another, also where the fields are alike.
func TestModelsAreNotMistaken(t *testing.T) {
	type model interface {
		mlcore.ProbClassifier
		encoding.BinaryUnmarshaler
	}
	var models []model
	add := func(m model, err error) {
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, m)
	}
	add(bayes.CategoricalConfig{}.FitClassifier(fixture.Codes(mlcore.FromMatrix(workedX, workedY, nil))))
	add(bayes.BernoulliConfig{}.FitClassifier(mlcore.FromMatrix(workedX, workedY, nil)))
	add(bayes.MultinomialConfig{}.FitClassifier(mlcore.FromMatrix(workedX, workedY, nil)))
	add(bayes.GaussianConfig{}.FitClassifier(mlcore.FromMatrix(workedX, workedY, nil)))
	for i, m := range models {
		data, err := modelfile.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		for j, other := range []model{new(bayes.Categorical), new(bayes.Bernoulli), new(bayes.Multinomial), new(bayes.Gaussian)} {
			if err := other.UnmarshalBinary(data); i != j && !errors.Is(err, mlcore.ErrCorrupt) {
				t.Errorf("a %T read as a %T: error %v, want ErrCorrupt", m, other, err)
			} else if i == j && err != nil {
				t.Errorf("%T: %v", m, err)
			}
		}
	}
}
