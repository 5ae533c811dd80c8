package cluster

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// block is how many rows a piece of work has. Sums are taken block by block, so it is
// part of the result's last digits.
const block = 512

// A lloyd is one start of k-means on a table.
type lloyd struct {
	*table
	workers int
	k       int
	centres []float64 // k×d
	labels  []int
	inertia float64
	status  mlcore.Status

	// upper bounds the distance of each row from its own centre, lower that from every
	// other. Only a row whose bounds overlap is looked at again (Hamerly, 2010, "Making
	// k-means even faster"). Slack holds them off by more than rounding can be wrong,
	// so that the clusters are those of looking at every row.
	upper, lower []float64
	slack        float64
	move         []float64 // of each centre, in the last iteration
	most, second float64   // the two longest moves
	mover        int       // whose the longest is
	near         []float64 // half the distance of each centre from its nearest neighbour
	search       nearest
}

// run iterates until no row changes its cluster, until the centres move by no more than
// limit, or maxIter times.
func (l *lloyd) run(maxIter int, limit float64) {
	l.k = len(l.centres) / l.d
	l.labels = make([]int, l.n)
	l.upper, l.lower = make([]float64, l.n), make([]float64, l.n)
	l.move, l.near = make([]float64, l.k), make([]float64, l.k)
	for i := range l.labels {
		l.labels[i] = -1
		l.upper[i] = math.Inf(1)
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
	for i := range l.n {
		own := l.centres[l.labels[i]*l.d:][:l.d]
		l.inertia += float64(given.Weight(l.w, i) * squaredDistance(l.row(i), own))
	}
}

// assign puts every row to the nearest centre and reports whether any has changed.
func (l *lloyd) assign() bool {
	l.search.prepare(l.centres, l.d)
	largest := l.largest
	for _, half := range l.search.half {
		largest = max(largest, 2*half)
	}
	// The error of a squared distance as |x|² - 2x·c + |c|², generously.
	l.slack = float64(float64(l.d+8) * 0x1p-50 * largest)
	l.neighbours()
	blocks := (l.n + block - 1) / block
	changed := make([]bool, blocks)
	_ = par.DoWith(blocks, l.workers, newScratch, func(s *scratch, b int) error {
		changed[b] = l.assignBlock(s, b*block, min(l.n, (b+1)*block))
		return nil
	})
	for _, c := range changed {
		if c {
			return true
		}
	}
	return false
}

// neighbours sets near, where that costs less than it may save.
func (l *lloyd) neighbours() {
	for k := range l.near {
		l.near[k] = 0
	}
	if l.k == 1 || l.k*l.k > l.n {
		return
	}
	for a := range l.k {
		least := math.Inf(1)
		for b := range l.k {
			if a != b {
				least = min(least, squaredDistance(l.centres[a*l.d:][:l.d], l.centres[b*l.d:][:l.d]))
			}
		}
		l.near[a] = sqrtDown(least, l.slack) / 2
	}
}

func (l *lloyd) assignBlock(s *scratch, lo, hi int) (changed bool) {
	s.rows = s.rows[:0]
	for i := lo; i < hi; i++ {
		own := l.labels[i]
		if own >= 0 {
			away := l.most
			if own == l.mover {
				away = l.second
			}
			l.upper[i] += l.move[own]
			l.lower[i] -= away
			bound := max(l.lower[i], l.near[own])
			if l.upper[i] < bound {
				continue
			}
			l.upper[i] = sqrtUp(squaredDistance(l.row(i), l.centres[own*l.d:][:l.d]), l.slack)
			if l.upper[i] < bound {
				continue
			}
		}
		s.rows = append(s.rows, i)
	}
	if len(s.rows) == 0 {
		return false
	}
	score := l.search.scores(s, func(at int) []float64 { return l.row(s.rows[at]) }, len(s.rows))
	for at, i := range s.rows {
		row := score.Row(at)
		best := kernel.ArgMax(row)
		runnerUp := math.Inf(-1)
		for k, v := range row {
			if k != best && v > runnerUp {
				runnerUp = v
			}
		}
		l.upper[i] = sqrtUp(l.norm[i]-2*row[best], l.slack)
		l.lower[i] = sqrtDown(l.norm[i]-2*runnerUp, l.slack)
		if l.labels[i] != best {
			l.labels[i], changed = best, true
		}
	}
	return changed
}

// update moves every centre to the mean of its rows and returns the sum of the squared
// moves.
func (l *lloyd) update() float64 {
	// A partial sum for each of at most 32 parts, whose number depends on n alone.
	size := max(block, (l.n+31)/32)
	parts := (l.n + size - 1) / size
	partial := make([][]float64, parts) // K sums of d numbers and one of weights
	_ = par.Do(parts, l.workers, func(p int) error {
		sums := make([]float64, l.k*(l.d+1))
		for i := p * size; i < min(l.n, (p+1)*size); i++ {
			own, wi := sums[l.labels[i]*(l.d+1):][:l.d+1], given.Weight(l.w, i)
			for j, v := range l.row(i) {
				own[j] += float64(wi * v)
			}
			own[l.d] += wi
		}
		partial[p] = sums
		return nil
	})
	sums := partial[0]
	for _, more := range partial[1:] {
		for at, v := range more {
			sums[at] += v
		}
	}
	l.fillEmpty(sums)
	total := 0.0
	l.most, l.second, l.mover = 0, 0, -1
	for k := range l.k {
		own, centre := sums[k*(l.d+1):][:l.d+1], l.centres[k*l.d:][:l.d]
		l.move[k] = 0
		if own[l.d] == 0 {
			continue
		}
		square := 0.0
		for j := range centre {
			to := own[j] / own[l.d]
			diff := to - centre[j]
			square += float64(diff * diff)
			centre[j] = to
		}
		total += square
		l.move[k] = sqrtUp(square, l.slack)
		if l.move[k] > l.most {
			l.most, l.second, l.mover = l.move[k], l.most, k
		} else {
			l.second = max(l.second, l.move[k])
		}
	}
	return total
}

// fillEmpty gives every cluster without rows the row that is farthest from its own
// centre, the lowest such on a tie, and that no other cluster got, unless all rows are
// where their centres are.
func (l *lloyd) fillEmpty(sums []float64) {
	taken := map[int]bool{}
	for k := range l.k {
		empty := sums[k*(l.d+1):][:l.d+1]
		if empty[l.d] > 0 {
			continue
		}
		farthest, distance := -1, 0.0
		for i := range l.n {
			if taken[i] {
				continue
			}
			if s := squaredDistance(l.row(i), l.centres[l.labels[i]*l.d:][:l.d]); s > distance {
				farthest, distance = i, s
			}
		}
		if farthest < 0 {
			return
		}
		taken[farthest] = true
		wi, from := given.Weight(l.w, farthest), sums[l.labels[farthest]*(l.d+1):][:l.d+1]
		if from[l.d] <= wi { // it was alone, which only rounding can bring about
			continue
		}
		for j, v := range l.row(farthest) {
			empty[j], from[j] = float64(wi*v), from[j]-float64(wi*v)
		}
		empty[l.d], from[l.d] = wi, from[l.d]-wi
	}
}

// nearest finds the nearest of some centres for many rows at a time. The score of a
// centre c is x·c - |c|²/2, which is greatest where |x-c|² is least.
type nearest struct {
	k, d      int
	transpose kernel.Matrix // d×k
	half      []float64     // |c|²/2
}

func (s *nearest) prepare(centres []float64, d int) {
	s.k, s.d = len(centres)/d, d
	if len(s.transpose.Data) != len(centres) {
		s.transpose = kernel.Matrix{Data: make([]float64, len(centres)), Rows: d, Cols: s.k}
		s.half = make([]float64, s.k)
	}
	kernel.Transpose(s.transpose, kernel.Matrix{Data: centres, Rows: s.k, Cols: d})
	for k := range s.half {
		s.half[k] = sumSquares(centres[k*d:][:d]) / 2
	}
}

// A scratch is the room that one worker needs.
type scratch struct {
	rows            []int
	gathered, score []float64
	buffer          kernel.Buffer
}

func newScratch() *scratch { return new(scratch) }

// grown returns a slice of n numbers, v itself where it has the room.
func grown(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}

// scores returns n rows of k scores, of the rows that at returns.
func (s *nearest) scores(room *scratch, at func(i int) []float64, n int) kernel.Matrix {
	room.gathered, room.score = grown(room.gathered, n*s.d), grown(room.score, n*s.k)
	for i := range n {
		copy(room.gathered[i*s.d:][:s.d], at(i))
		own := room.score[i*s.k:][:s.k]
		for k, half := range s.half {
			own[k] = -half
		}
	}
	score := kernel.Matrix{Data: room.score, Rows: n, Cols: s.k}
	kernel.MulAdd(score, kernel.Matrix{Data: room.gathered, Rows: n, Cols: s.d}, s.transpose, &room.buffer)
	return score
}
