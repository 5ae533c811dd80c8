package datasets_test

import (
	"fmt"
	"strings"

	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/datasets"
)

func ExampleLoad() {
	df, err := datasets.Load("iris")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(df.Nrow(), df.Names())
	fmt.Printf("mean petal length %.3f cm\n", df.Col("petal_length").Mean())
	// Output:
	// 150 [sepal_length sepal_width petal_length petal_width class]
	// mean petal length 3.759 cm
}

func ExampleLoadDataset() {
	ds, err := datasets.LoadDataset("car")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(ds.ClassNames, ds.ClassCounts())
	fmt.Println(ds.Columns[5].Name, ds.Columns[5].Levels)
	// Output:
	// [unacc acc good vgood] [1210 384 69 65]
	// safety [low med high]
}

func ExampleLookup() {
	set, err := datasets.Lookup("ecoli")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s, %d rows, %s\n", set.Title, set.Rows(), set.Licence)
	// Output: Ecoli, 336 rows, CC BY 4.0
}

func ExampleReadCSV() {
	columns := []datasets.Column{{Name: "X1", Type: series.Float}, {Name: "Multi", Type: series.Int}}
	_, err := datasets.ReadCSV(strings.NewReader("X1,X2,Multi\n1.5,2,0\n0.5,1,two\n"), columns...)
	fmt.Println(err)
	// Output: line 3, column "Multi" (field 3): bad column: "two" is not a whole number
}

func ExampleMakeMoons() {
	ds := datasets.MakeMoons(200, 0.1, 1)
	fmt.Println(ds.Name, ds.Len(), ds.FeatureNames(), ds.ClassCounts())
	// Output: Moons 200 [X1 X2] [100 100]
}
