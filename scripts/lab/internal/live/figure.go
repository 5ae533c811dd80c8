package live

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// A Request is a figure as it stands on the page.
type Request struct {
	// Figure names the model; see [Answer].
	Figure string `json:"figure"`
	// Points are the samples: x, y and, where the figure has classes, the class.
	Points [][3]float64 `json:"points"`
	// Classes is their number; all have a name on the page, also those without points.
	Classes int `json:"classes"`
	// Window is what the figure shows: least and greatest x, least and greatest y.
	Window [4]float64 `json:"window"`
	// Resolution is the number of cells along each side of a map, or of steps of a curve.
	Resolution int      `json:"resolution"`
	Settings   Settings `json:"settings"`
}

// Settings are those of all figures; each looks at its own. Their names in JSON are those of
// the page's controls.
type Settings struct {
	Neighbors      int          `json:"neighbors,omitempty"`
	Metric         string       `json:"metric,omitempty"`  // of neighbors: euclidean, manhattan or chebyshev
	Weights        string       `json:"weights,omitempty"` // of neighbors: uniform, distance or gaussian
	MaxDepth       int          `json:"maxDepth,omitempty"`
	MinSamplesLeaf int          `json:"minSamplesLeaf,omitempty"`
	Criterion      string       `json:"criterion,omitempty"`   // gini, entropy or misclassification; of numbers squared or absolute
	Rule           string       `json:"rule,omitempty"`        // of a tree: at-most or at-least
	Voting         string       `json:"voting,omitempty"`      // of a forest: soft or hard
	MaxFeatures    string       `json:"maxFeatures,omitempty"` // of a forest: sqrt or all
	Alpha          float64      `json:"alpha,omitempty"`       // of cost-complexity pruning
	Estimators     int          `json:"estimators,omitempty"`
	Rounds         int          `json:"rounds,omitempty"`
	LearningRate   float64      `json:"learningRate,omitempty"`
	C              float64      `json:"c,omitempty"`
	Gamma          float64      `json:"gamma,omitempty"`
	Hidden         int          `json:"hidden,omitempty"` // units of each hidden layer
	Layers         int          `json:"layers,omitempty"`
	Epochs         int          `json:"epochs,omitempty"`
	Momentum       float64      `json:"momentum,omitempty"`
	Steps          int          `json:"steps,omitempty"`
	Centres        [][2]float64 `json:"centres,omitempty"`
	Seed           uint64       `json:"seed,omitempty"`
}

// An Answer is what a figure draws and says.
type Answer struct {
	// Map holds the class of each cell, row by row from the top left, each a digit.
	Map string `json:"map,omitempty"`
	// Wrong are the points, by their places in Points, that get another class.
	Wrong []int `json:"wrong,omitempty"`
	// Sizes, if not nil, are how much each point counts, with mean 1.
	Sizes []float64 `json:"sizes,omitempty"`
	// Rings are points that stand out: support vectors.
	Rings []int `json:"rings,omitempty"`
	// Labels are the clusters of the points, and Centres theirs.
	Labels  []int        `json:"labels,omitempty"`
	Centres [][2]float64 `json:"centres,omitempty"`
	// Curve holds y over equal steps of x from edge to edge.
	Curve []float64 `json:"curve,omitempty"`
	// Heights are those of a surface over the cells, as in Map, and Path the steps on it.
	Heights []float64    `json:"heights,omitempty"`
	Path    [][2]float64 `json:"path,omitempty"`
	// Facts are numbers to be shown beside the figure, and Done says that more steps would
	// change nothing.
	Facts []Fact `json:"facts"`
	Done  bool   `json:"done,omitempty"`
}

// A Fact is a number with a name.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// ErrUnknown says that there is no such figure, or no such choice of a setting.
var ErrUnknown = errors.New("unknown")

// figures are those that there are.
var figures = map[string]func(Request) (*Answer, error){
	"neighbors":  neighborsFigure,
	"tree":       treeFigure,
	"forest":     forestFigure,
	"adaboost":   adaBoostFigure,
	"svm":        svmFigure,
	"network":    networkFigure,
	"kmeans":     kmeansFigure,
	"regression": regressionFigure,
	"descent":    descentFigure,
}

// Limits of a request; more is an error.
const (
	mostPoints     = 2000
	mostResolution = 300
)

// Figure computes a figure. What cannot be computed, such as a model of no points, is an
// error in words for the reader.
func Figure(r Request) (*Answer, error) {
	f, ok := figures[r.Figure]
	switch {
	case !ok:
		return nil, fmt.Errorf("%w: the figure %q", ErrUnknown, r.Figure)
	case len(r.Points) > mostPoints:
		return nil, fmt.Errorf("%w: %d points, at most %d", mlcore.ErrShape, len(r.Points), mostPoints)
	case r.Resolution < 1 || r.Resolution > mostResolution:
		return nil, fmt.Errorf("%w: resolution %d; it is from 1 to %d", mlcore.ErrConfig, r.Resolution, mostResolution)
	case r.Classes < 0 || r.Classes > 10:
		return nil, fmt.Errorf("%w: %d classes; a map shows up to 10", mlcore.ErrConfig, r.Classes)
	case !(r.Window[0] < r.Window[1] && r.Window[2] < r.Window[3]):
		return nil, fmt.Errorf("%w: the window %v is empty", mlcore.ErrConfig, r.Window)
	}
	return f(r)
}

// classified is the points as a data set of classes.
func (r Request) classified() (*mlcore.Dataset, error) {
	y := make([]int, len(r.Points))
	for i, p := range r.Points {
		y[i] = int(p[2])
	}
	X, err := r.matrix()
	if err != nil {
		return nil, err
	}
	ds := mlcore.FromMatrix(X, y, nil)
	ds.ClassNames = nil
	for c := range r.Classes {
		ds.ClassNames = append(ds.ClassNames, fmt.Sprint(c))
	}
	return ds, ds.Validate()
}

func (r Request) matrix() (*mat.Dense, error) {
	if len(r.Points) == 0 {
		return nil, fmt.Errorf("%w: there are no points", mlcore.ErrEmpty)
	}
	X := mat.NewDense(len(r.Points), 2, nil)
	for i, p := range r.Points {
		X.SetRow(i, p[:2])
	}
	return X, nil
}

// cells are the centres of the cells of the map, as plotx computes them.
func (r Request) cells() *mat.Dense {
	n, w := r.Resolution, r.Window
	X := mat.NewDense(n*n, 2, nil)
	dx, dy := (w[1]-w[0])/float64(n), (w[3]-w[2])/float64(n)
	for row := range n {
		for column := range n {
			X.Set(row*n+column, 0, w[0]+float64((float64(column)+0.5)*dx))
			X.Set(row*n+column, 1, w[3]-float64((float64(row)+0.5)*dy))
		}
	}
	return X
}

// digits writes classes as one digit each.
func digits(classes []int) string {
	text := make([]byte, len(classes))
	for i, c := range classes {
		text[i] = '0' + byte(c)
	}
	return string(text)
}

// classMap is the answer of a classifier: its map, and which points it gets wrong.
func (r Request) classMap(ds *mlcore.Dataset, predict func(mat.Matrix) ([]int, error)) (*Answer, error) {
	classes, err := predict(r.cells())
	if err != nil {
		return nil, err
	}
	on, err := predict(ds.X)
	if err != nil {
		return nil, err
	}
	a := &Answer{Map: digits(classes)}
	for i, c := range on {
		if c != ds.Y[i] {
			a.Wrong = append(a.Wrong, i)
		}
	}
	a.fact("training error", fmt.Sprintf("%.1f%% (%d of %d)", 100*float64(len(a.Wrong))/float64(ds.Len()), len(a.Wrong), ds.Len()))
	return a, nil
}

func (a *Answer) fact(name, value string) { a.Facts = append(a.Facts, Fact{name, value}) }

// choose finds a setting by its name; "" is the first.
func choose[T any](setting, name string, names []string, values []T) (T, error) {
	if name == "" {
		return values[0], nil
	}
	if i := slices.Index(names, name); i >= 0 {
		return values[i], nil
	}
	var none T
	return none, fmt.Errorf("%w: %s %q; there are %q", ErrUnknown, setting, name, names)
}

func finite(points [][2]float64) bool {
	for _, p := range points {
		if math.IsNaN(p[0]+p[1]) || math.IsInf(p[0]+p[1], 0) {
			return false
		}
	}
	return true
}
