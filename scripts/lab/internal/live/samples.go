//go:build !js

package live

import (
	"slices"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/mat"
)

// A Sample is the points with which a figure begins, as the site's scripts read them.
type Sample struct {
	Points  [][3]float64 `json:"points"` // x, y and the class
	Classes []string     `json:"classes"`
	Window  [4]float64   `json:"window"` // that of plotx
	Axes    [2]string    `json:"axes"`
	// Centres are the first ones of k-means, if the notebook has some.
	Centres [][2]float64 `json:"centres,omitempty"`
	Surface *Surface     `json:"surface,omitempty"`
}

// A Surface is where gradient descent walks on points.
type Surface struct {
	Window [4]float64 `json:"window"`
	Axes   [2]string  `json:"axes"`
	Start  [2]float64 `json:"start"`
}

// Samples are the data of the notebooks' own figures, by name.
func Samples() (map[string]Sample, error) {
	multi, err := datasets.LoadDataset("synthetic", "Multi")
	if err != nil {
		return nil, err
	}
	binary, err := datasets.LoadDataset("synthetic", "Binary")
	if err != nil {
		return nil, err
	}
	iris, err := datasets.LoadDataset("iris")
	if err != nil {
		return nil, err
	}
	petals, err := iris.Select("petal_length", "petal_width")
	if err != nil {
		return nil, err
	}
	groups := datasets.MakeBlobs(150, mat.NewDense(3, 2, []float64{0, 0, 5, 0, 2.5, 4}), 0.8, 1)
	samples := map[string]Sample{}
	for name, ds := range map[string]*mlcore.Dataset{
		"multi": multi, "binary": binary, "petals": petals, "groups": groups,
		"moons": datasets.MakeMoons(100, 0.3, 1), "moons150": datasets.MakeMoons(150, 0.3, 1),
		"clouds": datasets.MakeClouds(60, 1, 1), "clouds200": datasets.MakeClouds(200, 0.5, 1),
	} {
		if samples[name], err = plane(ds); err != nil {
			return nil, err
		}
	}
	begun := samples["groups"]
	begun.Centres = [][2]float64{{5, 0}, {6, 0}, {6, 1}}
	samples["groups"] = begun
	samples["sine"] = line(datasets.MakeSine(80, 1))
	samples["quadratic"] = line(datasets.MakeQuadratic(200, 0.025, 1))
	wave := line(datasets.MakeNoisySine(120, 0.1, 1))
	wave.Surface = &Surface{Window: [4]float64{0, 4, -1.5, 1.5}, Axes: [2]string{"frequency", "height"}, Start: [2]float64{3, -1.2}}
	samples["wave"] = wave
	return samples, nil
}

// plane is a data set of two features and classes.
func plane(ds *mlcore.Dataset) (Sample, error) {
	p, err := plotx.Scatter(ds, "")
	if err != nil {
		return Sample{}, err
	}
	s := Sample{Window: [4]float64{p.X.Min, p.X.Max, p.Y.Min, p.Y.Max}, Axes: [2]string(ds.FeatureNames())}
	for _, key := range p.Keys {
		s.Classes = append(s.Classes, key.Text)
	}
	for i, y := range ds.Y {
		s.Points = append(s.Points, [3]float64{ds.X.At(i, 0), ds.X.At(i, 1), float64(y)})
	}
	return s, nil
}

// line is a data set of one feature and a number.
func line(ds *mlcore.Dataset) Sample {
	x := mat.Col(nil, 0, ds.X)
	s := Sample{Axes: [2]string{"x", "y"}, Window: [4]float64{slices.Min(x), slices.Max(x), slices.Min(ds.Target), slices.Max(ds.Target)}}
	for i := range x {
		s.Points = append(s.Points, [3]float64{x[i], ds.Target[i]})
	}
	for axis := range 2 { // a twentieth free on both sides
		pad := (s.Window[2*axis+1] - s.Window[2*axis]) / 20
		s.Window[2*axis] -= pad
		s.Window[2*axis+1] += pad
	}
	return s
}
