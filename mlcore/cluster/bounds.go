package cluster

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// Bounds spare looking at most rows anew: upper bounds the distance of each row from its
// own centre, lower that from every other. Only a row whose bounds overlap is looked at
// again (Hamerly, 2010, "Making k-means even faster"). Slack holds them off by more than
// rounding can be wrong, so that the clusters are those of looking at every row.
type bounds struct {
	upper, lower []float64
	slack        float64
	rival        []int32   // the second nearest centre of each row when it was last looked at
	move         []float64 // of each centre, in the last iteration
	most, second float64   // the two longest moves
	mover        int       // whose the longest is
	near         []float64 // half the distance of each centre from its nearest neighbour
}

// newBounds returns bounds that tell nothing yet.
func newBounds(n, k int) *bounds {
	b := &bounds{upper: make([]float64, n), lower: make([]float64, n), rival: make([]int32, n), move: make([]float64, k), near: make([]float64, k)}
	for i := range b.upper {
		b.upper[i] = math.Inf(1)
	}
	return b
}

// prepare makes them ready for the centres of l.
func (b *bounds) prepare(l *lloyd) {
	largest := l.largest
	for _, half := range l.search.half {
		largest = max(largest, 2*half)
	}
	// The error of a squared distance as |x|² - 2x·c + |c|², generously.
	b.slack = float64(float64(l.d+8) * 0x1p-50 * largest)
	b.neighbours(l)
}

// neighbours sets near, where that costs less than it may save.
func (b *bounds) neighbours(l *lloyd) {
	if l.k == 1 || l.k*l.k > l.n {
		return
	}
	for i := range b.near {
		least := math.Inf(1)
		for j := range b.near {
			if i != j {
				least = min(least, squaredDistance(l.centres[i*l.d:][:l.d], l.centres[j*l.d:][:l.d]))
			}
		}
		b.near[i] = sqrtDown(least, b.slack) / 2
	}
}

// moved takes note of the squared moves of the centres.
func (b *bounds) moved(squares []float64) {
	b.most, b.second, b.mover = 0, 0, -1
	for k, square := range squares {
		if b.move[k] = 0; square == 0 {
			continue
		}
		b.move[k] = sqrtUp(square, b.slack)
		if b.move[k] > b.most {
			b.most, b.second, b.mover = b.move[k], b.most, k
		} else {
			b.second = max(b.second, b.move[k])
		}
	}
}

// assign puts the rows of a part to the nearest centre.
func (b *bounds) assign(l *lloyd, room *scratch, p *part) {
	p.looked, p.doubts = 0, 0
	for lo := p.lo; lo < p.hi; lo += block {
		b.doubt(room, p, lo, min(p.hi, lo+block))
		b.measure(l, room, p)
		if len(room.rows) > 0 && l.search.single && !l.double {
			p.looked += len(room.rows)
			b.lookInSingle(l, room, p)
			p.doubts += len(room.rows)
		}
		if len(room.rows) > 0 {
			b.look(l, room, p)
		}
	}
}

// doubt lets the bounds of rows lo to hi-1 follow the centres, and lists in the room those
// rows that may have come nearer to another centre. Which ones these are no processor can
// foresee, so there is no branch on it.
func (b *bounds) doubt(room *scratch, p *part, lo, hi int) {
	rows := grown(room.rows, hi-lo)
	labels, upper, lower := p.labels[lo-p.lo:hi-p.lo], b.upper[lo:hi], b.lower[lo:hi]
	count := 0
	for i, own := range labels {
		rows[count] = lo + i
		if own < 0 { // as all rows before the first assignment
			count++
			continue
		}
		away := b.most
		if int(own) == b.mover {
			away = b.second
		}
		most, least := upper[i]+b.move[own], lower[i]-away
		upper[i], lower[i] = most, least
		count += 1 &^ (one(most < least) | one(most < b.near[own]))
	}
	room.rows = rows[:count]
}

// measure takes the distances of the rows in the room from their own centres: upper bounds that
// are lower than the old ones. Rows that these tell to stay where they are leave the room.
func (b *bounds) measure(l *lloyd, room *scratch, p *part) {
	count := 0
	for _, i := range room.rows {
		room.rows[count] = i // a place that has been read
		own := int(p.labels[i-p.lo])
		if own < 0 {
			count++
			continue
		}
		most := sqrtUp(about(l.row(i), l.centres[own*l.d:][:l.d]), b.slack)
		b.upper[i] = most
		count += 1 &^ (one(most < b.lower[i]) | one(most < b.near[own]))
	}
	room.rows = room.rows[:count]
}

// one is 1 where yes, else 0.
func one(yes bool) int {
	n := 0
	if yes {
		n = 1
	}
	return n
}

// lookInSingle puts the rows of the room to the nearest centre in single precision, and
// leaves those in doubt in the room.
func (b *bounds) lookInSingle(l *lloyd, room *scratch, p *part) {
	n := len(room.rows)
	room.panels.makeRoom(n, l.d)
	for at, i := range room.rows {
		room.panels.put(at, l.row(i), l.norm[i])
	}
	tops, marks := l.search.tops(room, &room.panels, room.unknown(len(room.panels.length)))
	rows := room.rows
	room.rows = rows[:0]
	eachMarked(marks, n, func(at int, doubt bool) {
		i := rows[at]
		if doubt {
			room.rows = append(room.rows, i) // at a place that has been read
			return
		}
		top, r := &tops[at/kernel.PanelRows], at%kernel.PanelRows
		// Scores are wrong by at most half of what doubt is about.
		off := b.slack + float64(float64(l.search.slope)*float64(room.panels.length[at])) + float64(l.search.beyond)
		b.set(l, p, i, top.Best[r], float64(top.Most[r]), float64(top.Next[r]), off)
	})
}

// look puts the rows of the room to the nearest centre.
func (b *bounds) look(l *lloyd, room *scratch, p *part) {
	score := l.search.scores(room, func(at int) []float64 { return l.row(room.rows[at]) }, len(room.rows))
	for at, i := range room.rows {
		row := score.Row(at)[:l.k]
		best, most, runnerUp := 0, row[0], math.Inf(-1)
		if l.k > 1 {
			guess, second := max(int(p.labels[i-p.lo]), 0), int(b.rival[i])
			if guess == second {
				second = (guess + 1) % l.k
			}
			best, second, most, runnerUp = topTwo(row, guess, second)
			if runnerUp >= l.search.doubtful(most, math.Sqrt(l.norm[i])) {
				if nearest := l.nearest(i, row); nearest != best {
					best, second, most, runnerUp = nearest, best, row[nearest], most
				}
			}
			b.rival[i] = int32(second)
		}
		b.set(l, p, i, int32(best), most, runnerUp, b.slack)
	}
}

// set puts row i to the best centre, and bounds its distances from that and the others,
// given the two greatest scores.
func (b *bounds) set(l *lloyd, p *part, i int, best int32, most, runnerUp, slack float64) {
	b.upper[i] = sqrtUp(l.norm[i]-2*most, slack)
	b.lower[i] = sqrtDown(l.norm[i]-2*runnerUp, slack)
	p.put(i-p.lo, best)
}

// topTwo returns the places of the greatest score, the first on a tie, and of the
// greatest of the others. It is quick where the guesses, which differ, are right.
func topTwo(score []float64, best, second int) (int, int, float64, float64) {
	if score[second] > score[best] {
		best, second = second, best
	}
	guess, most, runnerUp := [2]int{best, second}, score[best], score[second]
	guessed := [2]float64{most, runnerUp}
	score[best], score[second] = math.Inf(-1), math.Inf(-1)
	for k, v := range score {
		if !(v > runnerUp) {
			continue
		}
		if v > most {
			best, second, most, runnerUp = k, best, v, most
		} else {
			second, runnerUp = k, v
		}
	}
	score[guess[0]], score[guess[1]] = guessed[0], guessed[1]
	if runnerUp == most {
		best = slices.Index(score, most)
		second = best + 1 + slices.Index(score[best+1:], most)
	}
	return best, second, most, runnerUp
}
