package plotx

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A PredictFunc gives the class code of each row of X, as the Predict method of
// every [mlcore.Classifier] does.
type PredictFunc func(X mat.Matrix) ([]int, error)

// MapOptions are the settings of [ClassMap]; the zero value is usable.
type MapOptions struct {
	// Title stands above the map; empty: the data set's name.
	Title string
	// Resolution is the number of cells along each side, 150 if 0, at most 2000. Every cell
	// is coloured by the class predicted at its centre.
	Resolution int
	// HidePoints leaves the samples out.
	HidePoints bool
	// Weights, one per row or nil, scale the area of the markers, which makes
	// boosting visible. The mean weight gives the usual size.
	Weights []float64
	// Window, if not nil, is the data set whose range the axes span instead of that of
	// the data drawn, so that maps of different samples of it can be compared.
	Window *mlcore.Dataset
}

// Scatter draws the samples of a two-feature data set with a colour and a marker
// shape for each class.
func Scatter(ds *mlcore.Dataset, title string) (*Panel, error) {
	p, err := planePanel(ds, title)
	if err != nil {
		return nil, err
	}
	return p, p.addSamples(ds, nil, Color)
}

// noise is the label of a row in no cluster.
const noise = -1

// noiseColor is lighter than any of the palette, so that clusters stand out.
var noiseColor = color.RGBA{0xb0, 0xb0, 0xb0, 0xff}

// Clusters draws the samples of a two-feature data set with a colour and a marker shape
// for each cluster: labels holds the cluster of each row, as the models of package
// cluster return it. A row in no cluster, which is cluster.Noise or -1, is drawn in grey.
// Classes of ds do not count.
func Clusters(ds *mlcore.Dataset, labels []int, title string) (*Panel, error) {
	if ds == nil {
		return nil, fmt.Errorf("plotx: %w: the data set is nil", mlcore.ErrEmpty)
	}
	if len(labels) != ds.Len() {
		return nil, fmt.Errorf("plotx: clusters: %s%w: %d labels for %d rows", given.Prefix(ds.Name), mlcore.ErrShape, len(labels), ds.Len())
	}
	grouped := mlcore.Dataset{Name: ds.Name, Columns: ds.Columns, X: ds.X, Y: slices.Clone(labels)}
	clusters := 0
	for i, label := range labels {
		if label < noise || label >= len(labels) {
			return nil, fmt.Errorf("plotx: clusters: %s%w: row %d is in cluster %d of at most %d", given.Prefix(ds.Name), mlcore.ErrLabel, i, label, len(labels))
		}
		clusters = max(clusters, label+1)
	}
	for k := range clusters {
		grouped.ClassNames = append(grouped.ClassNames, fmt.Sprint("cluster ", k))
	}
	if slices.Contains(labels, noise) {
		grouped.ClassNames = append(grouped.ClassNames, "noise")
		for i, label := range labels {
			if label == noise {
				grouped.Y[i] = clusters
			}
		}
	}
	p, err := planePanel(&grouped, title)
	if err != nil {
		return nil, err
	}
	return p, p.addSamples(&grouped, nil, func(k int) color.RGBA {
		if k == clusters {
			return noiseColor
		}
		return Color(k)
	})
}

// ClassMap draws the classes that a classifier predicts over the plane of a
// two-feature data set, with a dark line as the decision boundary and the samples on
// top. A sample whose colour differs from its ground is misclassified.
func ClassMap(ds *mlcore.Dataset, predict PredictFunc, opts MapOptions) (*Panel, error) {
	if opts.Title == "" && ds != nil {
		opts.Title = ds.Name
	}
	p, err := planePanel(ds, opts.Title)
	if err != nil {
		return nil, err
	}
	if predict == nil {
		return nil, fmt.Errorf("plotx: class map: %w: predict is nil", mlcore.ErrConfig)
	}
	if err := mlcore.CheckWeights(opts.Weights, ds.Len()); err != nil {
		return nil, fmt.Errorf("plotx: class map: %w", err)
	}
	const most = 2000 // more than a figure has pixels
	if opts.Resolution < 0 || opts.Resolution > most {
		return nil, fmt.Errorf("plotx: class map: %w: Resolution is %d; it is at most %d, and 0 for the default", mlcore.ErrConfig, opts.Resolution, most)
	}
	if opts.Window != nil {
		w, err := planePanel(opts.Window, "")
		if err != nil {
			return nil, fmt.Errorf("%w, in the window of a class map", err)
		}
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = w.X.Min, w.X.Max, w.Y.Min, w.Y.Max
	}
	res := opts.Resolution
	if res == 0 {
		res = 150
	}
	g, err := p.predictGround(predict, res)
	if err != nil {
		return nil, err
	}
	p.Add(g)
	if opts.HidePoints {
		return p, nil
	}
	return p, p.addSamples(ds, opts.Weights, Color)
}

// planePanel checks that ds can be drawn on a plane and fits the axes to it.
func planePanel(ds *mlcore.Dataset, title string) (*Panel, error) {
	switch {
	case ds == nil:
		return nil, fmt.Errorf("plotx: %w: the data set is nil", mlcore.ErrEmpty)
	case ds.NumFeatures() != 2:
		return nil, fmt.Errorf("plotx: data set %q: %w: a plane needs 2 features, the data have %d; pick two with Select", ds.Name, mlcore.ErrShape, ds.NumFeatures())
	case ds.Y == nil:
		return nil, fmt.Errorf("plotx: data set %q: %w: no class labels to colour by", ds.Name, mlcore.ErrLabel)
	}
	if err := ds.Validate(); err != nil {
		return nil, fmt.Errorf("plotx: %w", err)
	}
	if err := mlcore.CheckMatrix(ds.X, false); err != nil {
		return nil, fmt.Errorf("plotx: %s%w", given.Prefix(ds.Name), err)
	}
	p := newPanel(title, ds.Columns[0].Name, ds.Columns[1].Name)
	p.Width, p.Height = 3.5*72, 3.5*72
	p.X.Min, p.X.Max = paddedRange(mat.Col(nil, 0, ds.X))
	p.Y.Min, p.Y.Max = paddedRange(mat.Col(nil, 1, ds.X))
	return p, nil
}

// paddedRange leaves a twentieth of the range free on both sides.
func paddedRange(v []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, x := range v {
		lo, hi = min(lo, x), max(hi, x)
	}
	pad := (hi/2 - lo/2) / 10
	if pad == 0 {
		pad = 0.5
	}
	return max(lo-pad, -math.MaxFloat64), min(hi+pad, math.MaxFloat64)
}

func (p *Panel) addSamples(ds *mlcore.Dataset, weights []float64, colorOf func(class int) color.RGBA) error {
	mean := 0.0
	for _, w := range weights {
		mean += w / float64(len(weights))
	}
	for class, name := range ds.ClassNames {
		var pts plotter.XYs
		var radii []float64
		for i, y := range ds.Y {
			if y != class {
				continue
			}
			pts = append(pts, plotter.XY{X: ds.X.At(i, 0), Y: ds.X.At(i, 1)})
			r := 2.6
			if weights != nil && mean > 0 {
				r = min(2.6*math.Sqrt(weights[i]/mean), 14)
			}
			radii = append(radii, r)
		}
		p.Keys = append(p.Keys, Key{Text: legendName(name), Glyph: Glyph(class), Color: colorOf(class)})
		if len(pts) == 0 {
			continue
		}
		s, err := plotter.NewScatter(pts)
		if err != nil {
			return fmt.Errorf("plotx: %s%w", given.Prefix(ds.Name), err)
		}
		s.GlyphStyleFunc = func(i int) draw.GlyphStyle {
			return glyphStyle(class, colorOf(class), radii[i])
		}
		// Adding a scatter widens the axes for its glyphs; the range is set.
		x0, x1, y0, y1 := p.X.Min, p.X.Max, p.Y.Min, p.Y.Max
		p.Add(s)
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x0, x1, y0, y1
	}
	return nil
}

// legendName is what a legend calls a class: one whose name is a plain number is
// "class 0", which cannot be taken for a value.
func legendName(class string) string {
	if _, err := strconv.ParseFloat(class, 64); err == nil {
		return "class " + class
	}
	return class
}

func glyphStyle(shape int, c color.Color, radius float64) draw.GlyphStyle {
	return draw.GlyphStyle{Color: c, Radius: vg.Length(radius), Shape: Glyph(shape)}
}
