package mlcore_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"path/filepath"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/frame"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// Gaps and categories of a table are dealt with in a pipeline, which cross-validation fits
// to the training rows of each fold alone.
func Example_pipeline() {
	ds, err := frame.CSV{}.DatasetFile("testdata/flats.csv", frame.Options{Label: "sold"})
	if err != nil {
		log.Fatal(err)
	}
	pipeline := preprocess.PipelineConfig{
		Steps:   []preprocess.Step{preprocess.ImputerConfig{}, preprocess.OneHotConfig{AllLevels: true}},
		Learner: mlcore.LearnClassifier(ensemble.ForestConfig{Seed: 1}.FitClassifier),
	}
	result, err := modelsel.CrossValidate(pipeline.FitClassifier, ds, modelsel.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result)
	// Output: accuracy 0.8222 ± 0.0724 over 5 folds
}

// Settings are chosen by cross-validation; the model is saved, and loaded by a program
// that need not know what kind of model it is.
func Example_saveAndLoad() {
	ds, err := datasets.LoadDataset("iris")
	if err != nil {
		log.Fatal(err)
	}
	grid := modelsel.Grid(ensemble.HistBoostingConfig{MinSamplesLeaf: 5},
		modelsel.Vary("rounds", func(c *ensemble.HistBoostingConfig, v int) { c.Estimators = v }, 10, 30),
		modelsel.Vary("rate", func(c *ensemble.HistBoostingConfig, v float64) { c.LearningRate = v }, 0.1, 0.3))
	search, err := modelsel.Search(ensemble.HistBoostingConfig.FitClassifier, grid, ds, modelsel.SearchOptions{})
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(os.TempDir(), "iris.model")
	if err := modelfile.Save(path, search.Model); err != nil {
		log.Fatal(err)
	}
	model, err := modelfile.Load[mlcore.Classifier](path)
	if err != nil {
		log.Fatal(err)
	}
	names, err := mlcore.PredictNames(model, ds.Subset([]int{0, 75, 149}))
	fmt.Println(search.Chosen(), names, err)
	// Output: rounds=10 rate=0.3 [setosa versicolor virginica] <nil>
}

// A confusion matrix of predictions that no training row had a part in, beside a
// learning curve.
func Example_draw() {
	ds, err := datasets.LoadDataset("iris")
	if err != nil {
		log.Fatal(err)
	}
	forest := ensemble.ForestConfig{Estimators: 20, Seed: 1}
	predicted, err := modelsel.CrossValPredict(forest.FitClassifier, ds, modelsel.Options{})
	if err != nil {
		log.Fatal(err)
	}
	cm, err := metrics.ConfusionOn(ds, predicted.Values)
	if err != nil {
		log.Fatal(err)
	}
	curve, err := modelsel.LearningCurve(forest.FitClassifier, ds, modelsel.LearningCurveOptions{})
	if err != nil {
		log.Fatal(err)
	}
	matrix, err1 := plotx.Confusion(cm)
	lines, err2 := plotx.LearningCurve("How much would more data help?", curve)
	err3 := plotx.Save(plotx.Grid("Iris", 2, matrix, lines), filepath.Join(os.TempDir(), "iris.png"))
	fmt.Printf("accuracy %.2f, %v", cm.Accuracy(), errors.Join(err1, err2, err3))
	// Output: accuracy 0.94, <nil>
}

// The levels of a column, the names of the classes and the weights of the rows are
// part of a Dataset, and what is fitted to it knows them.
func ExampleDataset() {
	ds := &mlcore.Dataset{
		Name: "weather",
		Columns: []mlcore.Column{
			{Name: "outlook", Levels: []string{"sunny", "overcast", "rain"}},
			{Name: "humidity"},
		},
		X:          mat.NewDense(5, 2, []float64{0, 85, 0, 70, 1, 83, 2, 96, 2, 80}),
		Y:          []int{0, 1, 1, 1, 1},
		ClassNames: []string{"stay in", "go out"},
	}
	model, err := tree.Config{}.FitClassifier(ds)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(model.Text())
	ds.X.Set(3, 0, 7)
	_, err = tree.Config{}.FitClassifier(ds)
	fmt.Println(err)
	// Output:
	// |-- outlook is sunny
	// |   |-- humidity <= 77.5
	// |   |   |-- class go out
	// |   |-- humidity > 77.5
	// |   |   |-- class stay in
	// |-- outlook is one of {overcast, rain}
	// |   |-- class go out
	// tree: weather: unknown category: code 7 in row 3, column 0 (outlook), which has 3 levels
}

// Other data are brought into the form that a model was fitted to: columns are found
// by name, and codes follow the names of the levels.
func ExampleDataset_Align() {
	trained := &mlcore.Schema{Columns: []mlcore.Column{{Name: "colour", Levels: []string{"blue", "red"}}, {Name: "size"}}}
	ds := &mlcore.Dataset{
		Columns: []mlcore.Column{{Name: "size"}, {Name: "colour", Levels: []string{"red", "blue"}}},
		X:       mat.NewDense(2, 2, []float64{10, 0, 20, 1}),
	}
	aligned, err := ds.Align(trained)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mat.Formatted(aligned.X))
	// Output:
	// ⎡ 1  10⎤
	// ⎣ 0  20⎦
}

// A function of your own that fits to a matrix can be cross-validated too.
func ExampleOnMatrix() {
	ds := mlcore.FromMatrix(mat.NewDense(6, 1, []float64{1, 2, 3, 4, 5, 6}), []float64{2, 4, 6, 8, 10, 12}, nil)
	r, err := modelsel.CrossValidate(mlcore.OnMatrix(throughOrigin), ds, modelsel.Options{Splitter: modelsel.KFold{Folds: 3}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r)
	// Output: R² 1.0000 ± 0.0000 over 3 folds
}

// slope is a line through the origin.
type slope float64

func throughOrigin(X mat.Matrix, y, _ []float64) (slope, error) {
	xx, xy := 0.0, 0.0
	for i, v := range y {
		xx += X.At(i, 0) * X.At(i, 0)
		xy += X.At(i, 0) * v
	}
	return slope(xy / xx), nil
}

func (s slope) Predict(X mat.Matrix) ([]float64, error) {
	n, _ := X.Dims()
	y := make([]float64, n)
	for i := range y {
		y[i] = float64(s) * X.At(i, 0)
	}
	return y, nil
}

// One seed gives independent streams for the parts of a computation, whoever does
// them and in whatever order.
func ExampleNewRand() {
	const seed = 1
	for _, tree := range []uint64{7, 3, 7} {
		fmt.Println(tree, mlcore.NewRand(seed, tree).IntN(1000))
	}
	// Output:
	// 7 318
	// 3 263
	// 7 318
}

// What scikit-learn does in 10 to 15 lines takes no more than 25 here, errors
// looked at.
func TestExamplesAreShort(t *testing.T) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, "example_test.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	short := map[string]bool{"Example_pipeline": false, "Example_saveAndLoad": false, "Example_draw": false}
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if _, listed := short[f.Name.Name]; !listed {
			continue
		}
		short[f.Name.Name] = true
		last := f.Body.List[len(f.Body.List)-1]
		if lines := files.Position(last.End()).Line - files.Position(f.Body.Lbrace).Line; lines > 25 {
			t.Errorf("%s has %d lines, at most 25", f.Name.Name, lines)
		}
	}
	for name, found := range short {
		if !found {
			t.Errorf("there is no %s", name)
		}
	}
}
