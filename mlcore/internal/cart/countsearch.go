package cart

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// chainFactor says when a node is searched row by row: where a histogram could
// have more than this many cells for each row. Measured on Letter.
const chainFactor = 8

// searchBatch puts in found what it finds on at most batchSize features.
func (c *countSplitter) searchBatch(s *countScratch, feats []int, found []split) {
	if t := c.hists; t != nil {
		for k, j := range feats {
			c.scanCounts(&found[k], s, j, [4]uint64{t.populated[j]}, c.stock.of(t, j), true)
		}
		return
	}
	if c.batched() {
		s.batch.enter(c.present)
		populated := s.batch.fill(c.byRow, c.rows, feats)
		for k, j := range feats {
			c.scanFeature(&found[k], &s.batch, k, j, populated[k])
		}
		return
	}
	quick := c.bins <= 64 && min(c.bins, len(c.rows))*len(c.present) <= chainFactor*len(c.rows)
	if quick && len(feats) == batchSize {
		populated := c.fillBatch(c.rows, &s.hist, [batchSize]int(feats))
		for k, j := range feats {
			c.scanCounts(&found[k], s, j, [4]uint64{populated[k]}, s.hist[k], false)
		}
		return
	}
	for k, j := range feats {
		populated := c.gather(s, j)
		distinct := 0
		for _, m := range populated {
			distinct += bits.OnesCount64(m)
		}
		if distinct*len(c.present) > chainFactor*len(c.rows) {
			s.link(s.codes[:len(c.rows)])
			c.scanCounts(&found[k], s, j, populated, nil, false)
		} else {
			c.fill(s, k)
			c.scanCounts(&found[k], s, j, populated, s.hist[k], false)
		}
	}
}

// fillBatch adds up the rows' weights by code and class, for four features with
// codes below 64, and returns the codes that occur, as bits.
func (c *countSplitter) fillBatch(rows []item, hist *[batchSize][]int32, feats [batchSize]int) (populated [batchSize]uint64) {
	var (
		width          = c.width & 63
		h0, h1, h2, h3 = hist[0], hist[1], hist[2], hist[3]
		j0, j1, j2, j3 = feats[0], feats[1], feats[2], feats[3]
		m0, m1, m2, m3 uint64
		byRow          = c.byRow
	)
	for _, it := range rows {
		at, k, n := it.place(), int(it.class()), it.copies()
		v0, v1, v2, v3 := byRow[at+j0]&63, byRow[at+j1]&63, byRow[at+j2]&63, byRow[at+j3]&63
		h0[int(v0)<<width|k] += n
		h1[int(v1)<<width|k] += n
		h2[int(v2)<<width|k] += n
		h3[int(v3)<<width|k] += n
		m0 |= 1 << v0
		m1 |= 1 << v1
		m2 |= 1 << v2
		m3 |= 1 << v3
	}
	return [batchSize]uint64{m0, m1, m2, m3}
}

// fill sums weights by class and the codes that gather has put in s.
func (c *countSplitter) fill(s *countScratch, k int) {
	hist, codes, width := s.hist[k], s.codes[:len(c.rows)], c.width&63
	for p, it := range c.rows {
		hist[int(codes[p])<<width|int(it.class())] += it.copies()
	}
}

// gather copies the codes of feature j to s and returns those that occur, as
// bits.
func (c *countSplitter) gather(s *countScratch, j int) (populated [4]uint64) {
	codes := c.byRow[j:]
	to := s.codes[:len(c.rows)]
	for p, it := range c.rows {
		v := codes[it.place()]
		to[p] = v
		s.seen[v] = 1
	}
	bins := c.b.Columns[j].Bins
	for v := 0; v < bins; v += 8 {
		// The product has byte i, 0 or 1, as bit i of its top byte.
		eight := binary.LittleEndian.Uint64(s.seen[v:]) * 0x0102040810204080 >> 56
		populated[v>>6] |= eight << (v & 63)
	}
	clear(s.seen[:bins])
	return populated
}

// scanCounts makes best the best split on feature j, whose codes are populated and in
// hist or, if that is nil, chained; both are cleared unless hist is to be kept. The
// left side takes up one code after another.
func (c *countSplitter) scanCounts(best *split, s *countScratch, j int, populated [4]uint64, hist []int32, keep bool) {
	best.feature = -1
	present, width, chained := c.present, c.width&63, hist == nil
	if chained {
		for _, q := range present {
			s.right[uint8(q.class)] = q.count
		}
	}
	var (
		total     = float64(c.weight)
		wl        = int64(0)
		sl        = int64(0) // Σ of squares of the left side's counts
		sr        = int64(0)
		bestScore = math.Inf(-1)
		codes     = 0
		open      = false // whether best waits for the code after it
	)
	for _, q := range present {
		sr += int64(q.count) * int64(q.count)
	}
	for word, set := range populated {
		for ; set != 0; set &= set - 1 {
			v := word<<6 | bits.TrailingZeros64(set)
			codes++
			if open {
				best.next, open = uint32(v), false
			}
			if chained {
				n, dl, dr := s.takeLinked(c.rows, v)
				wl, sl, sr = wl+n, sl+dl, sr+dr
			} else {
				sl, sr = 0, 0
				cells := hist[v<<width : (v+1)<<width]
				for k, q := range present {
					h := cells[q.class]
					if !keep {
						cells[q.class] = 0
					}
					l := s.left[uint8(k)] + h
					s.left[uint8(k)] = l
					r := q.count - l
					wl += int64(h)
					sl += int64(l) * int64(l)
					sr += int64(r) * int64(r)
				}
			}
			if wl == c.weight {
				break
			}
			w := float64(wl)
			score := float64(sl)/w + float64(sr)/(total-w)
			if exceeds(score, bestScore, c.tol) && w >= c.minW && total-w >= c.minW {
				bestScore, open = score, true
				best.feature, best.last, best.wl = int32(j), uint32(v), w
			}
		}
	}
	if chained {
		for _, q := range present {
			s.left[uint8(q.class)], s.right[uint8(q.class)] = 0, 0
		}
	} else {
		clear(s.left[:len(present)])
	}
	best.gain = bestScore - c.score
	best.constant = codes < 2
}

// takeLinked moves the rows of a code from the right side to the left one, and its chain
// away. It returns their weight and what the sides' sums of squares grow by.
func (s *countScratch) takeLinked(rows []item, code int) (weight, left, right int64) {
	for p := s.head[code]; p > 0; p = s.chain[p-1] {
		it := rows[p-1]
		n := int64(it.copies())
		l, r := int64(s.left[it.class()]), int64(s.right[it.class()])
		weight += n
		left += n * (2*l + n)
		right -= n * (2*r - n)
		s.left[it.class()], s.right[it.class()] = int32(l+n), int32(r-n)
	}
	s.head[code] = 0
	return weight, left, right
}

// link chains the places of each code.
func (s *countScratch) link(codes []uint8) {
	chain := s.chain[:len(codes)]
	for p, v := range codes {
		chain[p] = s.head[v]
		s.head[v] = int32(p) + 1
	}
}
