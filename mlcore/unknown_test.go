package mlcore_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/frame"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

func readCSV(t *testing.T, lines ...string) dataframe.DataFrame {
	t.Helper()
	df := dataframe.ReadCSV(strings.NewReader(strings.Join(lines, "\n")))
	if df.Err != nil {
		t.Fatal(df.Err)
	}
	return df
}

// A CSV file with an unseen category goes through a frame, a saved model and
// mlcore.Predict. Whoever is told of it first decides: the column, or else the model.
func TestUnknownCategoriesEndToEnd(t *testing.T) {
	train := readCSV(t, "colour,size,buy", "red,1,no", "red,2,no", "blue,1,yes", "blue,2,yes", "green,3,yes", "green,4,no")
	query := readCSV(t, "size,colour", "1,red", "2,purple")
	logistic := mlcore.LearnClassifier(linear.LogisticConfig{Tol: 1e-8}.FitClassifier)
	pipeline := func(steps ...preprocess.Step) mlcore.ClassifierLearner {
		return mlcore.LearnClassifier(preprocess.PipelineConfig{Steps: steps, Learner: logistic}.FitClassifier)
	}
	ignore := preprocess.OneHotConfig{Unknown: mlcore.UnknownIgnore}
	for _, tc := range []struct {
		name   string
		column mlcore.Unknown
		drop   []string
		learn  mlcore.ClassifierLearner
		fails  bool
	}{
		{name: "the encoder ignores it", learn: pipeline(ignore)},
		{name: "behind an imputer", learn: pipeline(preprocess.ImputerConfig{}, preprocess.StandardScalerConfig{}, ignore)},
		{name: "an ordinal encoder ignores it", learn: pipeline(preprocess.OrdinalConfig{Unknown: mlcore.UnknownIgnore})},
		{name: "an encoder by the target", drop: []string{"size"}, learn: pipeline(preprocess.TargetEncoderConfig{Splitter: modelsel.LeaveOneOut{}})},
		{name: "naive Bayes ignores it", drop: []string{"size"}, learn: mlcore.LearnClassifier(bayes.CategoricalConfig{Unknown: mlcore.UnknownIgnore}.FitClassifier)},
		{name: "the column makes it missing", column: mlcore.UnknownMissing, learn: pipeline(preprocess.ImputerConfig{}, preprocess.OneHotConfig{})},
		{name: "the column lets the encoder ignore it", column: mlcore.UnknownIgnore, learn: pipeline(ignore)},
		{name: "the column lists a level for it", column: mlcore.UnknownLevel, learn: pipeline(preprocess.OneHotConfig{AllLevels: true})},
		{name: "nobody allows it", learn: pipeline(preprocess.OneHotConfig{}), fails: true},
		{name: "another column's encoder", learn: pipeline(preprocess.OneHotConfig{Columns: []string{"colour"}}), fails: true},
		{name: "a tree", learn: mlcore.LearnClassifier(tree.Config{}.FitClassifier), fails: true},
		{name: "a tree cannot ignore it", column: mlcore.UnknownIgnore, learn: mlcore.LearnClassifier(tree.Config{}.FitClassifier), fails: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ds, err := frame.ToDataset(train, frame.Options{Label: "buy", Unknown: tc.column, Drop: tc.drop})
			if err != nil {
				t.Fatal(err)
			}
			model, err := tc.learn(ds)
			if err != nil {
				t.Fatal(err)
			}
			text, err := modelfile.Marshal(model)
			if err != nil {
				t.Fatal(err)
			}
			loaded, err := modelfile.Unmarshal[mlcore.Classifier](text)
			if err != nil {
				t.Fatal(err)
			}
			check := func(way string, names []string, err error) {
				t.Helper()
				switch {
				case tc.fails && tc.column == mlcore.UnknownError:
					if !errors.Is(err, mlcore.ErrLevel) || !strings.Contains(err.Error(), "purple") || !strings.Contains(err.Error(), "Options") {
						t.Errorf("%s: %v, want an error that names the category and the option", way, err)
					}
				case tc.fails:
					if !errors.Is(err, mlcore.ErrLevel) {
						t.Errorf("%s: %v", way, err)
					}
				case err != nil || len(names) != 2 || names[0] != "no":
					t.Errorf("%s: %q, %v", way, names, err)
				}
			}
			// The model's own encoder.
			encoder, err := frame.ForModel(loaded)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			rows, err := encoder.Transform(query)
			if err == nil {
				names, err = mlcore.PredictNames(loaded, rows)
			}
			check("ForModel", names, err)
			// A Dataset of its own, with codes of its own.
			rows, err = frame.ToDataset(query, frame.Options{})
			if err != nil {
				t.Fatal(err)
			}
			names, err = mlcore.PredictNames(loaded, rows)
			check("Predict", names, err)
		})
	}
}

// The code of an ignored category is the one after the last level, and stays unknown
// where another Schema has other levels.
func TestIgnoredCategoriesAlign(t *testing.T) {
	column := mlcore.Column{Name: "colour", Levels: []string{"red", "blue"}, Unknown: mlcore.UnknownIgnore}
	code, err := column.Encode("purple")
	if err != nil || code != 2 {
		t.Fatalf("code %v, %v", code, err)
	}
	for _, tc := range []struct {
		levels  []string
		unknown mlcore.Unknown
		want    []float64
		err     error
	}{
		{[]string{"blue", "green", "red"}, mlcore.UnknownIgnore, []float64{2, 0, 3}, nil},
		{[]string{"blue", "red"}, mlcore.UnknownMissing, []float64{1, 0, math.NaN()}, nil},
		{[]string{"blue", "red", mlcore.UnknownName}, mlcore.UnknownLevel, []float64{1, 0, 2}, nil},
		{[]string{"blue", "red"}, mlcore.UnknownError, nil, mlcore.ErrLevel},
	} {
		ds := &mlcore.Dataset{X: mat.NewDense(3, 1, []float64{0, 1, code}), Columns: []mlcore.Column{column}}
		got, err := ds.Align(&mlcore.Schema{Columns: []mlcore.Column{{Name: "colour", Levels: tc.levels, Unknown: tc.unknown}}})
		if !errors.Is(err, tc.err) {
			t.Errorf("%v: %v", tc.levels, err)
			continue
		}
		for i, v := range tc.want {
			if x := got.X.At(i, 0); x != v && !(x != x && v != v) {
				t.Errorf("%v: row %d is %v, want %v", tc.levels, i, x, v)
			}
		}
	}
}
