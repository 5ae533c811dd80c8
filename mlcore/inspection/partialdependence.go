package inspection

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// PartialDependenceConfig says how the partial dependence of a model on one or two
// features is taken (Friedman, 2001, "Greedy function approximation: a gradient boosting
// machine", section 8.2): at each point of a grid of their values, the features are set to
// the point in all rows of a Dataset, and the predictions averaged, weighted where the
// rows have weights. It works with any model; where a feature depends on others, some
// points stand for rows that do not exist.
//
// The grid of a numeric feature has its distinct values where there are fewer than
// GridResolution, and otherwise that many values at equal distances between the two
// Percentiles. That of a categorical feature has the categories that occur. Missing
// values and unknown categories of the features themselves make no point, and rows of
// weight 0 do not count.
type PartialDependenceConfig struct {
	// Features names one column or two.
	Features []string
	// Class names the class of a classifier whose probability is followed; "" means the
	// second of two classes.
	Class string
	// LogOdds follows log(p / (1-p)) in the place of the probability p. The mean is then
	// taken of the log odds, as scikit-learn takes it of decision functions.
	LogOdds bool
	// GridResolution is the greatest number of values of a numeric feature, at least 2; 0
	// means 100.
	GridResolution int
	// Percentiles are the shares of the rows below the least and the greatest value of the
	// grid; the zero value means 0.05 and 0.95.
	Percentiles [2]float64
	// Individual keeps the predictions of single rows.
	Individual bool
	// Workers is the greatest number of goroutines; 0 means one per processor. The model
	// has to be safe for concurrent use unless it is 1.
	Workers int
}

// An Axis is a feature and its values on the grid.
type Axis struct {
	// Column describes the feature.
	Column mlcore.Column
	// Values are those of the grid, ascending; level codes of a categorical feature.
	Values []float64
	// Deciles are the nine deciles of a numeric feature in the Dataset, which tell where
	// rows are; nil for a categorical one.
	Deciles []float64
}

// Names returns the categories of a categorical feature on the grid, nil for a numeric
// one.
func (a Axis) Names() []string {
	if !a.Column.Categorical() {
		return nil
	}
	names := make([]string, len(a.Values))
	for i, v := range a.Values {
		names[i] = a.Column.Levels[int(v)]
	}
	return names
}

// A PartialDependence is what a model predicts along one feature or two.
type PartialDependence struct {
	// Response says in words what is followed, such as "probability of yes".
	Response string
	// Axes holds an entry for each feature.
	Axes []Axis
	// Average holds the mean at each point of the grid. With two features the values of
	// the second vary fastest: place i·len(Axes[1].Values) + j is that of value i of the
	// first and j of the second.
	Average []float64
	// Individual is n×len(Average), a row for each row of the Dataset whose weight is not
	// 0; nil unless it was asked for.
	Individual *mat.Dense
}

// NumFeatures returns the number of Axes.
func (d *PartialDependence) NumFeatures() int { return len(d.Axes) }

// Feature returns the name of feature i, its Values and Deciles, and the names of its
// categories on the grid, nil if it is numeric. Package plotx labels its axes with them.
func (d *PartialDependence) Feature(i int) (name string, values, deciles []float64, categories []string) {
	a := d.Axes[i]
	return a.Column.Name, a.Values, a.Deciles, a.Names()
}

// Predictions returns Response, Average and Individual, which package plotx draws.
func (d *PartialDependence) Predictions() (response string, average []float64, individual *mat.Dense) {
	return d.Response, d.Average, d.Individual
}

// Centered returns the same with each curve moved so that it begins at 0: individual
// curves of rows on which the feature has the same effect then coincide (Goldstein et
// al., 2015, "Peeking inside the black box"). A change beyond the range of float64 is
// infinite, and plotx.PartialDependence says so.
func (d *PartialDependence) Centered() *PartialDependence {
	out := *d
	out.Response = "change of " + d.Response
	out.Average = slices.Clone(d.Average)
	move(out.Average)
	if d.Individual != nil {
		out.Individual = mat.DenseCopyOf(d.Individual)
		n, _ := out.Individual.Dims()
		for i := range n {
			move(out.Individual.RawRowView(i))
		}
	}
	return &out
}

func move(curve []float64) {
	if len(curve) == 0 { // of a zero value
		return
	}
	first := curve[0]
	for g := range curve {
		curve[g] -= first
	}
}

// Regressor takes the partial dependence of a regressor on the rows of ds, which are
// brought into the form that the model was fitted to. They need no targets.
func (c PartialDependenceConfig) Regressor(m mlcore.Regressor, ds *mlcore.Dataset) (*PartialDependence, error) {
	if c.Class != "" || c.LogOdds {
		return nil, configError("Class and LogOdds are for classifiers")
	}
	ds, err := c.ready(m, ds)
	if err != nil {
		return nil, err
	}
	response := "prediction"
	if ds.TargetName != "" {
		response = ds.TargetName
	}
	return c.follow(ds, response, m.Predict)
}

// Classifier takes the partial dependence of a class probability on the rows of ds, which
// are brought into the form that the model was fitted to. They need no labels.
func (c PartialDependenceConfig) Classifier(m mlcore.ProbClassifier, ds *mlcore.Dataset) (*PartialDependence, error) {
	ds, err := c.ready(m, ds)
	if err != nil {
		return nil, err
	}
	names := ds.ClassNames
	if s := schema(m); s != nil {
		names = s.ClassNames
	}
	class := 1
	switch {
	case c.Class != "":
		if class = slices.Index(names, c.Class); class < 0 || class >= m.NumClasses() {
			return nil, fmt.Errorf("inspection: %s%w: no class %q; there are %q", given.Prefix(ds.Name), mlcore.ErrLabel, c.Class, names)
		}
	case m.NumClasses() != 2:
		return nil, configError("there are %d classes, %q; say by Class which one's probability to follow", m.NumClasses(), names)
	}
	response := fmt.Sprintf("class %d", class)
	if class < len(names) {
		response = names[class]
	}
	if c.LogOdds {
		response = "log odds of " + response
	} else {
		response = "probability of " + response
	}
	return c.follow(ds, response, func(X mat.Matrix) ([]float64, error) {
		proba, err := m.PredictProba(X)
		if err != nil {
			return nil, err
		}
		p := mat.Col(nil, class, proba)
		if c.LogOdds {
			for i := range p {
				if p[i], err = logOdds(proba.RawRowView(i), class); err != nil {
					return nil, fmt.Errorf("row %d: %w", i, err)
				}
			}
		}
		return p, nil
	})
}

// logOdds returns log(p / (1-p)) for the probability p of a class.
func logOdds(proba []float64, class int) (float64, error) {
	others := 0.0
	for k, p := range proba {
		if k != class {
			others += p
		}
	}
	odds := proba[class] / others
	if !(odds > 0) || math.IsInf(odds, 1) {
		return 0, fmt.Errorf("%w: a probability of %v has no finite log odds; leave LogOdds out", mlcore.ErrNonFinite, proba[class])
	}
	return elementary.Log(odds), nil
}

func schema(m any) *mlcore.Schema {
	if d, ok := m.(mlcore.Described); ok {
		return d.Schema()
	}
	return nil
}

// ready checks the settings and the data, and returns these as m takes them, without rows
// of weight 0.
func (c PartialDependenceConfig) ready(m interface{ NumFeatures() int }, ds *mlcore.Dataset) (*mlcore.Dataset, error) {
	lo, hi := c.percentiles()
	switch {
	case len(c.Features) != 1 && len(c.Features) != 2:
		return nil, configError("Features names %d columns; it is one or two", len(c.Features))
	case len(c.Features) == 2 && c.Features[0] == c.Features[1]:
		return nil, configError("Features names %q twice", c.Features[0])
	case c.GridResolution < 0 || c.GridResolution == 1 || c.GridResolution > maxPoints:
		return nil, configError("GridResolution is %d; it is 2 to %d", c.GridResolution, maxPoints)
	case !(lo >= 0 && lo < hi && hi <= 1):
		return nil, configError("Percentiles are %v and %v; they are shares from 0 to 1, the lower one first", lo, hi)
	case given.IsNil(m) || m.NumFeatures() == 0:
		return nil, fmt.Errorf("inspection: %w", mlcore.ErrNotFitted)
	case ds == nil:
		return nil, fmt.Errorf("inspection: %w: the Dataset is nil", mlcore.ErrEmpty)
	}
	rows := *ds
	rows.Y = nil // neither labels nor targets are asked for
	rows.Target = nil
	if err := rows.Validate(); err != nil {
		return nil, fmt.Errorf("inspection: %w", err)
	}
	out := &rows
	if s := schema(m); s != nil {
		var err error
		if out, err = rows.Align(s); err != nil {
			return nil, fmt.Errorf("inspection: %w", err)
		}
		if s.TargetName != "" {
			out.TargetName = s.TargetName
		}
	}
	if err := mlcore.CheckFeatures(out.X, m.NumFeatures()); err != nil {
		return nil, fmt.Errorf("inspection: %w", err)
	}
	if slices.Contains(out.Weights, 0) {
		out = out.Subset(given.Weighted(out.Weights, out.Len()))
	}
	return out, nil
}

// maxPoints and maxGrid bound what a wrong setting may ask for.
const (
	maxPoints     = 1 << 16
	maxGrid       = 1 << 24
	defaultPoints = 100
)

func (c PartialDependenceConfig) percentiles() (lo, hi float64) {
	if c.Percentiles == [2]float64{} {
		return 0.05, 0.95
	}
	return c.Percentiles[0], c.Percentiles[1]
}

// follow asks for the response at every point of the grid.
func (c PartialDependenceConfig) follow(ds *mlcore.Dataset, response string, ask func(X mat.Matrix) ([]float64, error)) (*PartialDependence, error) {
	out := &PartialDependence{Response: response, Axes: make([]Axis, len(c.Features))}
	places, points := make([]int, len(c.Features)), 1
	for f, name := range c.Features {
		j, err := place(ds, name)
		if err != nil {
			return nil, err
		}
		if out.Axes[f], err = c.axis(ds, j); err != nil {
			return nil, err
		}
		places[f] = j
		points *= len(out.Axes[f].Values)
	}
	if points > maxGrid {
		return nil, configError("a grid of %d points is too large; lower GridResolution", points)
	}
	n := ds.Len()
	out.Average = make([]float64, points)
	if c.Individual {
		out.Individual = mat.NewDense(n, points, nil)
	}
	copied := func() *mat.Dense { return mat.DenseCopyOf(ds.X) }
	err := par.DoWith(points, c.Workers, copied, func(X *mat.Dense, g int) error {
		rest := g
		for f := len(places) - 1; f >= 0; f-- {
			values := out.Axes[f].Values
			for i := range n {
				X.Set(i, places[f], values[rest%len(values)])
			}
			rest /= len(values)
		}
		predicted, err := ask(X)
		if err == nil && len(predicted) != n {
			err = fmt.Errorf("%w: the model answered for %d of %d rows", mlcore.ErrShape, len(predicted), n)
		}
		if err != nil {
			return fmt.Errorf("inspection: at point %d of the grid: %w", g, err)
		}
		if c.Individual {
			out.Individual.SetCol(g, predicted)
		}
		out.Average[g] = given.Mean(predicted, ds.Weights)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// place returns where the named column is.
func place(ds *mlcore.Dataset, name string) (int, error) {
	found := -1
	for j, c := range ds.Columns {
		if c.Name == name && found >= 0 {
			return 0, fmt.Errorf("inspection: %s%w: there are two columns %q", given.Prefix(ds.Name), mlcore.ErrColumn, name)
		}
		if c.Name == name {
			found = j
		}
	}
	if found < 0 {
		return 0, fmt.Errorf("inspection: %s%w: no column %q; there are %q", given.Prefix(ds.Name), mlcore.ErrColumn, name, ds.FeatureNames())
	}
	return found, nil
}

// axis returns the grid of column j.
func (c PartialDependenceConfig) axis(ds *mlcore.Dataset, j int) (Axis, error) {
	a := Axis{Column: ds.Columns[j]}
	var v []float64
	for i := range ds.Len() {
		x := ds.X.At(i, j)
		if x != x || a.Column.Categorical() && int(x) >= len(a.Column.Levels) {
			continue // see mlcore.UnknownIgnore
		}
		v = append(v, x)
	}
	if len(v) == 0 {
		return a, fmt.Errorf("inspection: %s%w: column %d (%s) has no value", given.Prefix(ds.Name), mlcore.ErrEmpty, j, a.Column.Name)
	}
	slices.Sort(v)
	if !a.Column.Categorical() {
		for d := 1; d <= 9; d++ {
			a.Deciles = append(a.Deciles, quantile(v, float64(d)/10))
		}
	}
	points := c.GridResolution
	if points == 0 {
		points = defaultPoints
	}
	distinct := slices.Compact(slices.Clone(v))
	if a.Column.Categorical() || len(distinct) < points {
		a.Values = distinct
		return a, nil
	}
	lo, hi := c.percentiles()
	from, to := quantile(v, lo), quantile(v, hi)
	if !(from < to) {
		return a, fmt.Errorf("inspection: %s%w: the Percentiles %v and %v of column %d (%s) are both %v; choose them further apart, or a GridResolution above the number of its values, %d", given.Prefix(ds.Name), mlcore.ErrConfig, lo, hi, j, a.Column.Name, from, len(distinct))
	}
	// Halves, so that the range cannot overflow.
	step := (float64(to/2) - float64(from/2)) / float64(points-1)
	wide := math.IsInf(to-from, 0)
	for g := range points {
		v := from + float64(2*float64(g)*step)
		if wide { // then twice the step times g may be infinite too
			v = given.Between(from, to, float64(g)/float64(points-1))
		}
		a.Values = append(a.Values, v)
	}
	a.Values[points-1] = to
	return a, nil
}

// quantile returns the q-quantile of sorted values as scipy's mquantiles takes it, with
// its plotting positions (0.4, 0.4).
func quantile(v []float64, q float64) float64 {
	n := float64(len(v))
	at := float64(n*q) + 0.4 + float64(0.2*q)
	k := math.Floor(min(max(at, 1), n-1))
	share := min(max(at-k, 0), 1)
	if len(v) == 1 {
		return v[0]
	}
	low, high := v[int(k)-1], v[int(k)]
	return float64((1-share)*low) + float64(share*high)
}

func configError(format string, args ...any) error {
	return fmt.Errorf("inspection: %w: "+format, append([]any{mlcore.ErrConfig}, args...)...)
}
