package live

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// regressionFigure shows what one tree, or gradient boosting of some rounds, predicts over x.
func regressionFigure(r Request) (*Answer, error) {
	points, err := r.matrix()
	if err != nil {
		return nil, err
	}
	s, n := r.Settings, len(r.Points)
	ds := mlcore.FromMatrix(mat.DenseCopyOf(points.ColView(0)), mat.Col(nil, 1, points), nil)
	cfg := tree.Config{MaxDepth: s.MaxDepth, MinSamplesLeaf: min(s.MinSamplesLeaf, n)}
	if cfg.Criterion, err = choose("criterion", s.Criterion, []string{"squared", "absolute"}, []tree.Criterion{tree.SquaredError, tree.AbsoluteError}); err != nil {
		return nil, err
	}
	var m interface {
		Predict(X mat.Matrix) ([]float64, error)
	}
	if s.Rounds > 0 {
		m, err = ensemble.GradientBoostingConfig{Estimators: s.Rounds, LearningRate: s.LearningRate, Tree: cfg}.FitRegressor(ds)
	} else {
		m, err = cfg.FitRegressor(ds)
	}
	if err != nil {
		return nil, err
	}
	xs := mat.NewDense(r.Resolution+1, 1, nil)
	for i := range r.Resolution + 1 {
		xs.Set(i, 0, r.Window[0]+float64(float64(i)/float64(r.Resolution)*(r.Window[1]-r.Window[0])))
	}
	a := &Answer{}
	if a.Curve, err = m.Predict(xs); err != nil {
		return nil, err
	}
	on, err := m.Predict(ds.X)
	if err != nil {
		return nil, err
	}
	sum := 0.0
	for i, p := range on {
		sum += math.Pow(p-ds.Target[i], 2)
	}
	a.fact("training MSE", fmt.Sprintf("%.3f", sum/float64(n)))
	if t, ok := m.(*tree.Regressor); ok {
		a.fact("leaves", fmt.Sprint(t.NumLeaves()))
	}
	return a, nil
}

// wave is the mean squared error of w[1] sin(w[0] x) on the points, and its slopes.
func wave(points [][3]float64, w [2]float64) (loss float64, slopes [2]float64) {
	n := float64(len(points))
	for _, p := range points {
		sin, cos := math.Sincos(w[0] * p[0])
		residual := float64(w[1]*sin) - p[1]
		loss += residual * residual / n
		slopes[0] += 2 * residual * w[1] * p[0] * cos / n
		slopes[1] += 2 * residual * sin / n
	}
	return loss, slopes
}

// descentFigure shows the loss of a wave by its frequency and height, and gradient descent
// from a place on it. Momentum keeps that share of each move.
func descentFigure(r Request) (*Answer, error) {
	if _, err := r.matrix(); err != nil {
		return nil, err
	}
	s := r.Settings
	if len(s.Centres) != 1 || !finite(s.Centres) || s.Steps < 0 || s.Steps > 5000 {
		return nil, fmt.Errorf("%w: descent begins at one place and makes up to 5000 steps", mlcore.ErrConfig)
	}
	a := &Answer{}
	cells := r.cells()
	for i := range r.Resolution * r.Resolution {
		loss, _ := wave(r.Points, [2]float64(cells.RawRowView(i)))
		a.Heights = append(a.Heights, loss)
	}
	at, move := s.Centres[0], [2]float64{}
	a.Path = append(a.Path, at)
	for range s.Steps {
		_, slopes := wave(r.Points, at)
		for j := range at {
			move[j] = float64(s.Momentum*move[j]) - float64(s.LearningRate*slopes[j])
			at[j] += move[j]
		}
		if !finite([][2]float64{at}) {
			break
		}
		a.Path = append(a.Path, at)
	}
	loss, _ := wave(r.Points, at)
	a.fact("after", fmt.Sprintf("%d steps", len(a.Path)-1))
	a.fact("at", fmt.Sprintf("(%.2f, %.2f)", at[0], at[1]))
	a.fact("loss", fmt.Sprintf("%.3f", loss))
	return a, nil
}
