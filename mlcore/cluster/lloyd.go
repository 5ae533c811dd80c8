package cluster

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// block is how many rows are compared with the centres at a time, and the fewest that
// a part has.
const block = 512

// A lloyd is one start of k-means on a table.
type lloyd struct {
	*table
	team    *par.Team
	rooms   []scratch // of the members of the team
	k       int
	centres []float64 // k×d
	status  mlcore.Status
	search  nearest
	parts   []part
	bounds  *bounds // nil where looking at every row costs less
	double  bool    // too many rows are in doubt for single precision to pay

	exact *exactSums // of the rows of each cluster, or nil
}

// run iterates until no row changes its cluster, until the centres move by no more than
// limit, or maxIter times.
func (l *lloyd) run(maxIter int, limit float64) {
	l.k = len(l.centres) / l.d
	l.rooms = make([]scratch, l.team.Size())
	if l.bases != nil {
		l.exact = newExactSums(l.k, l.bases)
	}
	l.split()
	if !kernel.FastNarrow() || l.k*l.d > mostScanned {
		l.bounds = newBounds(l.n, l.k)
	} else if l.single == nil {
		l.single = l.inSingle()
	}
	for {
		l.status.Iterations++
		changed := l.assign()
		if !changed {
			l.status.Outcome = mlcore.Converged
			break
		}
		l.status.Measure = l.update()
		if l.status.Measure <= limit {
			l.status.Outcome = mlcore.Converged
			l.assign()
			break
		}
		if l.status.Iterations == maxIter {
			l.status.Outcome = mlcore.IterationLimit
			l.status.Advice = "the centres were still moving; raise MaxIter"
			l.assign()
			break
		}
	}
}

// mostScanned is up to how many numbers in all centres looking at a row in single
// precision costs less than its bounds do.
const mostScanned = 1500

// inertia is the weighted sum of the squared distances of the rows from their centres.
func (l *lloyd) inertia() float64 {
	sum := 0.0
	for _, p := range l.parts {
		for i := p.lo; i < p.hi; i++ {
			sum += float64(given.Weight(l.w, i) * squaredDistance(l.row(i), l.own(&p, i)))
		}
	}
	return sum
}

// own returns the centre of row i of a part.
func (l *lloyd) own(p *part, i int) []float64 {
	return l.centres[int(p.labels[i-p.lo])*l.d:][:l.d]
}

// assign puts every row to the nearest centre, adds up the rows of each, and reports
// whether any row has changed.
func (l *lloyd) assign() bool {
	l.search.prepare(l.centres, l.d)
	if l.bounds == nil && !l.search.single {
		l.bounds = newBounds(l.n, l.k)
	}
	if l.bounds != nil {
		l.bounds.prepare(l)
	}
	l.team.Do(len(l.parts), func(member, at int) {
		p, room := &l.parts[at], &l.rooms[member]
		p.changed, p.moves = false, p.moves[:0]
		if l.bounds != nil {
			l.bounds.assign(l, room, p)
		} else {
			l.scan(room, p, &l.single[at])
		}
		if l.exact == nil {
			l.add(room, p)
		}
	})
	if l.exact != nil {
		l.exact.follow(l)
	}
	l.weighDoubts()
	return slices.ContainsFunc(l.parts, func(p part) bool { return p.changed })
}

// weighDoubts gives single precision up where it leaves many rows in doubt: where a centre
// is so far away that the others are close together beside it, or rows are very much alike.
func (l *lloyd) weighDoubts() {
	looked, doubts := 0, 0
	for _, p := range l.parts {
		looked += p.looked
		doubts += p.doubts
	}
	if doubts*8 <= looked {
		return
	}
	l.double = true
	if l.bounds == nil {
		l.bounds = newBounds(l.n, l.k)
	}
}

// scan puts the rows of a part, of which single has the rounded form, to the nearest
// centre.
func (l *lloyd) scan(room *scratch, p *part, single *panels) {
	room.rows = room.rows[:0]
	tops, marks := l.search.tops(room, single, p.labels)
	eachMarked(marks, p.hi-p.lo, func(i int, doubt bool) {
		if doubt {
			room.rows = append(room.rows, p.lo+i)
		} else {
			p.put(i, tops[i/kernel.PanelRows].Best[i%kernel.PanelRows])
		}
	})
	p.looked, p.doubts = p.hi-p.lo, len(room.rows)
	for rows := range slices.Chunk(room.rows, block) {
		score := l.search.scores(room, func(at int) []float64 { return l.row(rows[at]) }, len(rows))
		for at, i := range rows {
			p.put(i-p.lo, int32(l.nearest(i, score.Row(at)[:l.k])))
		}
	}
}

// nearest returns the centre that is nearest to row i, given its scores.
func (l *lloyd) nearest(i int, score []float64) int {
	return l.search.best(score, math.Sqrt(l.norm[i]), func(k int) float64 {
		return squaredDistance(l.row(i), l.centres[k*l.d:][:l.d])
	})
}

// A part is some rows, fixed in number, with what update needs of each cluster: where sums
// are not exact, those of d numbers and one of weights. All parts in order make up the sums
// of the whole, so they are part of the result's last digits then.
type part struct {
	lo, hi  int
	labels  []int32   // of each row, and -1 up to whole panels
	sums    []float64 // k×(d+1), or nil where the sums are exact
	touched []uint8   // of each cluster: 1 if the part's rows in it are not those of sums
	count   []int     // of each cluster: how many of the part's rows it has
	changed bool      // whether any row has changed its cluster
	moves   []move    // the rows that have, where the sums are exact

	looked, doubts int // how many rows were looked at, and of these in vain in single precision
}

// A move is that of a row of a part from a cluster, or from none, -1.
type move struct{ row, from int32 }

// mostParts is how many there are at most.
const mostParts = 32

// partSize is how many rows all parts of n rows but the last have.
func partSize(n int) int { return max(block, (n+mostParts-1)/mostParts) }

func (l *lloyd) split() {
	size := partSize(l.n)
	for lo := 0; lo < l.n; lo += size {
		hi := min(l.n, lo+size)
		p := part{lo: lo, hi: hi, labels: make([]int32, kernel.PanelSize(hi-lo, 1)), count: make([]int, l.k)}
		if l.exact != nil {
			p.moves = make([]move, 0, hi-lo)
		} else {
			p.sums, p.touched = make([]float64, l.k*(l.d+1)), make([]uint8, l.k)
		}
		for i := range p.labels {
			p.labels[i] = -1
		}
		l.parts = append(l.parts, p)
	}
}

// inSingle returns the rows of each part in single precision.
func (l *lloyd) inSingle() []panels {
	single := make([]panels, len(l.parts))
	l.team.Do(len(l.parts), func(_, at int) {
		p := &l.parts[at]
		single[at].makeRoom(p.hi-p.lo, l.d)
		for i := p.lo; i < p.hi; i++ {
			single[at].put(i-p.lo, l.row(i), l.norm[i])
		}
	})
	return single
}

// put puts row i of the part to a cluster.
func (p *part) put(i int, cluster int32) {
	was := p.labels[i]
	if was == cluster {
		return
	}
	if was >= 0 {
		p.count[was]--
	}
	p.count[cluster]++
	p.labels[i], p.changed = cluster, true
	if p.sums == nil {
		p.moves = append(p.moves, move{int32(i), was})
		return
	}
	if was >= 0 {
		p.touched[was] = 1
	}
	p.touched[cluster] = 1
}

// add takes the sums of the touched clusters anew. Few rows change their cluster in
// most iterations, and the sums are those of adding up every row.
func (l *lloyd) add(room *scratch, p *part) {
	if !p.changed {
		return
	}
	step := l.d + 1
	for k, touched := range p.touched {
		if touched != 0 {
			clear(p.sums[k*step:][:step])
		}
	}
	n := p.hi - p.lo
	room.moved, room.into = grown(room.moved, n), grown(room.into, n)
	count := 0
	for i, k := range p.labels[:n] {
		room.moved[count], room.into[count] = int32(i), k
		count += int(p.touched[k])
	}
	moved := room.moved[:count]
	if l.w == nil {
		kernel.AddRows(p.sums, step, l.x[p.lo*l.d:], l.d, moved, room.into[:count])
		for k, touched := range p.touched {
			if touched != 0 {
				p.sums[k*step+l.d] = float64(p.count[k])
			}
		}
	} else {
		for _, i := range moved {
			own, wi := p.sums[int(p.labels[i])*step:][:step], l.w[p.lo+int(i)]
			kernel.AddScaled(own[:l.d], wi, l.row(p.lo+int(i)))
			own[l.d] += wi
		}
	}
	clear(p.touched)
}

// update moves every centre to the mean of its rows and returns the sum of the squared
// moves.
func (l *lloyd) update() float64 {
	sums := l.sums()
	l.fillEmpty(sums)
	total := 0.0
	squares := make([]float64, l.k)
	for k := range squares {
		own, centre := sums[k*(l.d+1):][:l.d+1], l.centres[k*l.d:][:l.d]
		if own[l.d] == 0 {
			continue
		}
		for j := range centre {
			to := own[j] / own[l.d]
			diff := to - centre[j]
			squares[k] += float64(diff * diff)
			centre[j] = to
		}
		total += squares[k]
	}
	if l.bounds != nil {
		l.bounds.moved(squares)
	}
	return total
}

// sums returns, for each cluster, the sums of the columns of its rows and of their weights.
func (l *lloyd) sums() []float64 {
	if l.exact == nil {
		sums := slices.Clone(l.parts[0].sums)
		for _, p := range l.parts[1:] {
			kernel.AddScaled(sums, 1, p.sums)
		}
		return sums
	}
	sums := make([]float64, l.k*(l.d+1))
	l.exact.read(sums, l.team)
	for k, count := range l.counts() {
		sums[k*(l.d+1)+l.d] = float64(count)
	}
	return sums
}

// fillEmpty gives every cluster without rows the row that is farthest from its own
// centre, the lowest on a tie, of those that no other cluster got and that leave their
// cluster other rows, unless all of these are where their centres are.
func (l *lloyd) fillEmpty(sums []float64) {
	taken := map[int]bool{}
	var left []int // how many rows each cluster has
	for k := range l.k {
		empty := sums[k*(l.d+1):][:l.d+1]
		if empty[l.d] > 0 {
			continue
		}
		if left == nil {
			left = l.counts()
		}
		farthest, leaves, distance := -1, -1, 0.0
		for at := range l.parts {
			p := &l.parts[at]
			for i := p.lo; i < p.hi; i++ {
				own := int(p.labels[i-p.lo])
				// Rows may be left whose weights vanish beside this row's.
				if taken[i] || left[own] == 1 || sums[own*(l.d+1)+l.d] <= given.Weight(l.w, i) {
					continue
				}
				if s := squaredDistance(l.row(i), l.own(p, i)); s > distance {
					farthest, leaves, distance = i, own, s
				}
			}
		}
		if farthest < 0 {
			return
		}
		taken[farthest] = true
		left[leaves]--
		wi, from := given.Weight(l.w, farthest), sums[leaves*(l.d+1):][:l.d+1]
		for j, v := range l.row(farthest) {
			empty[j], from[j] = float64(wi*v), from[j]-float64(wi*v)
		}
		empty[l.d], from[l.d] = wi, from[l.d]-wi
	}
}

// counts is how many rows each cluster has.
func (l *lloyd) counts() []int {
	counts := make([]int, l.k)
	for _, p := range l.parts {
		for k, n := range p.count {
			counts[k] += n
		}
	}
	return counts
}
