package cluster

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"gonum.org/v1/gonum/mat"
)

// hostile returns n rows of d columns that are hard for single precision.
func hostile(r *rand.Rand, kind string, n, d int) []float64 {
	rows := make([]float64, n*d)
	for i := range rows {
		v := r.NormFloat64()
		switch kind {
		case "few values":
			v = float64(r.IntN(3))
		case "far from 0":
			v += 1e6
		case "near ties":
			v = 1 + float64(r.IntN(3))*0x1p-26
		case "tiny":
			v *= 1e-150
		case "huge":
			v *= 1e150
		case "all sizes":
			v *= math.Exp(30 * r.NormFloat64())
		case "beyond float32":
			v *= math.Exp(40 * r.NormFloat64())
		}
		rows[i] = v
	}
	if kind == "one huge row" {
		for j := range d {
			rows[n/2*d+j] = 1e9
		}
	}
	if kind == "equal rows" {
		for i := 1; i < n; i += 2 {
			copy(rows[i*d:][:d], rows[(i-1)*d:][:d])
		}
	}
	return rows
}

var kinds = []string{"ordinary", "few values", "far from 0", "near ties", "tiny", "huge", "all sizes", "beyond float32", "one huge row", "equal rows"}

// Where single precision is beyond doubt, it finds the centre that double precision finds:
// the oracle is the greatest score in double precision, computed as the textbooks have it.
// Of ordinary rows, few are in doubt.
func TestSinglePrecisionIsRight(t *testing.T) {
	if !kernel.FastNarrow() {
		t.Skip("this processor works in double precision only")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, kind := range kinds {
		rows, doubts := 0, 0
		for _, size := range [][3]int{{100, 1, 1}, {100, 1, 30}, {150, 2, 5}, {200, 16, 26}, {60, 200, 7}, {70, 30, 300}} {
			n, d, k := size[0], size[1], size[2]
			x, centres := hostile(r, kind, n, d), hostile(r, kind, k, d)
			if k > 3 && kind != "ordinary" { // a centre amid others, and one like another
				copy(centres[d:2*d], x[:d])
				copy(centres[2*d:3*d], x[:d])
			}
			var s nearest
			s.prepare(centres, d)
			if !s.single {
				continue
			}
			var room scratch
			room.panels.makeRoom(n, d)
			for i := range n {
				room.panels.put(i, x[i*d:][:d], sumSquares(x[i*d:][:d]))
			}
			tops, marks := s.tops(&room, &room.panels, room.unknown(len(room.panels.length)))
			eachMarked(marks, n, func(i int, doubt bool) {
				rows++
				if doubt {
					doubts++
					return
				}
				best, most := 0, math.Inf(-1)
				for c := range k {
					score := -sumSquares(centres[c*d:][:d]) / 2
					for j, v := range centres[c*d:][:d] {
						score += float64(x[i*d+j] * v)
					}
					if score > most {
						best, most = c, score
					}
				}
				if got := tops[i/kernel.PanelRows].Best[i%kernel.PanelRows]; int(got) != best {
					t.Errorf("%s, %v: row %d to centre %d without a doubt, want %d", kind, size, i, got, best)
				}
			})
		}
		if kind == "ordinary" && doubts > rows/50 {
			t.Errorf("%s: %d of %d rows are in doubt", kind, doubts, rows)
		}
	}
}

// Each of 64 additions to the score of the first centre is just above half of what is
// needed to change it in single precision, and rounded up. Worked by hand: the scores are
// -1/2 + 2⁻²⁰ and -1/2 + 3·2⁻²¹, and about -1/2 + 2⁻¹⁹ and the same in single precision.
func TestScoresAreRoundedUp(t *testing.T) {
	if !kernel.FastNarrow() {
		t.Skip("this processor works in double precision only")
	}
	const d = 64
	centres, row := make([]float64, 2*d), make([]float64, d)
	for j := range row {
		centres[j], row[j] = 0.125, 0x1p-23*(1+0x1p-19)
	}
	centres[d] = math.Sqrt(1 - 3*0x1p-20)
	row[0] = 0 // what the second centre would add to its score
	var s nearest
	s.prepare(centres, d)
	var room scratch
	room.panels.makeRoom(1, d)
	room.panels.put(0, row, sumSquares(row))
	tops, marks := s.tops(&room, &room.panels, room.unknown(kernel.PanelRows))
	if top := tops[0]; top.Best[0] != 0 {
		t.Fatalf("single precision has score %v and then %v, and is right: the test is not hard", top.Most[0], top.Next[0])
	}
	eachMarked(marks, 1, func(_ int, doubt bool) {
		if !doubt {
			t.Errorf("scores %v and %v are beyond doubt, and in the wrong order", tops[0].Most[0], tops[0].Next[0])
		}
	})
}

// Lloyd's algorithm with bounds and without, in single precision where the processor is
// fast at it, ends at the same centres, to the bit, as the squared differences of every
// row from every centre, whatever the number of workers.
func TestLloydOfHostileRows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, kind := range kinds {
		for _, size := range [][3]int{{700, 1, 2}, {1500, 8, 20}, {600, 60, 40}} {
			if strings.Contains(kind, "size") || strings.Contains(kind, "float32") {
				size[2] = 1 // others would be empty
			}
			t.Run(fmt.Sprint(kind, size), func(t *testing.T) { checkLloyd(t, hostile(r, kind, size[0], size[1]), size[1], size[2]) })
		}
	}
}

// A centre beyond the range of single precision. Worked by hand: it gets no rows, and then
// the one farthest from the other, 7; the centres move to 3 and 7, where 5 is as near to
// one as to the other, 2.5 and 6.5, and 2 and 6, where that is so of 4.
func TestCentreBeyondSinglePrecision(t *testing.T) {
	X := mat.NewDense(8, 1, []float64{0, 1, 2, 3, 4, 5, 6, 7})
	m, err := KMeansConfig{Centres: mat.NewDense(2, 1, []float64{0, 1e30}), Tol: -1}.Fit(mlcore.FromMatrix[int](X, nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	centres, labels := m.centres.RawMatrix().Data, m.Labels()
	if !slices.Equal(centres, []float64{2, 6}) || !slices.Equal(labels, []int{0, 0, 0, 0, 0, 1, 1, 1}) {
		t.Errorf("centres %v, labels %v; want 2 and 6, and five rows and three", centres, labels)
	}
}

func checkLloyd(t *testing.T, rows []float64, d, k int) {
	n := len(rows) / d
	X := mat.NewDense(n, d, rows)
	// Every second row is like the one before in some data.
	first := mat.NewDense(k, d, nil)
	for c := range k {
		first.SetRow(c, X.RawRowView(2*c))
	}
	const iterations = 12
	m, err := KMeansConfig{Centres: first, Tol: -1, MaxIter: iterations, Workers: 3}.Fit(mlcore.FromMatrix[int](X, nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	// The rows as the fit works on them, and every distance of every row.
	table := newTable(mat.DenseCopyOf(X), nil, nil)
	centres := table.inside(first)
	labels := make([]int, n)
	for iteration := 0; ; iteration++ {
		changed := iteration == 0
		for i := range labels {
			best, least := 0, math.Inf(1)
			for c := range k {
				if square := squaredDistance(table.row(i), centres[c*d:][:d]); square < least {
					best, least = c, square
				}
			}
			changed = changed || labels[i] != best
			labels[i] = best
		}
		if !changed || iteration == iterations {
			break
		}
		sums := sumsInParts(table, labels, k)
		if table.bases != nil {
			sums = sumsInFull(table, labels, k)
		}
		for c := range k {
			if sums[c*(d+1)+d] == 0 {
				t.Fatal("an empty cluster, of which this knows nothing")
			}
			for j := range d {
				centres[c*d+j] = sums[c*(d+1)+j] / sums[c*(d+1)+d]
			}
		}
	}
	if want, got := table.outside(centres).RawMatrix().Data, m.centres.RawMatrix().Data; !slices.Equal(got, want) {
		t.Errorf("centres differ from those of looking at the squared differences of every row")
	}
}

// sumsInParts returns the sums of the rows in each cluster, and how many these are, as they
// come of adding up part by part.
func sumsInParts(t *table, labels []int, k int) []float64 {
	size, step := partSize(t.n), t.d+1
	sums := make([]float64, k*step)
	for lo := 0; lo < t.n; lo += size {
		part := make([]float64, k*step)
		for i := lo; i < min(t.n, lo+size); i++ {
			own := part[labels[i]*step:][:step]
			for j, v := range t.row(i) {
				own[j] += v
			}
			own[t.d]++
		}
		for at, v := range part {
			sums[at] += v
		}
	}
	return sums
}

// sumsInFull returns the same without rounding but of the sums.
func sumsInFull(t *table, labels []int, k int) []float64 {
	step := t.d + 1
	exact := make([]*big.Float, k*step)
	for at := range exact {
		exact[at] = new(big.Float).SetPrec(2200)
	}
	for i, c := range labels {
		for j, v := range t.row(i) {
			at := exact[c*step+j]
			at.Add(at, big.NewFloat(v))
		}
		at := exact[c*step+t.d]
		at.Add(at, big.NewFloat(1))
	}
	sums := make([]float64, len(exact))
	for at, sum := range exact {
		sums[at], _ = sum.Float64()
	}
	return sums
}

// What rounding may do to scores, worked by hand from the bounds that nearest documents, of
// the centres (3, 4) and (0, 1) of lengths 5 and 1, with the margin of 2⁻¹⁰ for rounding in
// the bounds themselves: let γ be n u / (1 - n u) for n = d + 3.
func TestDoubtByHand(t *testing.T) {
	for _, d := range []int{2, 1<<16 - 3} { // n u of the second is 2⁻⁸ in single precision
		centres := make([]float64, 2*d)
		centres[0], centres[1], centres[d+1] = 3, 4, 1
		for _, order := range []string{"the longest first", "the longest last"} {
			var s nearest
			s.prepare(centres, d)
			nu := float64(d+3) * 0x1p-53
			gamma := nu / (1 - nu)
			for name, v := range map[string][2]float64{
				"longest": {s.longest, 5},
				"gamma":   {s.gamma, gamma},
				"doubt":   {7 - s.doubtful(7, 2), 2 * gamma * (2*5 + 25.0/2)},
			} {
				if slack := 4 * 0x1p-52 * 7; v[0] < v[1]-slack || v[0] > 1.002*v[1]+slack {
					t.Errorf("%d columns, %s: %s is %v, want %v or a little more", d, order, name, v[0], v[1])
				}
			}
			if s.single {
				nu := float64(d+3) * 0x1p-24
				gamma := nu / (1 - nu)
				for name, v := range map[string][2]float64{"slope": {float64(s.slope), 2 * gamma * 5}, "beyond": {float64(s.beyond), 2 * gamma * 25 / 2}} {
					if v[0] < v[1] || v[0] > 1.002*v[1] {
						t.Errorf("%d columns, %s: %s is %v, want %v or a little more", d, order, name, v[0], v[1])
					}
				}
			}
			copy(centres, append(slices.Clone(centres[d:]), centres[:d]...))
		}
	}
	// Where all centres are at 0, what gets lost by underflow is left.
	var s nearest
	s.prepare(make([]float64, 6), 2)
	if lost := 5 * 0x1p-119; s.single && (float64(s.slope) < lost || float64(s.beyond) < lost || s.slope > 1e-30 || s.beyond > 1e-30) {
		t.Errorf("slope %v and %v beyond, want %v", s.slope, s.beyond, lost)
	}
	for _, square := range []float64{2, 3, 1e-20, 1e20} {
		if got, want := float64(length(square)), math.Sqrt(square); got < want || got > 1.002*want {
			t.Errorf("the length is %v at least by %v, want a little more", want, got)
		}
	}
	if got := length(math.NaN()); !math.IsInf(float64(got), 1) {
		t.Errorf("a length that is not a number is %v at most", got)
	}
}

// The scores of a row of length 1 and of the centres 2 and 0 are wrong by up to 4γ and by 0,
// half a squared distance by up to γ/2: where the scores differ by less than 4γ, the squares
// decide, in either order of the centres.
func TestSquaresSettleAnUncertainScore(t *testing.T) {
	for at, centres := range [][]float64{{2, 0}, {0, 2}} {
		var s nearest
		s.prepare(centres, 1)
		score, square := []float64{0, 0}, []float64{1, 1}
		score[at] = -s.gamma // and yet
		square[at] = 1 - 0x1p-50
		if got := s.settle(1-at, score, 1, func(k int) float64 { return square[k] }); got != at {
			t.Errorf("centres %v: %d is nearest, want %d", centres, got, at)
		}
	}
}

// A model assigns rows in double precision as in single, of one block of rows and of more.
func TestAssignInDoublePrecision(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for _, kind := range []string{"ordinary", "few values", "one huge row"} {
		for _, n := range []int{500, 1300} {
			X := mat.NewDense(n, 3, hostile(r, kind, n, 3))
			m, err := KMeansConfig{Clusters: 5, Workers: 1}.Fit(mlcore.FromMatrix[int](X, nil, nil))
			if err != nil {
				t.Fatal(err)
			}
			m.search.single = false
			if labels, inertia := m.assign(X, nil); !slices.Equal(labels, m.labels) || inertia != m.inertia {
				t.Errorf("%s, %d rows: other clusters in double precision", kind, n)
			}
		}
	}
}
