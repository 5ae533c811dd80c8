package isotonic

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
)

// OutOfBounds says what is predicted below and above the training values.
type OutOfBounds int

const (
	// Clip predicts the same as at the nearest training value. It is the default.
	Clip OutOfBounds = iota
	// Missing predicts NaN.
	Missing
)

var outOfBoundsNames = []string{"clip", "missing"}

// String names the choice.
func (o OutOfBounds) String() string {
	if o < 0 || int(o) >= len(outOfBoundsNames) {
		return fmt.Sprintf("OutOfBounds(%d)", int(o))
	}
	return outOfBoundsNames[o]
}

// Config fits a function that never falls. The zero value is usable.
type Config struct {
	// Decreasing fits one that never rises instead.
	Decreasing bool
	// OutOfBounds says what is predicted beyond the training values.
	OutOfBounds OutOfBounds
}

// FitRegressor fits the function to a Dataset of one numeric column, with its sample
// weights; rows of equal value count as one, with their mean and the sum of their
// weights. More columns are an error that wraps [mlcore.ErrShape].
func (c Config) FitRegressor(ds *mlcore.Dataset) (*Model, error) {
	return fitted.Regressor(ds, fitted.Takes{Package: "isotonic", Numbers: true}, c.fit)
}

func (c Config) fit(ds *mlcore.Dataset) (*Model, error) {
	if c.OutOfBounds != Clip && c.OutOfBounds != Missing {
		return nil, fmt.Errorf("isotonic: %w: there is no %v; use Clip or Missing", mlcore.ErrConfig, c.OutOfBounds)
	}
	if d := ds.NumFeatures(); d != 1 {
		return nil, fmt.Errorf("isotonic: %w: there are %d columns, and a function of one is fitted; choose it with Dataset.Select", mlcore.ErrShape, d)
	}
	rows := given.Weighted(ds.Weights, ds.Len())
	points := make([]point, 0, len(rows))
	for _, i := range rows {
		p := point{x: ds.X.At(i, 0), y: ds.Target[i], w: given.Weight(ds.Weights, i)}
		if c.Decreasing {
			p.y = -p.y
		}
		points = append(points, p)
	}
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Compare(a.x, b.x) })
	points = merged(points)
	pool(points)
	m := &Model{bounds: c.OutOfBounds}
	for i, p := range points {
		if p.y-p.y != 0 {
			return nil, fmt.Errorf("isotonic: %w: a mean of targets overflows; scale them down", mlcore.ErrNonFinite)
		}
		if i > 0 && i < len(points)-1 && points[i-1].y == p.y && p.y == points[i+1].y {
			continue // amid a level
		}
		if c.Decreasing {
			p.y = -p.y
		}
		m.x, m.y = append(m.x, p.x), append(m.y, p.y+0) // -0 becomes 0
	}
	return m, nil
}

// A point is a value with the mean of the targets there and their weight.
type point struct{ x, y, w float64 }

// join adds the weight and the targets of q to p.
func (p *point) join(q point) {
	p.w += q.w
	p.y += float64((q.y - p.y) * (q.w / p.w))
}

// merged makes one point of those at the same place.
func merged(points []point) []point {
	out := points[:1]
	for _, p := range points[1:] {
		if last := &out[len(out)-1]; last.x == p.x {
			last.join(p)
		} else {
			out = append(out, p)
		}
	}
	return out
}

// pool replaces the targets of the points, which are in order, by the nearest that do
// not fall: where the mean of a block is no higher than that of the block before, both
// become one.
func pool(points []point) {
	type block struct {
		point
		end int // the first point beyond it
	}
	blocks := make([]block, 0, len(points))
	for i, p := range points {
		b := block{p, i + 1}
		for len(blocks) > 0 && blocks[len(blocks)-1].y >= b.y {
			last := blocks[len(blocks)-1]
			last.join(b.point)
			last.end = b.end
			b, blocks = last, blocks[:len(blocks)-1]
		}
		blocks = append(blocks, b)
	}
	at := 0
	for _, b := range blocks {
		for ; at < b.end; at++ {
			points[at].y = b.y
		}
	}
}
