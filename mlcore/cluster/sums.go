package cluster

import (
	"math"
	"math/bits"

	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// exactSums are the sums of the rows of each cluster without any rounding. So a row can
// leave a sum as if it had never been in it, and most iterations, in which few rows change
// their cluster, cost little; and the sums are the same in whatever order rows come.
//
// A number of column j is a whole number of units of 2^(bases[j]-1075), at most 2⁹⁶ of them,
// and 2³¹ such numbers have a sum of less than 2¹²⁷.
type exactSums struct {
	k, d   int
	step   int    // from cluster to cluster: d, up to whole cache lines
	totals []wide // by cluster and column
	bases  []int
	units  []float64 // of each column
}

// A wide is a whole number of 128 bits, with its sign.
type wide struct{ lo, hi uint64 }

// binades is by how much the exponents of the numbers of a column may differ, but for 0.
const binades = 43

// line is how many wides are in a cache line.
const line = 4

// unitsOf returns the base of each column of exact sums of the rows of t, or nil where the
// numbers of some column are of too different sizes.
func unitsOf(t *table, team *par.Team) []int {
	// The bits of a number without its sign are in the order of the numbers.
	type limits struct{ most, least []uint64 }
	parts := make([]limits, (t.n+block-1)/block)
	team.Chunks(t.n, block, func(c, lo, hi int) {
		l := limits{make([]uint64, t.d), make([]uint64, t.d)}
		for j := range l.least {
			l.least[j] = math.MaxUint64
		}
		for i := lo; i < hi; i++ {
			for j, v := range t.row(i) {
				b := math.Float64bits(v) &^ (1 << 63)
				l.most[j], l.least[j] = max(l.most[j], b), min(l.least[j], b-1) // beyond all numbers for 0
			}
		}
		parts[c] = l
	})
	bases := make([]int, t.d)
	for j := range bases {
		most, least := uint64(0), uint64(math.MaxUint64)
		for _, l := range parts {
			most, least = max(most, l.most[j]), min(least, l.least[j])
		}
		// The exponent 0 stands for numbers that have fewer digits, and for a column of zeros.
		bases[j] = max(exponent(most)-binades, 1)
		if least != math.MaxUint64 && exponent(least+1) < bases[j] {
			return nil
		}
	}
	return bases
}

// exponent is that of a float64 as it is stored.
func exponent(b uint64) int { return int(b >> 52 & 0x7ff) }

func newExactSums(k int, bases []int) *exactSums {
	d := len(bases)
	step := (d + line - 1) / line * line
	s := &exactSums{k: k, d: d, step: step, totals: make([]wide, k*step), bases: bases, units: make([]float64, d)}
	for j, base := range bases {
		s.units[j] = math.Ldexp(1, base-1075)
	}
	return s
}

// follow moves the rows that have changed their cluster, each member of the team in columns
// of its own.
func (s *exactSums) follow(l *lloyd) {
	rows := 0
	for _, p := range l.parts {
		rows += len(p.moves)
	}
	const worthwhile = 1 << 14 // numbers, below which a team takes longer to gather
	columns := s.step
	if rows*s.d >= worthwhile {
		columns = (s.step/line + l.team.Size() - 1) / l.team.Size() * line
	}
	l.team.Chunks(s.d, columns, func(_, lo, hi int) {
		for at := range l.parts {
			p := &l.parts[at]
			for _, m := range p.moves {
				s.move(int(m.from), int(p.labels[m.row]), lo, l.row(p.lo + int(m.row))[lo:hi])
			}
		}
	})
}

// move takes the numbers of a row, those of the columns from lo on, from the sums of a
// cluster, or of none, -1, and adds them to those of another.
func (s *exactSums) move(from, to, lo int, row []float64) {
	n := len(row)
	bases, sums := s.bases[lo:][:n], s.totals[to*s.step+lo:][:n]
	var carry uint64
	if from < 0 {
		for j, v := range row {
			w, a := widen(v, bases[j]), &sums[j]
			a.lo, carry = bits.Add64(a.lo, w.lo, 0)
			a.hi, _ = bits.Add64(a.hi, w.hi, carry)
		}
		return
	}
	old := s.totals[from*s.step+lo:][:n]
	for j, v := range row {
		w, a, b := widen(v, bases[j]), &sums[j], &old[j]
		a.lo, carry = bits.Add64(a.lo, w.lo, 0)
		a.hi, _ = bits.Add64(a.hi, w.hi, carry)
		b.lo, carry = bits.Sub64(b.lo, w.lo, 0)
		b.hi, _ = bits.Sub64(b.hi, w.hi, carry)
	}
}

// widen returns a number of a column as a whole number of its units.
func widen(v float64, base int) wide {
	b := math.Float64bits(v)
	shift := uint(exponent(b) - base)
	if shift > binades { // v is 0, and shift below 0
		return wide{}
	}
	sign := uint64(int64(b) >> 63)
	digits := (b&(1<<52-1) | 1<<52) ^ sign - sign
	return wide{digits << shift, uint64(int64(digits) >> 1 >> (63 - shift))}
}

// read puts the sums of each cluster, rounded, in to, where a cluster has room for one
// number more than it has columns.
func (s *exactSums) read(to []float64, team *par.Team) {
	const worthwhile = 1 << 13 // numbers, below which a team takes longer to gather
	team.Chunks(s.k, max(1, worthwhile/s.d), func(_, lo, hi int) {
		for k := lo; k < hi; k++ {
			own, exact := to[k*(s.d+1):][:s.d], s.totals[k*s.step:][:s.d]
			for j, unit := range s.units {
				own[j] = exact[j].float() * unit
			}
		}
	})
}

// float rounds n, to even on a tie. It does not branch on the sign, which changes often.
func (n wide) float() float64 {
	sign := uint64(int64(n.hi) >> 63)
	lo, carry := bits.Add64(n.lo^sign, sign&1, 0)
	hi := n.hi ^ sign + carry
	var size float64
	if hi == 0 {
		size = float64(lo)
	} else {
		zeros := uint(bits.LeadingZeros64(hi)) & 63
		top := hi<<zeros | lo>>1>>(63-zeros)
		if lo<<zeros != 0 {
			top |= 1 // which is more than 53 digits away from where it is rounded
		}
		size = float64(int64(top>>1|top&1)) * math.Float64frombits(uint64(1023+65-zeros)<<52) // 2^(65-zeros)
	}
	return math.Float64frombits(math.Float64bits(size) | sign&(1<<63))
}
