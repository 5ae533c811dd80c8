package preprocess_test

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// flats are four flats, one with a missing area.
var flats = &mlcore.Dataset{
	Name: "flats",
	X: mat.NewDense(4, 2, []float64{
		40, 0,
		60, 1,
		math.NaN(), 1,
		80, 2,
	}),
	Columns:    []mlcore.Column{{Name: "area"}, {Name: "heating", Levels: []string{"gas", "oil", "wood"}}},
	Y:          []int{0, 1, 1, 1},
	ClassNames: []string{"let", "sold"},
}

func show(t preprocess.Transformer, ds *mlcore.Dataset) {
	out, err := t.Transform(ds)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range out.Columns {
		fmt.Printf("%9s", c.Name)
	}
	fmt.Println()
	for i := range out.Len() {
		for _, v := range out.X.RawRowView(i) {
			fmt.Printf("%9.3g", v)
		}
		fmt.Println()
	}
}

func ExampleImputerConfig() {
	m, err := preprocess.ImputerConfig{}.Fit(flats)
	if err != nil {
		fmt.Println(err)
		return
	}
	show(m, flats)
	// Output:
	//      area  heating
	//        40        0
	//        60        1
	//        60        1
	//        80        2
}

func ExampleStandardScalerConfig() {
	m, err := preprocess.StandardScalerConfig{}.Fit(flats)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("mean %.1f, sd %.3f\n", m.Shift()[0], m.Scale()[0])
	show(m, flats)
	// Output:
	// mean 60.0, sd 16.330
	//      area  heating
	//     -1.22        0
	//         0        1
	//       NaN        1
	//      1.22        2
}

func ExampleMinMaxScalerConfig() {
	m, err := preprocess.MinMaxScalerConfig{Max: 10}.Fit(flats)
	if err != nil {
		fmt.Println(err)
		return
	}
	show(m, flats)
	// Output:
	//      area  heating
	//         0        0
	//         5        1
	//       NaN        1
	//        10        2
}

func ExampleDiscretizerConfig() {
	iris, err := datasets.LoadDataset("iris")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range []preprocess.DiscretizerConfig{
		{Bins: 3},
		{Bins: 3, Strategy: preprocess.QuantileBins},
		{Strategy: preprocess.MDL},
	} {
		m, err := c.Fit(iris)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %q\n", iris.Columns[2].Name, m.Columns()[2].Levels)
	}
	// Output:
	// petal_length: ["< 2.96667" "2.96667 to 4.93333" ">= 4.93333"]
	// petal_length: ["< 2.63333" "2.63333 to 4.9" ">= 4.9"]
	// petal_length: ["< 2.45" "2.45 to 4.75" ">= 4.75"]
}

// The last flat is heated with wood, which no training row is.
func ExampleOneHotConfig() {
	m, err := preprocess.OneHotConfig{}.Fit(flats.Subset([]int{0, 1, 2}))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = m.Transform(flats)
	fmt.Println(err)
	m, err = preprocess.OneHotConfig{Unknown: mlcore.UnknownIgnore}.Fit(flats.Subset([]int{0, 1, 2}))
	if err != nil {
		fmt.Println(err)
		return
	}
	show(m, flats.Subset([]int{0, 1, 3}))
	// Output:
	// preprocess: flats: unknown category: level "wood" is in no training row (set Unknown or AllLevels if that may be): in row 3, column 1 (heating)
	//      areaheating=gasheating=oil
	//        40        1        0
	//        60        0        1
	//        80        0        0
}

func ExampleOrdinalConfig() {
	m, err := preprocess.OrdinalConfig{}.Fit(flats)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Known(1), "are now numbers from 0; categorical:", m.Columns()[1].Categorical())
	// Output: [gas oil wood] are now numbers from 0; categorical: false
}

func ExamplePCAConfig() {
	iris, err := datasets.LoadDataset("iris")
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := preprocess.PCAConfig{Components: 2}.Fit(iris)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("shares of the variance: %.3f\n", m.ExplainedVarianceRatio())
	fmt.Printf("first component: %.3f\n", m.Components().RawRowView(0))
	// Output:
	// shares of the variance: [0.925 0.053]
	// first component: [0.362 -0.082 0.857 0.359]
}

// A parabola is a line in x and x^2.
func ExamplePolynomialConfig() {
	ds := mlcore.FromMatrix(mat.NewDense(4, 1, []float64{-1, 0, 1, 3}), []float64{3, 1, 3, 19}, nil) // 2x²+1
	pipeline := preprocess.PipelineConfig{
		Steps:            []preprocess.Step{preprocess.PolynomialConfig{Degree: 2}},
		RegressorLearner: mlcore.LearnRegressor(linear.LeastSquaresConfig{}.FitRegressor),
	}
	m, err := pipeline.FitRegressor(ds)
	if err != nil {
		fmt.Println(err)
		return
	}
	y, err := m.Predict(mat.NewDense(1, 1, []float64{10}))
	fmt.Printf("%.0f %v\n", y, err)
	// Output: [201] <nil>
}

func ExampleUpSampleConfig() {
	rows, err := preprocess.UpSampleConfig{Seed: 1}.Rows(flats)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(flats.ClassCounts(), "become", flats.Subset(rows).ClassCounts())
	// Output: [1 3] become [3 3]
}

func ExampleDownSampleConfig() {
	rows, err := preprocess.DownSampleConfig{Seed: 1}.Rows(flats)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(flats.ClassCounts(), "become", flats.Subset(rows).ClassCounts())
	// Output: [1 3] become [1 1]
}

// A pipeline is fitted as a whole, to training rows, and takes raw rows.
func ExamplePipelineConfig() {
	train, test := flats.Subset([]int{0, 1, 2}), flats.Subset([]int{3})
	m, err := preprocess.PipelineConfig{
		Steps: []preprocess.Step{
			preprocess.ImputerConfig{},
			preprocess.OneHotConfig{Unknown: mlcore.UnknownIgnore},
			preprocess.StandardScalerConfig{},
		},
		Learner: mlcore.LearnClassifier(neighbors.Config{Neighbors: 1}.FitClassifier),
	}.FitClassifier(train)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(mlcore.PredictNames(m, test))
	// Output: [sold] <nil>
}

// The learner is given the columns that the steps make, with their levels. Steps
// that depend on the target go into the pipeline too.
func ExamplePipelineConfig_levels() {
	iris, err := datasets.LoadDataset("iris")
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := preprocess.PipelineConfig{
		Steps:   []preprocess.Step{preprocess.DiscretizerConfig{Strategy: preprocess.MDL}},
		Learner: mlcore.LearnClassifier(bayes.CategoricalConfig{}.FitClassifier),
	}.FitClassifier(iris)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("a flower as measured:", iris.X.RawRowView(70))
	ready, err := m.TransformRows(iris.X.Slice(70, 71, 0, 4))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("as the model sees it:", ready.RawRowView(0))
	// Output:
	// a flower as measured: [5.9 3.2 4.8 1.8]
	// as the model sees it: [1 1 2 2]
}

// The same towns on training rows, by folds, and on rows that are predicted.
func ExampleTargetEncoderConfig() {
	ds := &mlcore.Dataset{
		X:          mat.NewDense(6, 1, []float64{0, 0, 0, 1, 1, 1}),
		Columns:    []mlcore.Column{{Name: "town", Levels: []string{"Leeds", "York"}}},
		TargetName: "rent",
		Target:     []float64{500, 600, 700, 900, 1000, 1100},
	}
	encoder, train, err := preprocess.TargetEncoderConfig{Splitter: modelsel.KFold{Folds: 3}}.FitTransform(ds)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("training rows %.0f\n", mat.Col(nil, 0, train.X))
	show(encoder, ds.Subset([]int{0, 3}))
	// Output:
	// training rows [700 700 555 1045 900 900]
	//      town
	//       609
	//       991
}

// The two columns of iris with the greatest F.
func ExampleSelectConfig() {
	iris, err := datasets.LoadDataset("iris")
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := preprocess.SelectConfig{K: 2}.Fit(iris)
	if err != nil {
		fmt.Println(err)
		return
	}
	for j, c := range iris.Columns {
		fmt.Printf("%-12s F %6.1f\n", c.Name, m.Scores()[j])
	}
	for _, c := range m.Columns() {
		fmt.Println("kept:", c.Name)
	}
	// Output:
	// sepal_length F  119.3
	// sepal_width  F   47.4
	// petal_length F 1179.0
	// petal_width  F  959.3
	// kept: petal_length
	// kept: petal_width
}

// How many columns of iris does a tree need?
func ExampleRFECVConfig() {
	iris, err := datasets.LoadDataset("iris")
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := preprocess.RFECVConfig{Learner: mlcore.LearnClassifier(tree.Config{MaxDepth: 3}.FitClassifier)}.Fit(iris)
	if err != nil {
		fmt.Println(err)
		return
	}
	means, _ := m.Curve().Test()
	fmt.Printf("accuracy %.3f with %v columns\n", means, m.Curve().X)
	for _, c := range m.Columns() {
		fmt.Println("kept:", c.Name)
	}
	// Output:
	// accuracy [0.940 0.947 0.940 0.940] with [1 2 3 4] columns
	// kept: petal_length
	// kept: petal_width
}

// The area that is missing becomes the mean of those of the two flats with the nearest
// rents.
func ExampleKNNImputerConfig() {
	rents := &mlcore.Dataset{
		X:       mat.NewDense(4, 2, []float64{40, 700, 60, 900, math.NaN(), 850, 80, 1400}),
		Columns: []mlcore.Column{{Name: "area"}, {Name: "rent"}},
	}
	m, err := preprocess.KNNImputerConfig{Neighbors: 2}.Fit(rents)
	if err != nil {
		fmt.Println(err)
		return
	}
	show(m, rents.Subset([]int{2}))
	// Output:
	//      area     rent
	//        50      850
}
