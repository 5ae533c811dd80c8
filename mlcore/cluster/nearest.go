package cluster

import (
	"math"
	"math/bits"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// nearest finds the nearest of some centres for many rows at a time. The score of a
// centre c is x·c - |c|²/2, which is greatest where |x-c|² is least. Scores in single
// precision tell which that is where it is beyond doubt, then those in double precision;
// see best for the rows that are in doubt even then.
//
// The doubt: let u = 2⁻²⁴ and γₙ = nu/(1-nu). With x and c rounded to float32, every
// product of x·c and the summand |c|²/2 go through at most d+3 roundings on their way to
// the score, whatever the order, fused or not, so it is wrong by at most
//
//	γₙ (Σ|xⱼcⱼ| + |c|²/2) ≤ γₙ (|x||c| + |c|²/2),  n = d+3
//
// (Higham, 2002, "Accuracy and stability of numerical algorithms", lemma 3.1 and
// section 3.1, and the inequality of Cauchy and Schwarz) plus what gets lost by
// underflow: at most 2⁻¹⁵⁰ for each rounding, which is multiplied by no more than |xⱼ| or
// |cⱼ| later on, so less than 2⁻¹²⁰ (d+3) (1 + |x| + |c|). The score in double precision
// is wrong by less than a 2⁻²⁸th of that. Let C be the length of the longest centre. If
// the greatest score exceeds the next by more than twice the bound,
//
//	2γₙ (|x|C + C²/2) + 2⁻¹¹⁹ (d+3) (1 + |x| + C),
//
// it is the greatest without rounding, and the greatest in double precision, too. What
// rounding does to the bound itself is in doubtMargin. Lengths beyond 2⁶⁰, whose
// products might overflow, are always in doubt.
type nearest struct {
	k, d      int
	transpose kernel.Matrix // d×k, with columns of zeros up to whole tiles of a product
	half      []float64     // |c|²/2
	longest   float64       // the greatest |c|
	gamma     float64       // scores in double precision are wrong by gamma (|x||c| + |c|²/2)

	single        bool // whether single precision is worth while
	scorer        kernel.Scorer
	slope, beyond float32 // scores of a row are in doubt that are within slope·|x| + beyond
}

const (
	doubtMargin = 1 + 0x1p-10
	farthest    = 0x1p60
)

func (s *nearest) prepare(centres []float64, d int) {
	s.k, s.d = len(centres)/d, d
	wide := kernel.PaddedColumns(s.k)
	if s.transpose.Rows != d || s.transpose.Cols != wide {
		s.transpose = kernel.Matrix{Data: make([]float64, d*wide), Rows: d, Cols: wide}
		s.half = make([]float64, s.k)
	}
	most := 0.0
	for k := range s.half {
		centre := centres[k*d:][:d]
		for j, v := range centre {
			s.transpose.Data[j*wide+k] = v
		}
		s.half[k] = sumSquares(centre) / 2
		most = max(most, s.half[k])
	}
	s.longest = math.Sqrt(2 * most)
	s.gamma = doubtMargin * float64(d+3) * 0x1p-53
	longest, nu := s.longest, float64(float64(d+3)*0x1p-24)
	if s.single = kernel.FastNarrow() && longest <= farthest && nu < 0.25; !s.single {
		return
	}
	gamma := doubtMargin * nu / (1 - nu)
	lost := float64(float64(d+3) * 0x1p-119)
	s.slope = float32(float64(2*gamma*longest) + lost)
	s.beyond = float32(float64(gamma*longest*longest) + float64(lost*(1+longest)))
	s.scorer.Set(centres, s.offsets(), d)
}

// offsets returns what the scores of the centres begin with.
func (s *nearest) offsets() []float64 {
	offsets := make([]float64, s.k)
	for k, half := range s.half {
		offsets[k] = -half
	}
	return offsets
}

// length returns the length of a row, at least, from its square.
func length(square float64) float32 {
	if !(square <= farthest*farthest) {
		return float32(math.Inf(1))
	}
	return float32(float64(math.Sqrt(square) * doubtMargin))
}

// best returns the nearest centre of a row of some length, the lowest on a tie, given its
// scores and what its squared distance from a centre is. Scores of a row and centres
// that are together far away from 0 have the digits of the square of how far away they
// are, which may leave none for the distance; the sum of the squared differences has all
// of its own, since it is wrong by at most gamma times itself. Where rounding leaves the
// greatest score in doubt, whichever is less wrong decides.
func (s *nearest) best(score []float64, length float64, square func(k int) float64) int {
	best := kernel.ArgMax(score)
	doubtful := s.doubtful(score[best], length)
	rivals := -1
	for _, v := range score {
		if v >= doubtful {
			rivals++
		}
	}
	if rivals <= 0 {
		return best
	}
	return s.settle(best, score, length, square)
}

// doubtful is the least score that may be as great as the greatest, but for rounding.
func (s *nearest) doubtful(most, length float64) float64 {
	return most - float64(2*s.gamma*(float64(length*s.longest)+float64(s.longest*s.longest/2)))
}

// settle is best for a row in doubt.
func (s *nearest) settle(best int, score []float64, length float64, square func(k int) float64) int {
	wrong := func(k int) float64 {
		return float64(s.gamma * (float64(length*math.Sqrt(2*s.half[k])) + s.half[k]))
	}
	doubtful := score[best] - wrong(best)
	nearest, least, most := best, math.Inf(1), 0.0
	for k, v := range score {
		if off := wrong(k); v+off >= doubtful {
			most = max(most, off)
			if is := square(k); is < least {
				nearest, least = k, is
			}
		}
	}
	// A score is wrong by so much, and half a squared distance by this.
	if most < float64(s.gamma*least/2) {
		return best
	}
	return nearest
}

// A scratch is the room that one worker needs.
type scratch struct {
	rows            []int
	gathered, score []float64
	buffer          kernel.Buffer
	panels          panels
	tops            []kernel.Top
	marks           []uint32
	moved, into     []int32 // rows, and the clusters whose sums they are added to
	none            []int32
	local           []float64
}

func newScratch() *scratch { return new(scratch) }

// unknown returns n labels of rows that have none.
func (s *scratch) unknown(n int) []int32 {
	for len(s.none) < n {
		s.none = append(s.none, -1)
	}
	return s.none[:n]
}

// panels are rows in single precision.
type panels struct {
	values []float32 // as kernel.FillPanel puts them
	length []float32 // of each row, and of what fills up the last panel
}

// makeRoom makes p that of n rows of d columns.
func (p *panels) makeRoom(n, d int) {
	p.values = grown(p.values, kernel.PanelSize(n, d))
	p.length = grown(p.length, kernel.PanelSize(n, 1))
}

func (p *panels) put(i int, row []float64, square float64) {
	kernel.FillPanel(p.values, i, row)
	p.length[i] = length(square)
}

// grown returns a slice of n elements, v itself where it has the room.
func grown[T any](v []T, n int) []T {
	if cap(v) < n {
		return make([]T, n)
	}
	return v[:n]
}

// tops finds the nearest centre of each row of the panels in single precision; see
// kernel.Scorer.
func (s *nearest) tops(room *scratch, p *panels, was []int32) ([]kernel.Top, []uint32) {
	n := len(was) / kernel.PanelRows
	room.tops, room.marks = grown(room.tops, n), grown(room.marks, n)
	s.scorer.Tops(room.tops, room.marks, p.values, was, p.length, s.slope, s.beyond)
	return room.tops, room.marks
}

// eachMarked calls f for the first n rows that have a mark, and says whether the row is
// in doubt.
func eachMarked(marks []uint32, n int, f func(i int, doubt bool)) {
	for p, mark := range marks {
		for left := uint16(mark | mark>>kernel.PanelRows); left != 0; left &= left - 1 {
			r := bits.TrailingZeros16(left)
			i := p*kernel.PanelRows + r
			if i >= n {
				return
			}
			f(i, mark>>(kernel.PanelRows+r)&1 != 0)
		}
	}
}

// scores returns n rows of scores, the first k of which count, of the rows that at
// returns.
func (s *nearest) scores(room *scratch, at func(i int) []float64, n int) kernel.Matrix {
	wide := s.transpose.Cols
	room.gathered, room.score = grown(room.gathered, n*s.d), grown(room.score, n*wide)
	for i := range n {
		copy(room.gathered[i*s.d:][:s.d], at(i))
		own := room.score[i*wide:][:wide]
		for k, half := range s.half {
			own[k] = -half
		}
	}
	score := kernel.Matrix{Data: room.score, Rows: n, Cols: wide}
	kernel.MulAdd(score, kernel.Matrix{Data: room.gathered, Rows: n, Cols: s.d}, s.transpose, &room.buffer)
	return score
}
