package ada511

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/frame"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"gonum.org/v1/gonum/floats"
)

func jobs(t *testing.T) *mlcore.Dataset {
	t.Helper()
	df := Jobs([]string{"cook", "smith", "NaN", "cook", "cook"}, 40, 20, 30, math.NaN(), 10)
	df = df.Mutate(series.New([]string{">50K", "<=50K", "<=50K", "<=50K", "<=50K"}, series.String, "income"))
	ds, err := frame.ToDataset(df, frame.Options{Label: "income"})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

func TestParts(t *testing.T) {
	ds := datasets.MakeMoons(100, 0.3, 1)
	fit, validation, report := Parts(ds, 1)
	if fit.Len() != 60 || validation.Len() != 20 || report.Len() != 20 {
		t.Errorf("%d, %d and %d rows", fit.Len(), validation.Len(), report.Len())
	}
	seen := map[float64]int{}
	for _, part := range []*mlcore.Dataset{fit, validation, report} {
		for i := range part.Len() {
			seen[part.X.At(i, 0)]++
		}
	}
	if len(seen) != 100 {
		t.Errorf("%d different rows in the three parts, want 100", len(seen))
	}
	if again, _, _ := Parts(ds, 1); !reflect.DeepEqual(again.X, fit.X) {
		t.Error("another run has other parts")
	}
}

func TestMissingValues(t *testing.T) {
	ds := jobs(t)
	filled := FillCommonest(ds, ds)
	if filled.X.At(2, 0) != 0 || !math.IsNaN(filled.X.At(3, 1)) || !math.IsNaN(ds.X.At(2, 0)) {
		t.Errorf("filled: %v, before: %v", filled.X, ds.X)
	}
	df := FillMissing(Jobs([]string{"NaN", "cook"}, 1, math.NaN()), "?")
	if got := df.Col("job").Records(); !slices.Equal(got, []string{"?", "cook"}) || !df.Col("hours").IsNaN()[1] {
		t.Errorf("%v", df)
	}
	want := []FrameColumn{{"job", "string", 1}, {"hours", "float", 1}}
	if got := ColumnsOf(Jobs([]string{"NaN", "cook"}, 1, math.NaN())); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	above := Above(dataframe.New(series.New([]string{">50K", "<=50K"}, series.String, "income")))
	if got := above.Float(); !slices.Equal(got, []float64{1, 0}) {
		t.Errorf("above: %v", got)
	}
}

func TestAtLeast(t *testing.T) {
	if got := AtLeast([]float64{0.2, 0.1999, 1}, 0.2); !slices.Equal(got, []int{1, 0, 1}) {
		t.Errorf("%v", got)
	}
}

// InFolds predicts as the folds of TenFolds do, so that FoldErrors of it is TenFolds.
func TestInFolds(t *testing.T) {
	ds, c := datasets.MakeMoons(120, 0.3, 1), tree.Config{MaxDepth: 3}
	predicted := InFolds(func(train, held *mlcore.Dataset) []int {
		return AnswersOf("tree", c.FitClassifier, train, held).Predicted
	}, ds)
	if got, want := FoldErrors(predicted, ds), TenFolds(c.FitClassifier, ds); !floats.EqualApprox(got.Errors, want.Errors, 1e-12) {
		t.Errorf("%v, want %v", got.Errors, want.Errors)
	}
}

// The differences of the first rule from the second are 1 and 3: mean 2, standard
// deviation the root of 2.
func TestRules(t *testing.T) {
	rows := Rules([]string{"a", "b"}, [][]float64{{2, 1}, {5, 2}})
	if r := rows[0]; r.Cost != 3.5 || r.More != 2 || math.Abs(r.SD-math.Sqrt2) > 1e-12 || r.Dearer != 2 {
		t.Errorf("%+v", r)
	}
	if s := ShareOf("half", 50, 100); s.Share != 0.5 || math.Abs(s.Low-0.4038) > 1e-4 || math.Abs(s.High-0.5962) > 1e-4 {
		t.Errorf("%+v", s) // Wilson's interval of 50 in 100 (statsmodels)
	}
}

// Without a difference in the mean the first of equals comes first, and nobody is ahead of
// itself. Two of the peers have no chosen settings or are left out.
func TestBesidePeers(t *testing.T) {
	of := func(name string, shift float64) Scored {
		s := assess.Scores{Errors: make([]float64, 10), Folds: 10, Repeats: 1}
		for k := range s.Errors {
			s.Errors[k] = shift + float64(k)/100
		}
		return Scored{name, s}
	}
	models := []Scored{of("worst", 0.9), of("first of equals", 0), of("second of equals", 0), of("best", -0.01)}
	names, bars := BesidePeers(models[1], models, "decision tree")
	if len(names) != len(Peers())+2 || slices.Contains(names, "Python: decision tree") || slices.Contains(names, "Python: default tree") {
		t.Errorf("%q", names)
	}
	if want := []string{"best", "first of equals", "second of equals"}; !slices.Equal(names[:3], want) || names[len(names)-1] != "worst" {
		t.Errorf("%q, want %q first and worst last", names, want)
	}
	if math.Abs(bars.Values[0]-1) > 1e-9 || bars.Values[1] != 0 || bars.Err[1] != 0 || math.Abs(bars.Values[len(names)-1]+90) > 1e-9 {
		t.Errorf("%v, give or take %v", bars.Values, bars.Err)
	}
	if models[0].Name != "worst" {
		t.Error("the models were sorted")
	}
}

func TestPInWords(t *testing.T) {
	if pInWords(0.0009) != "< 0.001" || pInWords(0.0011) != "0.001" {
		t.Errorf("%s and %s", pInWords(0.0009), pInWords(0.0011))
	}
}
