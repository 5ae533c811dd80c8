package co395

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/mat"
)

// LostSample returns ten samples of two classes in the plane, a question among them, a
// matrix of one row, and a figure of them with lines from the question to its five nearest
// samples. The nearest is of class 1, and all others around it are of class 0.
func LostSample() (ds *mlcore.Dataset, question *mat.Dense, figure *plotx.Panel) {
	X := mat.NewDense(10, 2, []float64{-.9, .4, .8, .5, -.5, -.8, .6, -.7, .1, 1,
		-1.2, -.3, -.1, .2, 2.6, .4, 3, -.5, 3.3, .6})
	ds = mlcore.FromMatrix(X, []int{0, 0, 0, 0, 0, 0, 1, 1, 1, 1}, nil)
	question = mat.NewDense(1, 2, []float64{0, -.1})
	figure = neighbourLines("A nearest neighbour that is noise", ds, question, 5)
	return ds, question, figure.ClipX(-1.5, 3.6).ClipY(-1.1, 1.3)
}

// ThreeNeighbours draws a question with three samples, one of class 1 at a distance of 0.5
// from it and two of class 0 at 1 and 1.2.
func ThreeNeighbours() *plotx.Panel {
	figure := neighbourLines("Three neighbours, one of them near", three(), mat.NewDense(1, 2, nil), 3)
	figure.Square = true
	return figure.ClipX(-1.3, 1.3).ClipY(-1.4, 1)
}

func three() *mlcore.Dataset {
	X := mat.NewDense(3, 2, nil)
	for i, angle := range []float64{0.4, 2.5, 4.6} {
		d := []float64{0.5, 1, 1.2}[i]
		X.SetRow(i, []float64{d * math.Cos(angle), d * math.Sin(angle)})
	}
	return mlcore.FromMatrix(X, []int{1, 0, 0}, nil)
}

// neighbourLines is a figure of the samples of ds, two features wide, and of a question,
// the first row of a matrix, with a line from it to each of its k nearest samples. It
// panics on an error, as a cell would.
func neighbourLines(title string, ds *mlcore.Dataset, question *mat.Dense, k int) *plotx.Panel {
	index, err := neighbors.Config{Neighbors: k}.Fit(ds)
	must(err)
	near, _, err := index.Neighbors(question, k)
	must(err)
	lines := plotx.Series{Name: fmt.Sprintf("to the %d nearest", k)}
	for _, i := range near[0] {
		lines.X = append(lines.X, question.At(0, 0), ds.X.At(i, 0))
		lines.Y = append(lines.Y, question.At(0, 1), ds.X.At(i, 1))
	}
	all := []plotx.Series{lines}
	for c := range ds.NumClasses() {
		dots := plotx.Series{Name: fmt.Sprint("class ", c), Dots: true, NoLine: true}
		for i, y := range ds.Y {
			if y == c {
				dots.X, dots.Y = append(dots.X, ds.X.At(i, 0)), append(dots.Y, ds.X.At(i, 1))
			}
		}
		all = append(all, dots)
	}
	all = append(all, plotx.Series{Name: "the question", Dots: true, NoLine: true,
		X: []float64{question.At(0, 0)}, Y: []float64{question.At(0, 1)}})
	p, err := plotx.Lines(title, "x1", "x2", all...)
	must(err)
	return p
}

func must(err error) {
	if err != nil {
		panic(fmt.Errorf("co395: %w", err))
	}
}
