package cart

import "slices"

// partition divides the rows and the classes of the current node between left and
// right. Rows that go left are moved to the front, in any order, as sums of whole
// numbers are the same in any. The right side's class counts take the place of the
// node's, and the left side's, which is grown first, come behind it.
func (c *countSplitter) partition(left, right *node, sp *split) {
	left.hists, right.hists = nil, nil
	sums, t := &c.scratch[0].left, &c.thresholds
	var mid int
	if t.divided != nil {
		mid = moveMarked(c.rows, t.divided.marks, 2*t.lane, t.spare)
	} else {
		mid = moveLeft(c.rows, c.byRow[sp.feature:], uint8(sp.last), sums)
	}
	at := left.at
	behind := at + int32(len(c.present))
	c.counts = slices.Grow(c.counts, len(c.present))
	both := c.counts[at : behind+int32(len(c.present))]
	// Each class is written to either side and kept where it has rows.
	l, r := len(c.present), 0
	for k := range c.present {
		q := both[k]
		var n int32 // on the left
		if t.divided != nil {
			n = int32(t.divided.lefts[k%batchClasses][t.lane%batchSize])
		} else {
			n = sums[uint8(q.class)]
			sums[uint8(q.class)] = 0
		}
		both[l], both[r] = classCount{q.class, n}, classCount{q.class, q.count - n}
		if n > 0 {
			l++
		}
		if n < q.count {
			r++
		}
	}
	left.hi += int32(mid - len(c.rows))
	right.lo = left.hi
	left.at, left.classes = behind, int32(l-len(c.present))
	right.classes = int32(r)
	c.counts = c.counts[:behind+left.classes]
	if c.hists != nil {
		c.inherit(left, right)
	}
}

// moveLeft moves the rows with codes up to last to the front, adds their weights
// to left, by class, and returns how many they are. Every row is written whichever
// way it goes, so that there is no branch to mispredict.
func moveLeft(rows []item, codes []uint8, last uint8, left *[countableClasses]int32) int {
	k, bound := 0, int32(last)+1
	for i, it := range rows {
		below := (int32(codes[it.place()]) - bound) >> 31
		left[it.class()] += it.copies() & below
		rows[i], rows[k] = rows[k], it
		k -= int(below)
	}
	return k
}

// moveMarkedPlain moves the rows whose marks have the bit to the front and returns how
// many they are.
func moveMarkedPlain(rows []item, marks []uint8, bit int) int {
	k := 0
	for i, it := range rows {
		rows[i], rows[k] = rows[k], it
		k += int(marks[i] >> bit & 1)
	}
	return k
}
