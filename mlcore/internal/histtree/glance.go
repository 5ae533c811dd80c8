package histtree

// A glance tells which cuts of a numeric column may be better than the best so far. Most
// are not, and that needs no division to be seen: with what stands left of a cut and
// right of it, the gain is above g where
//
//	R_l²·H_r + R_r²·H_l > (g + base)·H_l·H_r
//
// Its numbers are in units of the scale, powers of 2, so that they differ from those of
// [judge.gain] by factors alone. What rounding does to either is far less than the
// margin, and what a glance lets pass is judged by that.
type glance struct {
	// The fields up to shift are read by glance_amd64.s at these places.
	residual, curvature float64 // of the node
	l2                  float64
	need                float64 // (g + base), less the margin
	mask                uint64  // of the curvatures in the rest of an entry
	fewest, span        int64   // rows left of a cut: at least fewest, at most span more
	shift               uint64

	perScore float64 // what a score of 1 is
	ok       bool    // no bound, penalty or size of the numbers stands in the way
	small    bool    // sums have at most 50 bits
}

const (
	margin = 1e-10
	// smallRows is how many rows' sums have at most 50 bits: see newScale.
	smallRows = 1 << 20
)

func newGlance(j *judge, whole entry) glance {
	const far = 0x1p200
	in := func(v float64) bool { return v > 1/far && v < far }
	r, c := j.s.residual, j.s.curvature
	g := glance{
		residual: float64(whole.residual), curvature: float64(j.s.curvatures(whole)), l2: j.p.L2 / c,
		mask: j.s.one - 1, fewest: int64(j.p.MinLeaf), span: int64(j.whole.rows) - 2*int64(j.p.MinLeaf), shift: uint64(j.s.shift),
		perScore: c / r / r, small: j.whole.rows <= smallRows,
	}
	g.ok = j.p.L1 == 0 && j.bound == unbounded && in(r) && in(c) && g.l2 < far
	return g
}

// beat is what a gain has to be above.
func (g *glance) beat(j *judge, gain float64) {
	g.need = (max(gain, j.least) + j.base) * g.perScore * (1 - margin)
}

// next adds bins to left up to the first behind which a cut is worth judging, and
// returns the place of that, or their number where there is none.
func (g *glance) next(bins []entry, left *entry) int {
	done := 0
	if g.ok && g.small {
		var hit bool
		if done, hit = g.nextOfFours(bins, left); hit {
			return done
		}
	}
	for b := done; b < len(bins); b++ {
		left.add(bins[b])
		if g.passes(left) {
			return b
		}
	}
	return len(bins)
}

func (g *glance) passes(left *entry) bool {
	if more := int64(left.rest>>(g.shift&63)) - g.fewest; more < 0 || more > g.span {
		return false
	}
	if !g.ok {
		return true
	}
	l, lc := float64(left.residual), float64(int64(left.rest&g.mask))
	r, rc := g.residual-l, g.curvature-lc+g.l2
	lc += g.l2
	return !(float64(l*l*rc)+float64(r*r*lc) < g.need*lc*rc)
}

// bestCut improves best by the cuts behind each of the bins, with what stands left of
// them all.
func (j *judge) bestCut(best *split, column int, bins []entry, left entry, codes []uint8, missingLeft bool, monotone int8) {
	look := &j.look
	look.beat(j, best.gain)
	for b := 0; b < len(bins); b++ {
		if b += look.next(bins[b:], &left); b == len(bins) {
			return
		}
		if bins[b].rest>>(j.s.shift&63) == 0 {
			continue // the same cut again
		}
		if g := j.gain(j.s.of(left), j.p.L2, monotone); g > best.gain {
			*best = split{gain: g, column: column, bin: b, missingLeft: missingLeft, leftSum: left}
			if codes != nil {
				best.bin = int(codes[b])
			}
			look.beat(j, g)
		}
	}
}
