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
	rival        []int32   // the second nearest centre of each row when it was last looked at
	move         []float64 // of each centre, in the last iteration
	most, second float64   // the two longest moves
	mover        int       // whose the longest is
	near         []float64 // half the distance of each centre from its nearest neighbour
	search       nearest
	parts        []part
}

// run iterates until no row changes its cluster, until the centres move by no more than
// limit, or maxIter times.
func (l *lloyd) run(maxIter int, limit float64) {
	l.k = len(l.centres) / l.d
	l.labels = make([]int, l.n)
	l.upper, l.lower = make([]float64, l.n), make([]float64, l.n)
	l.move, l.near = make([]float64, l.k), make([]float64, l.k)
	l.rival = make([]int32, l.n)
	l.split()
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
	changed := make([]bool, len(l.parts))
	_ = par.DoWith(len(l.parts), l.workers, newScratch, func(s *scratch, at int) error {
		p := l.parts[at]
		for lo := p.lo; lo < p.hi; lo += block {
			if l.assignBlock(s, lo, min(p.hi, lo+block), p.touched) {
				changed[at] = true
			}
		}
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

// assignBlock puts rows lo to hi to the nearest centre, marks the clusters that lose or
// gain one, and reports whether any does.
func (l *lloyd) assignBlock(s *scratch, lo, hi int, touched []bool) (changed bool) {
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
			l.upper[i] = sqrtUp(about(l.row(i), l.centres[own*l.d:][:l.d]), l.slack)
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
		row := score.Row(at)[:l.k]
		best, most, runnerUp := 0, row[0], math.Inf(-1)
		if l.k > 1 {
			guess, second := max(l.labels[i], 0), int(l.rival[i])
			if guess == second {
				second = (guess + 1) % l.k
			}
			best, second, most, runnerUp = topTwo(row, guess, second)
			l.rival[i] = int32(second)
		}
		l.upper[i] = sqrtUp(l.norm[i]-2*most, l.slack)
		l.lower[i] = sqrtDown(l.norm[i]-2*runnerUp, l.slack)
		if was := l.labels[i]; was != best {
			if was >= 0 {
				touched[was] = true
			}
			touched[best] = true
			l.labels[i], changed = best, true
		}
	}
	return changed
}

// topTwo returns the places of the greatest score, the first on a tie, and of the
// greatest of the others. It is quick where the guesses, which differ, are right, and
// leaves score in disorder.
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
	if runnerUp == most {
		score[guess[0]], score[guess[1]] = guessed[0], guessed[1]
		best = slices.Index(score, most)
		second = best + 1 + slices.Index(score[best+1:], most)
	}
	return best, second, most, runnerUp
}

// A part is some rows, fixed in number, with what update needs of each cluster: sums
// of d numbers and one of weights. All parts in order make up the sums of the whole,
// so they are part of the result's last digits.
type part struct {
	lo, hi  int
	sums    []float64 // k×(d+1)
	touched []bool    // of each cluster: the part's rows in it are not those of sums
}

// mostParts is how many there are at most.
const mostParts = 32

func (l *lloyd) split() {
	size := max(block, (l.n+mostParts-1)/mostParts)
	for lo := 0; lo < l.n; lo += size {
		p := part{lo: lo, hi: min(l.n, lo+size), sums: make([]float64, l.k*(l.d+1)), touched: make([]bool, l.k)}
		l.parts = append(l.parts, p)
	}
}

// add takes the sums of the touched clusters anew. Few rows change their cluster in
// most iterations, and the sums are those of adding up every row.
func (l *lloyd) add(p part) {
	some := false
	for k, touched := range p.touched {
		if touched {
			clear(p.sums[k*(l.d+1):][:l.d+1])
			some = true
		}
	}
	for i := p.lo; i < p.hi && some; i++ {
		k := l.labels[i]
		if !p.touched[k] {
			continue
		}
		own, wi := p.sums[k*(l.d+1):][:l.d+1], given.Weight(l.w, i)
		kernel.AddScaled(own[:l.d], wi, l.row(i))
		own[l.d] += wi
	}
	clear(p.touched)
}

// update moves every centre to the mean of its rows and returns the sum of the squared
// moves.
func (l *lloyd) update() float64 {
	_ = par.Do(len(l.parts), l.workers, func(p int) error {
		l.add(l.parts[p])
		return nil
	})
	sums := slices.Clone(l.parts[0].sums)
	for _, p := range l.parts[1:] {
		for at, v := range p.sums {
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
	transpose kernel.Matrix // d×k, with columns of zeros up to whole tiles of a product
	half      []float64     // |c|²/2
}

func (s *nearest) prepare(centres []float64, d int) {
	const tile = 8
	s.k, s.d = len(centres)/d, d
	wide := (s.k + tile - 1) / tile * tile
	if s.transpose.Rows != d || s.transpose.Cols != wide {
		s.transpose = kernel.Matrix{Data: make([]float64, d*wide), Rows: d, Cols: wide}
		s.half = make([]float64, s.k)
	}
	for k := range s.half {
		centre := centres[k*d:][:d]
		for j, v := range centre {
			s.transpose.Data[j*wide+k] = v
		}
		s.half[k] = sumSquares(centre) / 2
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
