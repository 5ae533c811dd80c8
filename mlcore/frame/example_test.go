package frame_test

import (
	"fmt"
	"log"
	"math"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/frame"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

const fruit = `colour,size,state
red,2,ripe
green,3,raw
red,5,ripe
green,6,ripe
`

// From a CSV file to a Dataset: text becomes codes, an empty cell is a missing value.
func ExampleToDataset() {
	df := dataframe.ReadCSV(strings.NewReader(fruit + ",4,raw\n"))
	ds, err := frame.ToDataset(df, frame.Options{Label: "state"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ds.FeatureNames(), ds.Columns[0].Levels, ds.ClassNames, ds.Y)
	fmt.Println(mat.Formatted(ds.X))
	// Output:
	// [colour size] [green red] [raw ripe] [1 0 1 1 0]
	// ⎡  1    2⎤
	// ⎢  0    3⎥
	// ⎢  1    5⎥
	// ⎢  0    6⎥
	// ⎣NaN    4⎦
}

// What is in slices, such as the rows of a query, needs no frame.
func ExampleFromColumns() {
	ds, err := frame.FromColumns([]frame.Column{
		{Name: "colour", Texts: []string{"red", "green", "", "green"}},
		{Name: "size", Floats: []float64{2, 3, 5, math.NaN()}},
		{Name: "ripe", Ints: []int{1, 0, 1, 1}},
	}, frame.Options{Label: "ripe"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ds.FeatureNames(), ds.Columns[0].Levels, ds.ClassNames, ds.Y)
	fmt.Println(mat.Formatted(ds.X))
	// Output:
	// [colour size] [green red] [0 1] [1 0 1 1]
	// ⎡  1    2⎤
	// ⎢  0    3⎥
	// ⎢NaN    5⎥
	// ⎣  0  NaN⎦
}

// Rows that came later are encoded as the training rows were.
func ExampleFit() {
	train := dataframe.New(
		series.New([]string{"red", "green", "red"}, series.String, "colour"),
		series.New([]float64{2, 3, 5}, series.Float, "size"),
		series.New([]string{"ripe", "raw", "ripe"}, series.String, "state"),
	)
	test := dataframe.New(
		series.New([]string{"blue", "green"}, series.String, "colour"),
		series.New([]float64{4, 1}, series.Float, "size"),
	)
	enc, err := frame.Fit(train, frame.Options{Label: "state", Unknown: mlcore.UnknownMissing})
	if err != nil {
		fmt.Println(err)
		return
	}
	ds, err := enc.Transform(test)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(ds.Columns[0].Levels, enc.ClassNames())
	fmt.Println(mat.Formatted(ds.X))
	// Output:
	// [green red] [raw ripe]
	// ⎡NaN    4⎤
	// ⎣  0    1⎦
}

// A model knows its columns: a program that has only the model, such as one that
// loaded it from a file, can read new rows of any column order for it.
func ExampleForModel() {
	ds, err := frame.ToDataset(dataframe.ReadCSV(strings.NewReader(fruit)), frame.Options{Label: "state"})
	if err != nil {
		log.Fatal(err)
	}
	model, err := tree.Config{}.FitClassifier(ds)
	if err != nil {
		log.Fatal(err)
	}

	encoder, err := frame.ForModel(model)
	if err != nil {
		log.Fatal(err)
	}
	rows, err := encoder.Transform(dataframe.ReadCSV(strings.NewReader("size,colour\n2,green\n7,red\n")))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mlcore.PredictNames(model, rows))
	// Output: [raw ripe] <nil>
}

// A Dataset goes back into a frame, codes as the names that they stand for.
func ExampleToGota() {
	ds, err := frame.ToDataset(dataframe.ReadCSV(strings.NewReader(fruit)), frame.Options{Label: "state"})
	if err != nil {
		log.Fatal(err)
	}
	df, err := frame.ToGota(ds)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(df.Filter(dataframe.F{Colname: "colour", Comparator: series.Eq, Comparando: "red"}).Records())
	// Output: [[colour size state] [red 2.000000 ripe] [red 5.000000 ripe]]
}
