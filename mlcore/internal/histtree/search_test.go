package histtree

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// A cut is judged by its gain alone; the glance before that may only leave out what is no
// better.
func TestGlanceMissesNothing(t *testing.T) {
	rng := mlcore.NewRand(2)
	for trial := range 3000 {
		rows := 2 + rng.IntN(2000)
		bins := 2 + rng.IntN(254)
		var h [blockBins]entry
		s := newScale(rows, 1, 0.25)
		fixing := s.fixing()
		var whole entry
		missing := trial%3 == 0
		centre, slope := rng.Float64()*float64(bins), rng.NormFloat64()
		for range rows {
			b := min(bins-1, int(math.Abs(rng.NormFloat64())*float64(bins)/4))
			if missing && rng.IntN(8) == 0 {
				b = bins
			}
			r := max(-1, min(1, rng.NormFloat64()/3+slope*(float64(b)-centre)/float64(bins)))
			if trial%5 == 0 {
				r = math.Round(2*r) / 2 // ties
			}
			v := fixing.entry(Pull{float32(r), float32(0.25 * rng.Float64())})
			h[b].add(v)
			whole.add(v)
		}
		p := Params{MinLeaf: 1 + rng.IntN(30), MinCurvature: 1e-3, L2: float64(trial%4) * rng.Float64()}
		if trial%7 == 0 {
			p.L1 = 0.1
		}
		j := p.newJudge(&s, unbounded, whole)
		want := bestByGain(&j, bins, &h)
		var got split
		j.bestOfNumbers(&got, 0, h[:bins], h[bins], nil, 0)
		if got != want {
			t.Fatalf("trial %d, %d rows in %d bins: %+v, want %+v", trial, rows, bins, got, want)
		}
	}
}

// bestByGain asks for the gain of every cut.
func bestByGain(j *judge, bins int, h *[blockBins]entry) (best split) {
	none := j.s.of(h[bins]).rows == 0
	for side := range 2 {
		var left entry
		if side == 1 {
			left = h[bins]
		}
		for b := range bins {
			left.add(h[b])
			at := j.s.of(left)
			if at.rows == j.whole.rows || j.s.of(h[b]).rows == 0 || side == 1 && none {
				continue
			}
			if g := j.gain(at, j.p.L2, 0); g > best.gain {
				best = split{gain: g, bin: b, missingLeft: side == 1, leftSum: left}
				if none {
					best.missingLeft = 2*at.rows >= j.whole.rows
				}
			}
		}
	}
	return best
}

func someRows(n int) (*mat.Dense, []int, []Pull, []int32) {
	rng := mlcore.NewRand(4)
	levels := []int{0, 0, 5, 0, 40, 0, 0, 0, 0, 3, 0}
	X := mat.NewDense(n, len(levels), nil)
	pulls, rows := make([]Pull, n), make([]int32, n)
	for i := range n {
		row := X.RawRowView(i)
		for j, l := range levels {
			switch {
			case l > 0:
				row[j] = float64(rng.IntN(l))
			case j == 3:
				row[j] = float64(rng.IntN(4))
			default:
				row[j] = rng.NormFloat64()
			}
		}
		if i%11 == 0 {
			row[1] = math.NaN()
		}
		pulls[i] = Pull{float32(row[0] + row[4]/20 - 1 + rng.NormFloat64()), float32(0.1 + rng.Float64()/8)}
		rows[i] = int32(i)
	}
	return X, levels, pulls, rows
}

// However a node's best split is found, by a histogram or by its rows, by one goroutine
// or by several, the tree is the same.
func TestTheSameTreeByEveryWay(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	sizes := []int{300, 5000, 50_000}
	if testing.Short() {
		sizes = sizes[:2]
	}
	for _, n := range sizes {
		X, levels, pulls, rows := someRows(n)
		bins := Learn(X, rows, levels, 255, 1, 1)
		codes := bins.Encode(X, 1)
		for _, p := range []Params{
			{MaxLeaves: 31, MaxDepth: 100, MinLeaf: 20, MinCurvature: 1e-3},
			{MaxLeaves: 200, MaxDepth: 8, MinLeaf: 1, L2: 1, L1: 0.01, DepthWise: true, Monotone: []int8{1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
		} {
			var want *Tree
			for _, workers := range []int{1, 2, 8} {
				team := par.NewTeam(workers)
				for _, few := range []int{-1, 0, 50, math.MaxInt} {
					g := NewGrower(p, bins, codes, team)
					if few >= 0 {
						g.few = few
					}
					for range 2 { // scratch space that is left dirty would show
						got := g.Grow(rows, pulls, Worth{1, 1}, nil)
						if want == nil {
							want = got
						} else if !reflect.DeepEqual(got, want) {
							t.Errorf("%d rows, %d workers, no histogram up to %d rows: another tree", n, workers, few)
						}
					}
				}
				team.Close()
			}
			if len(want.nodes) < 20 {
				t.Errorf("%d rows: a tree of %d nodes", n, len(want.nodes))
			}
		}
	}
}

// Of columns that are copies of one another, in as many blocks as there may be, the
// first is split at, by the rule that ties go to the lowest column.
func TestCopiesOfAColumn(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	const n, d = 4000, 3*blockWidth + 1
	X, pulls, rows := mat.NewDense(n, d, nil), make([]Pull, n), make([]int32, n)
	rng := mlcore.NewRand(3)
	for i := range n {
		v := rng.NormFloat64()
		for j := range d {
			X.Set(i, j, v)
		}
		pulls[i], rows[i] = Pull{float32(v + rng.NormFloat64()), 1}, int32(i)
	}
	bins := Learn(X, rows, make([]int, d), 255, 1, 1)
	for _, workers := range []int{1, 2, 8} {
		team := par.NewTeam(workers)
		g := NewGrower(Params{MaxLeaves: 31, MaxDepth: 100, MinLeaf: 20}, bins, bins.Encode(X, 1), team)
		for _, node := range g.Grow(rows, pulls, Worth{1, 1}, nil).nodes {
			if node.column > 0 {
				t.Errorf("%d workers: a split at column %d", workers, node.column)
			}
		}
		team.Close()
	}
}

// One row that stands for several, or all of them: the same tree.
func TestMerge(t *testing.T) {
	const n = 6000
	rng := mlcore.NewRand(5)
	levels := []int{4, 3, 0, 6}
	X, y := mat.NewDense(n, 4, nil), make([]float64, n)
	for i := range n {
		few := func(n int) float64 { return math.Floor(float64(n) * math.Pow(rng.Float64(), 3)) } // some often, some seldom
		if i%10 < 7 {                                                                             // most rows are of a few kinds
			X.SetRow(i, []float64{0, 0, 0, float64(rng.IntN(2))})
		} else {
			X.SetRow(i, []float64{few(4), few(3), few(5), few(6)})
		}
		y[i] = float64(rng.IntN(2))
	}
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	bins := Learn(X, rows, levels, 255, 1, 1)
	codes := bins.Encode(X, 1)
	merged, first, times := codes.Merge(y)
	sum := int32(0)
	for _, k := range times {
		sum += k
	}
	if len(first) > 4*3*5*6*2 || len(first) < 100 || sum != n || merged.Len() != len(first) {
		t.Fatalf("%d kinds of %d rows", len(first), sum)
	}
	pull := func(i int) Pull {
		return Pull{float32(y[i] - 0.3 + X.At(i, 2)/7), float32(0.1 + y[i]/10 + X.At(i, 0)/30)}
	}
	all, some := make([]Pull, n), make([]Pull, len(first))
	for i := range all {
		all[i] = pull(i)
	}
	for k, i := range first {
		some[k] = pull(int(i))
	}
	for _, leaves := range []int{4, 31, 200} {
		for _, least := range []int{1, 5, 20, 100, 300, 600} {
			p := Params{MaxLeaves: leaves, MaxDepth: 100, MinLeaf: least}
			want := NewGrower(p, bins, codes, nil).Grow(rows, all, Worth{1, 1}, nil)
			got := NewGrower(p, bins, merged, nil).Grow(rows[:len(first)], some, Worth{1, 1}, nil)
			if !reflect.DeepEqual(got, want) || len(want.nodes) < 3 {
				t.Errorf("up to %d leaves of at least %d rows: trees of %d and %d nodes differ", leaves, least, len(got.nodes), len(want.nodes))
			}
		}
	}
	for i := range n {
		for j := range levels {
			X.Set(i, j, rng.NormFloat64())
		}
	}
	if m, _, _ := Learn(X, rows, nil, 255, 1, 1).Encode(X, 1).Merge(y); m != nil {
		t.Errorf("%d of %d rows are kept where few are alike", m.Len(), n)
	}
}

// The same of so many kinds of rows that a node is summed up in chunks.
func TestMergeOfManyKinds(t *testing.T) {
	const side, copies = 140, 4
	const kinds = side * side
	rng := mlcore.NewRand(6)
	X, y, all, rows := mat.NewDense(copies*kinds, 2, nil), make([]float64, copies*kinds), make([]Pull, copies*kinds), make([]int32, copies*kinds)
	for i := range kinds {
		pull := Pull{float32(rng.NormFloat64()), float32(0.1 + rng.Float64())}
		for at := copies * i; at < copies*(i+1); at++ {
			X.SetRow(at, []float64{float64(i % side), float64(i / side)})
			y[at], all[at], rows[at] = float64(i%2), pull, int32(at)
		}
	}
	bins := Learn(X, rows, nil, 255, 1, 1)
	codes := bins.Encode(X, 1)
	merged, first, _ := codes.Merge(y)
	if len(first) != kinds || kinds < longEnough {
		t.Fatalf("%d kinds, want %d, which are at least %d", len(first), kinds, longEnough)
	}
	some := make([]Pull, kinds)
	for k, i := range first {
		some[k] = all[i]
	}
	for _, workers := range []int{1, 3} {
		team := par.NewTeam(workers)
		p := Params{MaxLeaves: 31, MaxDepth: 100, MinLeaf: 20}
		want := NewGrower(p, bins, codes, nil).Grow(rows, all, Worth{1, 1}, nil)
		got := NewGrower(p, bins, merged, team).Grow(rows[:kinds], some, Worth{1, 1}, nil)
		if !reflect.DeepEqual(got, want) || len(want.nodes) < 3 {
			t.Errorf("%d workers: trees of %d and %d nodes differ", workers, len(got.nodes), len(want.nodes))
		}
		team.Close()
	}
}

func BenchmarkGrow(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			X, levels, pulls, rows := someRows(n)
			bins := Learn(X, rows, levels, 255, 1, 0)
			team := par.NewTeam(0)
			defer team.Close()
			g := NewGrower(Params{MaxLeaves: 31, MaxDepth: 100, MinLeaf: 20}, bins, bins.Encode(X, 0), team)
			b.ReportAllocs()
			for b.Loop() {
				g.Grow(rows, pulls, Worth{1, 1}, nil)
			}
		})
	}
}

// The code of a value is the number of limits below it.
func TestCodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{0, 1, 2, 127, 128, 254} {
		values := make([]float64, size+1)
		for i := range values {
			values[i] = math.Ldexp(rng.NormFloat64(), rng.IntN(40)-20)
		}
		values[0] = math.Copysign(0, -1)
		X := mat.NewDense(len(values), 1, append([]float64(nil), values...))
		rows := make([]int32, len(values))
		for i := range rows {
			rows[i] = int32(i)
		}
		c := &Learn(X, rows, nil, 255, 1, 1).columns[0]
		asked := append([]float64{0, math.Copysign(0, -1), math.MaxFloat64, -math.MaxFloat64, 5e-324, -5e-324}, values...)
		asked = append(asked, c.limits...)
		for _, v := range asked {
			want := 0
			for _, l := range c.limits {
				if l < v {
					want++
				}
			}
			if got := int(c.at(v)); got != want {
				t.Errorf("%d limits: the code of %v is %d, want %d", len(c.limits), v, got, want)
			}
		}
	}
}
