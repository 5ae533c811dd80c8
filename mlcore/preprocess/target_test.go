package preprocess_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"gonum.org/v1/gonum/mat"
)

// targetPeers is testdata/peers_target.json; scripts/oracles/preprocess_target.py made it.
type targetPeers struct {
	Codes   table                `json:"codes"`
	Queries table                `json:"queries"`
	Targets map[string][]float64 `json:"targets"`
	Cases   []struct {
		Target  string   `json:"target"`
		Smooth  *float64 `json:"smooth"`
		Train   table    `json:"train"`
		Queries table    `json:"queries"`
	} `json:"cases"`
}

func TestTargetEncoderAgainstScikitLearn(t *testing.T) {
	o := oracle.Load[targetPeers](t, "testdata/peers_target.json")
	for _, c := range o.Cases {
		ds := o.Codes.dataset("made up", true)
		cfg := preprocess.TargetEncoderConfig{}
		switch y := o.Targets[c.Target]; c.Target {
		case "binary", "multiclass":
			ds.ClassNames = []string{"low", "high", "top"}[:1+int(slices.Max(y))]
			for _, k := range y {
				ds.Y = append(ds.Y, int(k))
			}
			cfg.Splitter = modelsel.StratifiedKFold{}
		default:
			ds.Target = y
			cfg.Splitter = modelsel.KFold{}
		}
		if c.Smooth != nil {
			cfg.Smooth = preprocess.PriorRows(*c.Smooth)
		}
		name := c.Target + ", " + cfg.Smooth.String()
		m, train, err := cfg.FitTransform(ds)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := train.Validate(); err != nil {
			t.Errorf("%s: the training rows that come out: %v", name, err)
		}
		equal(t, name+", training rows", train.X, c.Train.dataset("", false).X)
		queries, err := m.Transform(o.Queries.dataset("made up", true))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		equal(t, name, queries.X, c.Queries.dataset("", false).X)
		if c.Target == "multiclass" {
			want := []string{"c0_low", "c0_high", "c0_top", "c1_low", "c1_high", "c1_top", "c2_low", "c2_high", "c2_top"}
			if got := queries.FeatureNames(); !slices.Equal(got, want) {
				t.Errorf("%s: columns %q, want %q", name, got, want)
			}
		}
	}
}

// towns has as many levels as rows: what a level becomes on the rows that it was learned
// from is their target.
func towns() *mlcore.Dataset {
	rng := mlcore.NewRand(8)
	ds := &mlcore.Dataset{Name: "towns", X: mat.NewDense(40, 2, nil), Columns: []mlcore.Column{{Name: "town"}, {Name: "age"}}, ClassNames: []string{"no", "yes"}}
	for i := range 40 {
		ds.Columns[0].Levels = append(ds.Columns[0].Levels, string(rune('A'+i%26))+string(rune('a'+i/26)))
		ds.X.SetRow(i, []float64{float64(i), rng.Float64()})
		ds.Y = append(ds.Y, rng.IntN(2))
	}
	return ds
}

// A pipeline encodes its training rows by folds: where every row has a level of its own
// that is the mean of the other folds, from which nothing can be learned. Without folds
// a linear model would be right about every training row.
func TestTargetEncoderDoesNotLeak(t *testing.T) {
	ds := towns()
	logistic := linear.LogisticConfig{Penalty: linear.NoPenalty}
	var seen *mlcore.Dataset
	m, err := preprocess.PipelineConfig{
		Steps: []preprocess.Step{preprocess.TargetEncoderConfig{Smooth: preprocess.PriorRows(0)}},
		Learner: func(ds *mlcore.Dataset) (mlcore.Classifier, error) {
			seen = ds
			return logistic.FitClassifier(ds)
		},
	}.FitClassifier(ds)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range mat.Col(nil, 0, seen.X) {
		if v < 0.2 || v > 0.8 {
			t.Errorf("training row %d is encoded as %v, which only its own label can have made", i, v)
		}
	}
	for i := range ds.Len() {
		if seen.X.At(i, 1) != ds.X.At(i, 1) {
			t.Fatalf("row %d: the other column changed", i)
		}
	}
	encoder := m.Transformers()[0].(*preprocess.TargetEncoder)
	for i, k := range ds.Y {
		if got := encoder.Encodings(0).At(i, 0); got != float64(k) {
			t.Errorf("level %d becomes %v for rows that are predicted, want the mean of its rows, %d", i, got, k)
		}
	}
	if encoder.Encodings(1) != nil {
		t.Error("a numeric column has encodings")
	}
}

func TestTargetEncoderOnHostileData(t *testing.T) {
	ds := towns()
	plain := *ds
	plain.Y, plain.ClassNames = nil, nil
	for i := range 40 {
		plain.Target = append(plain.Target, float64(i*i%23))
	}
	for j := range plain.Len() {
		plain.X.Set(j, 0, float64(j%4))
	}
	small, err := preprocess.TargetEncoderConfig{}.Fit(&plain)
	if err != nil {
		t.Fatal(err)
	}
	// The squares of these leave the range of float64 on either side.
	for _, unit := range []float64{1e300, 1e-160, 1e-300} {
		scaled := plain
		scaled.Target = slices.Clone(plain.Target)
		for i := range scaled.Target {
			scaled.Target[i] *= unit
		}
		m, err := preprocess.TargetEncoderConfig{}.Fit(&scaled)
		if err != nil {
			t.Fatal(err)
		}
		for l := range 41 {
			if got, want := m.Encodings(0).At(l, 0)/unit, small.Encodings(0).At(l, 0); !near(got, want) {
				t.Errorf("targets of %v: level %d becomes %v times that, want %v", unit, l, got, want)
			}
		}
	}
	if _, err := (preprocess.TargetEncoderConfig{}).FitStep(towns().Subset([]int{0, 1, 2, 3, 4})); err != nil {
		t.Errorf("five rows: %v", err)
	}
	oneClass := towns()
	oneClass.Y, oneClass.ClassNames = make([]int, 40), []string{"no"}
	one, err := preprocess.TargetEncoderConfig{}.Fit(oneClass)
	if err != nil {
		t.Fatal(err)
	}
	if got := one.Encodings(0).At(3, 0); got != 0 {
		t.Errorf("one class: level 3 becomes %v, want 0", got)
	}
	// Labels decide where there are numbers too, and a pipeline shows the step only
	// what its task asks for.
	both := towns()
	for i := range both.Y {
		both.Target = append(both.Target, float64(100*i))
	}
	a, err := preprocess.TargetEncoderConfig{}.Fit(both)
	if err != nil {
		t.Fatal(err)
	}
	if got := mat.Max(a.Encodings(0)); got > 1 {
		t.Errorf("labels and targets: encodings up to %v, want those of labels", got)
	}
	r, err := preprocess.PipelineConfig{Steps: []preprocess.Step{preprocess.TargetEncoderConfig{}}, RegressorLearner: mlcore.LearnRegressor(linear.RidgeConfig{}.FitRegressor)}.FitRegressor(both)
	if err != nil {
		t.Fatal(err)
	}
	if got := mat.Max(r.Transformers()[0].(*preprocess.TargetEncoder).Encodings(0)); got <= 1 {
		t.Errorf("in a pipeline for regression: encodings up to %v, want those of targets", got)
	}
}

func TestTargetEncoderRefuses(t *testing.T) {
	ds := towns()
	bare := *ds
	bare.Y = nil
	for _, c := range []struct {
		name   string
		config preprocess.TargetEncoderConfig
		ds     *mlcore.Dataset
		want   error
		says   string
	}{
		{"nothing to encode by", preprocess.TargetEncoderConfig{}, &bare, mlcore.ErrLabel, "neither labels"},
		{"a negative number of rows", preprocess.TargetEncoderConfig{Smooth: preprocess.PriorRows(-1)}, ds, mlcore.ErrConfig, "PriorRows(-1)"},
		{"no number of rows", preprocess.TargetEncoderConfig{Smooth: preprocess.PriorRows(math.NaN())}, ds, mlcore.ErrConfig, "PriorRows(NaN)"},
		{"a numeric column", preprocess.TargetEncoderConfig{Columns: []string{"age"}}, ds, mlcore.ErrColumn, "age"},
		{"no such column", preprocess.TargetEncoderConfig{Columns: []string{"street"}}, ds, mlcore.ErrColumn, "street"},
		{"one row", preprocess.TargetEncoderConfig{}, ds.Subset([]int{0}), mlcore.ErrConfig, "folds"},
		{"folds that leave rows out", preprocess.TargetEncoderConfig{Splitter: modelsel.ShuffleSplit{}}, ds, mlcore.ErrConfig, "every row once"},
		{"no Dataset", preprocess.TargetEncoderConfig{}, nil, mlcore.ErrEmpty, ""},
	} {
		if _, err := c.config.FitStep(c.ds); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that wraps %q and says %q", c.name, err, c.want, c.says)
		}
	}
	m, err := preprocess.TargetEncoderConfig{}.Fit(ds)
	if err != nil {
		t.Fatal(err)
	}
	unknown, err := m.TransformRows(mat.NewDense(2, 2, []float64{40, 0, math.NaN(), 0}))
	yes := 0.0
	for _, k := range ds.Y {
		yes += float64(k) / 40
	}
	if err != nil || !near(unknown.At(0, 0), yes) || !near(unknown.At(1, 0), yes) {
		t.Errorf("an unknown town and a missing one become %v (%v), want the share of yes, %v", unknown, err, yes)
	}
	for _, code := range []float64{41, -1, 0.5} {
		if _, err := m.TransformRows(mat.NewDense(1, 2, []float64{code, 0})); !errors.Is(err, mlcore.ErrLevel) {
			t.Errorf("code %v: error %v, want ErrLevel", code, err)
		}
	}
}

// A step of one's own that changes training rows has to keep to its Transformer.
func TestPipelineChecksTrainingRows(t *testing.T) {
	ds := towns()
	learner := mlcore.LearnClassifier(linear.LogisticConfig{}.FitClassifier)
	for name, change := range map[string]func(f *preprocess.FittedStep){
		"other columns": func(f *preprocess.FittedStep) { f.Train = ds },
		"rows too":      func(f *preprocess.FittedStep) { f.Rows = []int{0, 1} },
	} {
		step := stepFunc(func(train *mlcore.Dataset) (preprocess.FittedStep, error) {
			f, err := preprocess.TargetEncoderConfig{}.FitStep(train)
			change(&f)
			return f, err
		})
		if _, err := (preprocess.PipelineConfig{Steps: []preprocess.Step{step}, Learner: learner}).FitClassifier(ds); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

type stepFunc func(train *mlcore.Dataset) (preprocess.FittedStep, error)

func (f stepFunc) FitStep(train *mlcore.Dataset) (preprocess.FittedStep, error) { return f(train) }

// What comes out does not depend on the number of processors at work.
func TestTargetEncoderIsRepeatable(t *testing.T) {
	first, err := preprocess.TargetEncoderConfig{}.FitStep(towns())
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		again, err := preprocess.TargetEncoderConfig{}.FitStep(towns())
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(again.Train.X, first.Train.X) {
			t.Error("the same data are encoded differently")
		}
	}
}
