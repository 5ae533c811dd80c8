package plotx_test

import (
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/cmpimg"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/inspection"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/neural"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/mlcore/sigtest"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// TestExamples runs every example and compares the picture that it saves with the one
// in testdata, which somebody has looked at. After a change of the looks, run
// "go test ./mlcore/plotx -run TestExamples -regen" and look at all of them. The
// comparison lets smoothed edges differ a little, as they do between processors.
func TestExamples(t *testing.T) {
	for name, example := range map[string]func(){
		"bars.png":                ExampleBars,
		"windows.png":             ExampleMapOptions,
		"grades.png":              ExampleSameAxes,
		"column_matrix.png":       ExampleColumnMatrix,
		"features.png":            ExamplePanel_LogY,
		"histories.png":           ExampleSameY,
		"rounds.png":              ExamplePanel_ClipY,
		"roc_zoom.png":            ExamplePanel_ClipX,
		"roots.png":               ExampleHistograms,
		"loss_curves.png":         ExampleLowest,
		"impurity.png":            ExampleArrow,
		"alpha.png":               ExampleRule,
		"calibration.png":         ExampleCalibration,
		"class_map.png":           ExampleClassMap,
		"confusion.png":           ExampleConfusion,
		"critical_difference.png": ExampleCriticalDifference,
		"dendrogram.png":          ExampleDendrogram,
		"error_bars.png":          ExampleErrorBars,
		"grid.png":                ExampleGrid,
		"histogram.png":           ExampleHistogram,
		"history.png":             ExampleHistory,
		"learning_curve.png":      ExampleLearningCurve,
		"lines.png":               ExampleLines,
		"matrix.png":              ExampleMatrix,
		"partial_dependence.png":  ExamplePartialDependence,
		"placeholder.png":         ExamplePlaceholder,
		"precision_recall.png":    ExamplePrecisionRecall,
		"regression_tree.png":     ExampleRegressorTree,
		"roc_difference.png":      ExampleROCDifference,
		"roc.png":                 ExampleROC,
		"clusters.png":            ExampleClusters,
		"scatter.png":             ExampleScatter,
		"search_map.png":          ExampleSearchMap,
		"tree.png":                ExampleClassifierTree,
		"validation_curve.png":    ExampleValidationCurve,
	} {
		t.Run(strings.TrimSuffix(name, ".png"), func(t *testing.T) {
			t.Cleanup(func() { os.Remove(filepath.Join("testdata", name)) })
			cmpimg.CheckPlotApprox(example, t, 0.02, name)
		})
	}
}

// Examples without a line of output are compiled and not run: all are in TestExamples.
func TestEveryExampleIsRun(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	sources, seen := make([]string, len(files)), 0
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sources[i] = string(text)
	}
	all := strings.Join(sources, "\n")
	for _, match := range regexp.MustCompile(`(?m)^func (Example\w+)\(`).FindAllStringSubmatch(all, -1) {
		seen++
		if name := match[1]; !regexp.MustCompile(`: +` + name + `,`).MatchString(all) {
			t.Errorf("%s is not in the map of TestExamples: add it with the name of the picture that it saves", name)
		}
	}
	if seen < 35 {
		t.Errorf("%d examples were found", seen)
	}
}

// save ends an example: the figure becomes a file in testdata.
func save(name string, figure plotx.Figure, err error) {
	if err == nil {
		err = plotx.Save(figure, filepath.Join("testdata", name))
	}
	if err != nil {
		log.Fatal(err)
	}
}

// must stands for the handling of an error, so that the examples stay short.
func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

func iris() *mlcore.Dataset { return must(datasets.LoadDataset("iris")) }

// petals are the two columns of iris that tell most.
func petals() *mlcore.Dataset {
	ds := *iris()
	ds.X = mat.DenseCopyOf(ds.X.Slice(0, ds.Len(), 2, 4))
	ds.Columns = ds.Columns[2:]
	return &ds
}

// probabilities says whether each flower is a virginica, and how probable its
// neighbours in other folds make that.
func probabilities(k int) (truth []int, score []float64) {
	ds := iris()
	cfg := neighbors.Config{Neighbors: k}
	p := must(modelsel.CrossValPredictProba(cfg.FitClassifier, ds, modelsel.Options{}))
	for i, y := range ds.Y {
		truth = append(truth, y/2)
		score = append(score, p.Values.At(i, 2))
	}
	return truth, score
}

func ExampleBars() {
	panel, err := plotx.Bars("Accuracy on iris", "accuracy", "%.2f",
		[]string{"k-NN", "tree", "forest"},
		plotx.BarGroup{Name: "training", Values: []float64{0.97, 1.00, 1.00}},
		plotx.BarGroup{Name: "test", Values: []float64{0.96, 0.93, 0.95}})
	save("bars.png", panel, err)
}

// Fisher's flowers by Ward's method, cut into three clusters.
func ExampleDendrogram() {
	iris, err := datasets.LoadDataset("iris")
	if err != nil {
		log.Panic(err)
	}
	m, err := cluster.AgglomerativeConfig{Clusters: 3}.Fit(iris)
	if err != nil {
		log.Panic(err)
	}
	p, err := plotx.Dendrogram("Iris, 150 flowers", m, nil, 25)
	if err != nil {
		log.Panic(err)
	}
	if err := plotx.Save(p, "testdata/dendrogram.png"); err != nil {
		log.Panic(err)
	}
}

func ExampleErrorBars() {
	panel, err := plotx.ErrorBars("Accuracy over five folds", "accuracy", "%.2f",
		[]string{"k-NN", "tree", "forest"},
		plotx.ErrorBarGroup{Name: "ours", Values: []float64{0.96, 0.93, 0.95}, Err: []float64{0.02, 0.06, 0.03}},
		plotx.ErrorBarGroup{Name: "published", Values: []float64{0.95, 0.94, 0.96}})
	save("error_bars.png", panel, err)
}

func ExampleHistogram() {
	ds := iris()
	lengths := mat.Col(nil, 2, ds.X)
	panel, err := plotx.Histogram("Petals", "length in cm", lengths, ds.Y, ds.ClassNames, 20)
	save("histogram.png", panel, err)
}

func ExampleScatter() {
	panel, err := plotx.Scatter(petals(), "Petals of three species")
	save("scatter.png", panel, err)
}

func ExampleClusters() {
	ds := petals()
	model := must(cluster.DBSCANConfig{Eps: 0.2}.Fit(ds))
	panel, err := plotx.Clusters(ds, model.Labels(), "What is dense among petals")
	save("clusters.png", panel, err)
}

func ExampleClassMap() {
	ds := petals()
	model := must(neighbors.Config{Neighbors: 5}.FitClassifier(ds))
	panel, err := plotx.ClassMap(ds, model.Predict, plotx.MapOptions{Title: "Five nearest neighbours"})
	save("class_map.png", panel, err)
}

func ExampleClassifierTree() {
	model := must(tree.Config{MaxDepth: 3}.FitClassifier(iris()))
	figure, err := plotx.Tree("Iris", plotx.ClassifierTree(model, 2))
	save("tree.png", figure, err)
}

func ExampleRegressorTree() {
	ds := petals()
	ds.Target, ds.TargetName = mat.Col(nil, 1, ds.X), "petal width"
	ds.X, ds.Columns = mat.DenseCopyOf(ds.X.Slice(0, ds.Len(), 0, 1)), ds.Columns[:1]
	model := must(tree.Config{MaxDepth: 2}.FitRegressor(ds))
	figure, err := plotx.Tree("Width of a petal, by its length", plotx.RegressorTree(model, 0))
	save("regression_tree.png", figure, err)
}

func ExampleConfusion() {
	ds := iris()
	cfg := tree.Config{MaxDepth: 2}
	predicted := must(modelsel.CrossValPredict(cfg.FitClassifier, ds, modelsel.Options{}))
	panel, err := plotx.Confusion(must(metrics.ConfusionOn(ds, predicted.Values)))
	save("confusion.png", panel, err)
}

func ExampleMatrix() {
	columns := []string{"sepal length", "sepal width", "petal length", "petal width"}
	correlations := mat.NewDense(4, 4, []float64{
		1.00, -0.12, 0.87, 0.82,
		-0.12, 1.00, -0.43, -0.37,
		0.87, -0.43, 1.00, 0.96,
		0.82, -0.37, 0.96, 1.00,
	})
	panel, err := plotx.Matrix("Correlations on iris", "", "", "%.2f", columns, columns, correlations)
	save("matrix.png", panel, err)
}

func ExampleROC() {
	truth, score := probabilities(15)
	curve, err := metrics.ROC(truth, score, nil)
	if err != nil {
		log.Fatal(err)
	}
	panel, err := plotx.ROC("Is it a virginica?", plotx.NamedROC{Name: "15 nearest neighbours", Curve: curve})
	save("roc.png", panel, err)
}

func ExampleROCDifference() {
	var curves []plotx.NamedROC
	for _, k := range []int{5, 15, 45} {
		truth, score := probabilities(k)
		curves = append(curves, plotx.NamedROC{Name: fmt.Sprintf("k = %d", k), Curve: must(metrics.ROC(truth, score, nil))})
	}
	panel, err := plotx.ROCDifference("Virginica or not", 0, curves...)
	save("roc_difference.png", panel.ClipY(-0.15, 0.1), err)
}

func ExamplePrecisionRecall() {
	truth, score := probabilities(15)
	curve, err := metrics.PrecisionRecall(truth, score, nil)
	if err != nil {
		log.Fatal(err)
	}
	panel, err := plotx.PrecisionRecall("Is it a virginica?", plotx.NamedPR{Name: "15 nearest neighbours", Curve: curve})
	save("precision_recall.png", panel, err)
}

func ExampleCalibration() {
	truth, score := probabilities(15)
	curve, err := metrics.Calibration(truth, score, metrics.CalibrationConfig{Bins: 5})
	if err != nil {
		log.Fatal(err)
	}
	panel, err := plotx.Calibration("Is it a virginica?", plotx.NamedCalibration{Name: "15 nearest neighbours", Curve: curve})
	save("calibration.png", panel, err)
}

func ExampleLearningCurve() {
	cfg := tree.Config{}
	curve := must(modelsel.LearningCurve(cfg.FitClassifier, iris(), modelsel.LearningCurveOptions{}))
	panel, err := plotx.LearningCurve("A tree on iris", curve)
	save("learning_curve.png", panel, err)
}

func ExampleValidationCurve() {
	train := func(k int, ds *mlcore.Dataset) (*neighbors.Classifier, error) {
		return neighbors.Config{Neighbors: k}.FitClassifier(ds)
	}
	curve := must(modelsel.ValidationCurve(train, []int{1, 2, 4, 8, 16, 32, 64}, iris(), modelsel.Options{}))
	panel := must(plotx.ValidationCurve("Nearest neighbours on iris", "K", curve))
	panel, err := panel.LogX()
	save("validation_curve.png", panel.TicksAt(curve.X...), err)
}

func ExampleSearchMap() {
	grid := modelsel.Grid(tree.Config{},
		modelsel.Vary("depth", func(c *tree.Config, v int) { c.MaxDepth = v }, 1, 2, 3, 4),
		modelsel.Vary("rows a leaf", func(c *tree.Config, v int) { c.MinSamplesLeaf = v }, 1, 5, 10))
	found := must(modelsel.Search(tree.Config.FitClassifier, grid, iris(), modelsel.SearchOptions{}))
	panel, err := plotx.SearchMap("Trees on iris", "%.3f", found.Table)
	save("search_map.png", panel, err)
}

func ExampleHistory() {
	model := must(neural.Config{Hidden: []int{8}, LearningRate: 0.01, BatchSize: 10, Epochs: 40, ValidationFraction: 0.3, Seed: 1}.FitClassifier(iris()))
	var training, validation []float64
	for _, epoch := range model.History() {
		training, validation = append(training, epoch.Train.Loss), append(validation, epoch.Validation.Loss)
	}
	panel, err := plotx.History("A network on iris", "epoch", "loss", training, validation)
	save("history.png", panel, err)
}

func ExampleLines() {
	x := []float64{1, 2, 4, 8, 16}
	panel, err := plotx.Lines("Votes of many trees", "trees", "error",
		plotx.Series{Name: "bagging", X: x, Y: []float64{0.26, 0.24, 0.21, 0.19, 0.19}, Dots: true},
		plotx.Series{Name: "forest", X: x, Y: []float64{0.28, 0.24, 0.19, 0.17, 0.16}, Err: []float64{0.02, 0.02, 0.01, 0.01, 0.01}, Dots: true},
		plotx.Series{Name: "one tree", X: []float64{1, 16}, Y: []float64{0.25, 0.25}, Dashed: true})
	save("lines.png", panel, err)
}

func ExampleCriticalDifference() {
	errors := mat.NewDense(6, 4, []float64{
		.10, .12, .15, .21,
		.05, .04, .08, .09,
		.22, .25, .24, .31,
		.17, .18, .20, .19,
		.02, .03, .05, .06,
		.30, .33, .36, .40,
	})
	ranks := must(sigtest.FriedmanConfig{LowerIsBetter: true}.Test(errors))
	nemenyi := must(ranks.Nemenyi(0.05))
	figure, err := plotx.CriticalDifference("Four models on six data sets", []string{"forest", "boosting", "k-NN", "tree"}, ranks, nemenyi)
	save("critical_difference.png", figure, err)
}

func ExampleGrid() {
	ds := petals()
	var maps []plotx.Figure
	for _, k := range []int{1, 50} {
		model := must(neighbors.Config{Neighbors: k}.FitClassifier(ds))
		title := map[int]string{1: "One neighbour", 50: "Fifty neighbours"}[k]
		maps = append(maps, must(plotx.ClassMap(ds, model.Predict, plotx.MapOptions{Title: title})))
	}
	save("grid.png", plotx.Grid("Too few and too many", 2, maps...), nil)
}

func ExamplePlaceholder() {
	save("placeholder.png", plotx.Placeholder("Your turn", "The map appears here\nwhen Distance is done."), nil)
}

// The vote of a weak learner, with zero lines and the errors that were worked by hand.
func ExampleRule() {
	alpha := func(e float64) float64 { return math.Log((1 - e) / e) }
	curve := plotx.Series{Name: "alpha"}
	worked := plotx.Series{Name: "worked by hand", X: []float64{0.1, 0.3, 0.5}, NoLine: true}
	for i := 1; i < 100; i++ {
		e := float64(i) / 100
		curve.X, curve.Y = append(curve.X, e), append(curve.Y, alpha(e))
	}
	for _, e := range worked.X {
		worked.Y = append(worked.Y, alpha(e))
	}
	panel, err := plotx.Lines("The vote of a weak learner", "weighted error", "alpha", curve, worked)
	panel.Rules = []plotx.Rule{{At: 0}, {At: 0.5, Vertical: true}}
	save("alpha.png", panel, err)
}

// What a split gains is the distance from the curve to the chord below it: nothing for
// the tent of misclassification.
func ExampleArrow() {
	panels := make([]plotx.Figure, 2)
	for i, m := range []struct {
		name     string
		impurity func(p float64) float64
	}{
		{"Misclassification", func(p float64) float64 { return min(p, 1-p) }},
		{"Gini", func(p float64) float64 { return 2 * p * (1 - p) }},
	} {
		curve := plotx.Series{Name: "impurity"}
		for k := range 101 {
			p := float64(k) / 100
			curve.X, curve.Y = append(curve.X, p), append(curve.Y, m.impurity(p))
		}
		chord := plotx.Series{Name: "after the split", X: []float64{0, 0.5}, Y: []float64{0, m.impurity(0.5)}, Dots: true, Dashed: true}
		panel := must(plotx.Lines(m.name, "share of class 1", "impurity", curve, chord))
		if gain := m.impurity(0.3) - 0.6*m.impurity(0.5); gain > 1e-9 {
			panel.Arrows = []plotx.Arrow{{X: 0.3, From: m.impurity(0.3), To: 0.3, Text: fmt.Sprintf("gain %.2f", gain)}}
		}
		panels[i] = panel
	}
	save("impurity.png", plotx.Grid("", 2, plotx.SameAxes(panels...)...), nil)
}

// The errors after a split change from sample to sample, and several thresholds are
// equally good.
func ExampleLowest() {
	x := []float64{-4, -3, -2, -1, 0, 1, 2, 3, 4}
	first := plotx.Series{Name: "X1", X: x, Y: []float64{9, 8, 8, 6, 5, 6, 5, 7, 9}, Steps: true}
	second := plotx.Series{Name: "X2", X: x, Y: []float64{9, 6, 4, 3, 3, 4, 3, 6, 8}, Steps: true}
	first.Marks, second.Marks = plotx.Lowest(first.Y), plotx.Lowest(second.Y)
	panel, err := plotx.Lines("Errors after one split", "threshold", "errors", first, second)
	panel.Rules = []plotx.Rule{{At: 9.5, Name: "no split"}}
	save("loss_curves.png", panel.ClipY(2.5, 10), err)
}

func ExampleHistograms() {
	ds := iris()
	panels, err := plotx.Histograms("petal length in cm", mat.Col(nil, 2, ds.X), ds.Y, ds.ClassNames, 20)
	save("roots.png", plotx.Grid("", 3, panels...), err)
}

// Curves that lie close together: all of them, and the corner that matters.
func ExamplePanel_ClipX() {
	panels := make([]plotx.Figure, 2)
	for i, title := range []string{"Virginica or not", "The corner at the top left"} {
		var curves []plotx.NamedROC
		for _, k := range []int{5, 15, 45} {
			truth, score := probabilities(k)
			curves = append(curves, plotx.NamedROC{Name: fmt.Sprintf("k = %d", k), Curve: must(metrics.ROC(truth, score, nil))})
		}
		panel := must(plotx.ROC(title, curves...))
		if i == 1 {
			panel.ClipX(0, 0.2).ClipY(0.8, 1)
		}
		panels[i] = panel
	}
	save("roc_zoom.png", plotx.Grid("", 2, panels...), nil)
}

// Without the clip the first rounds would take all of the height.
func ExamplePanel_ClipY() {
	var series []plotx.Series
	for _, rate := range []float64{0.02, 0.1} {
		s := plotx.Series{Name: fmt.Sprintf("learning rate %g", rate)}
		for round := range 100 {
			s.X = append(s.X, float64(round+1))
			s.Y = append(s.Y, 0.3+0.4*math.Exp(-rate*float64(round))+0.004*rate*float64(round))
		}
		series = append(series, s)
	}
	panel, err := plotx.Lines("Rounds of boosting", "round", "log loss", series...)
	save("rounds.png", panel.ClipY(0.29, 0.4), err)
}

func ExampleSameY() {
	var panels []plotx.Figure
	for _, l2 := range []float64{0, 0.1} {
		cfg := neural.Config{Hidden: []int{8}, LearningRate: 0.01, L2: l2, BatchSize: 10, Epochs: 40, ValidationFraction: 0.3, Seed: 1}
		model := must(cfg.FitClassifier(iris()))
		var training, validation []float64
		for _, epoch := range model.History() {
			training, validation = append(training, epoch.Train.Loss), append(validation, epoch.Validation.Loss)
		}
		panels = append(panels, must(plotx.History(fmt.Sprintf("L2 %g", l2), "epoch", "cross-entropy", training, validation)))
	}
	save("histories.png", plotx.Grid("", 2, plotx.SameY(panels...)...), nil)
}

// Both axes logarithmic: the features are doubled, and one error is ten times another.
func ExamplePanel_LogY() {
	x := []float64{1, 2, 4, 8, 16}
	panel, err := plotx.Lines("Letters", "features drawn", "test error",
		plotx.Series{Name: "once per tree", X: x, Y: []float64{0.43, 0.25, 0.095, 0.048, 0.06}, Dots: true},
		plotx.Series{Name: "at each split", X: x, Y: []float64{0.056, 0.047, 0.044, 0.05, 0.06}, Dots: true, Dashed: true})
	panel = must(must(panel, err).LogX())
	panel, err = panel.LogY()
	save("features.png", panel.TicksAt(x...), err)
}

func ExampleColumnMatrix() {
	panel, err := plotx.ColumnMatrix("Accuracy, %", "", "", "%.1f",
		[]string{"tree", "forest", "naive Bayes"}, []string{"car", "mushroom", "letter"},
		mat.NewDense(3, 3, []float64{97.3, 100, 87.8, 98.2, 100, 96.7, 85.8, 99.0, 74.7}))
	save("column_matrix.png", panel, err)
}

// The values of each class beside one another, as a share of the class.
func ExampleSameAxes() {
	ds := iris()
	var panels []plotx.Figure
	for j, column := range ds.Columns {
		var series []plotx.Series
		for class, name := range ds.ClassNames {
			s := plotx.Series{Name: name, Steps: true, Dashed: class == 1}
			for cm := range 9 {
				share := 0.0
				for i, y := range ds.Y {
					if y == class && int(ds.X.At(i, j)) == cm {
						share += 1.0 / 50
					}
				}
				s.X, s.Y = append(s.X, float64(cm)), append(s.Y, share)
			}
			series = append(series, s)
		}
		panels = append(panels, must(plotx.Lines(column.Name, "cm", "share of the species", series...)))
	}
	save("grades.png", plotx.Grid("Iris by species", 2, plotx.SameAxes(panels...)...), nil)
}

// Maps of two bootstrap samples, over the axes of the data that they are drawn from,
// and classes that have plain numbers for names.
func ExampleMapOptions() {
	ds := petals()
	ds.ClassNames = []string{"0", "1", "2"}
	var maps []plotx.Figure
	for seed := range 2 {
		rng := mlcore.NewRand(uint64(seed))
		rows := make([]int, 15)
		for i := range rows {
			rows[i] = rng.IntN(ds.Len())
		}
		sample := ds.Subset(rows)
		model := must(tree.Config{}.FitClassifier(sample))
		maps = append(maps, must(plotx.ClassMap(sample, model.Predict, plotx.MapOptions{Title: fmt.Sprint("Sample ", seed), Window: ds})))
	}
	save("windows.png", plotx.Grid("", 2, maps...), nil)
}

// What makes a forest say that a flower is a virginica, and how it judges cars.
func ExamplePartialDependence() {
	flowers := iris()
	forest := must(ensemble.ForestConfig{Estimators: 40, Seed: 1}.FitClassifier(flowers))
	virginica := inspection.PartialDependenceConfig{Features: []string{"petal_length"}, Class: "virginica", Individual: true}
	length := must(virginica.Classifier(forest, flowers))
	virginica.Features, virginica.Individual, virginica.GridResolution = []string{"petal_length", "petal_width"}, false, 30
	both := must(virginica.Classifier(forest, flowers))

	species := &mlcore.Dataset{X: mat.NewDense(flowers.Len(), 2, nil), Columns: []mlcore.Column{{Name: "petal_length"}, {Name: "species", Levels: flowers.ClassNames}}}
	for i, k := range flowers.Y {
		species.X.SetRow(i, []float64{flowers.X.At(i, 2), float64(k)})
		species.Target = append(species.Target, flowers.X.At(i, 3))
	}
	species.TargetName = "petal_width"
	widths := must(ensemble.ForestConfig{Estimators: 40, Seed: 1}.FitRegressor(species))
	bySpecies := must(inspection.PartialDependenceConfig{Features: []string{"petal_length", "species"}}.Regressor(widths, species))

	cars := must(datasets.LoadDataset("car"))
	tree := must(tree.Config{}.FitClassifier(cars))
	refused := inspection.PartialDependenceConfig{Features: []string{"safety"}, Class: "unacc"}
	safety := must(refused.Classifier(tree, cars))
	refused.Features = []string{"persons", "safety"}
	persons := must(refused.Classifier(tree, cars))

	save("partial_dependence.png", plotx.Grid("", 2,
		must(plotx.PartialDependence("One feature", length)),
		must(plotx.PartialDependence("The same, each curve from 0", length.Centered())),
		must(plotx.PartialDependence("Two features", both)),
		must(plotx.PartialDependence("A numeric and a categorical feature", bySpecies)),
		must(plotx.PartialDependence("A categorical feature", safety)),
		must(plotx.PartialDependence("Two categorical features", persons)),
	), nil)
}
