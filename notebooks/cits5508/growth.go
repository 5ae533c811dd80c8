package cits5508

import (
	_ "embed"
	"math"
	"slices"
	"sync"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/notebooks/peers"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

//go:embed growth.json
var growthFile []byte

// Growth is what "go run ./scripts/lab bench --growth notebooks/cits5508/growth.json"
// has measured: time and memory of four kinds of work, ours and a peer's.
var Growth = sync.OnceValue(func() *peers.Growth {
	g, err := peers.ParseGrowth(growthFile)
	if err != nil {
		panic(err)
	}
	return g
})

// GrowthTimes are two curves of seconds, mlcore's and the peer's, against what grows:
// rows, columns, classes or threads. Where the peer was left out its curve is shorter.
func GrowthTimes(axis peers.Axis, work string) []plotx.Series {
	ours, theirs := plotx.Series{Name: "mlcore", Dots: true}, plotx.Series{Name: "the peer", Dots: true}
	for _, p := range Growth().Along(axis, work) {
		x := float64(axis.Of(p.GrowthCase))
		ours.X, ours.Y = append(ours.X, x), append(ours.Y, p.Seconds)
		if p.LeftOut == "" {
			theirs.X, theirs.Y = append(theirs.X, x), append(theirs.Y, p.PeerSeconds)
		}
	}
	return []plotx.Series{ours, theirs}
}

// GrowthPanel draws curves of seconds against rows with both axes logarithmic, and with them
// the dashed curve of a guide that goes through the last point of the first.
func GrowthPanel(title string, guide func(rows float64) float64, curves ...plotx.Series) *plotx.Panel {
	return logLog(title, "rows m", "seconds", guided("guide", guide, curves...)...)
}

// guided adds a dashed curve f to others, moved upwards or downwards so that it goes
// through the last point of the first of them.
func guided(name string, f func(x float64) float64, curves ...plotx.Series) []plotx.Series {
	x, y := curves[0].X, curves[0].Y
	scale := y[len(y)-1] / f(x[len(x)-1])
	guide := plotx.Series{Name: name, X: x, Dashed: true}
	for _, v := range x {
		guide.Y = append(guide.Y, scale*f(v))
	}
	return append(slices.Clone(curves), guide)
}

// logLog draws curves with both axes logarithmic, some room around them, and a tick for each
// x of the first.
func logLog(title, x, y string, curves ...plotx.Series) *plotx.Panel {
	p, err := plotx.Lines(title, x, y, curves...)
	if err == nil {
		wide, high := math.Pow(p.X.Max/p.X.Min, .04), math.Pow(p.Y.Max/p.Y.Min, .04)
		p.ClipX(p.X.Min/wide, p.X.Max*wide).ClipY(p.Y.Min/high, p.Y.Max*high)
		_, err = p.LogX()
	}
	if err == nil {
		_, err = p.LogY()
	}
	if err != nil {
		panic(err)
	}
	return p.TicksAt(curves[0].X...)
}

// SlopeMargin is half of the 95 % interval of the slope of the least squares line through
// the points (log x, log y): the standard error of the slope times the quantile of
// Student's t with two degrees of freedom fewer than points. It takes the distances from
// the line for chance, and is NaN for fewer than three points, through which there is
// always a line.
func SlopeMargin(x, y []float64) float64 {
	n := len(x)
	if n < 3 {
		return math.NaN()
	}
	logX, logY := mat.NewDense(n, 1, nil), make([]float64, n)
	for i := range n {
		logX.Set(i, 0, math.Log(x[i]))
		logY[i] = math.Log(y[i])
	}
	line, err := linear.LeastSquaresConfig{}.FitRegressor(mlcore.FromMatrix(logX, logY, nil))
	if err != nil {
		return math.NaN()
	}
	t := distuv.StudentsT{Sigma: 1, Nu: float64(n - 2)}
	return t.Quantile(0.975) * line.Terms()[1].StdErr
}
