package ensemble

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/internal/report"
)

// What both kinds of gradient boosting share: rows with their scores, the losses
// of the rounds, and when to stop.

// A schedule is the settings of the rounds, under the names that both
// configurations give them.
type schedule struct {
	loss               Loss
	rounds             int
	learningRate       float64
	sampleShare        float64
	validation         *mlcore.Dataset
	validationFraction float64
	patience           int
	tolerance          float64
	classes            int
	seed               uint64
	workers            int
	progress           func(mlcore.Progress) error
}

func (c *schedule) ready() error {
	if c.rounds == 0 {
		c.rounds = 100
	}
	if c.learningRate == 0 {
		c.learningRate = 0.1
	}
	if c.sampleShare == 0 {
		c.sampleShare = 1
	}
	switch {
	case c.rounds < 0:
		return configError("Estimators is %d", c.rounds)
	case !(c.learningRate > 0) || math.IsInf(c.learningRate, 1):
		return configError("LearningRate is %v; it is positive and finite", c.learningRate)
	case !(c.sampleShare > 0 && c.sampleShare <= 1):
		return configError("Subsample is %v; it is a share above 0 and up to 1", c.sampleShare)
	case !(c.validationFraction >= 0 && c.validationFraction < 1):
		return configError("ValidationFraction is %v; it is a share from 0 to below 1", c.validationFraction)
	case c.validation != nil && c.validationFraction > 0:
		return configError("Validation and ValidationFraction are both set; choose one")
	case c.patience < 0:
		return configError("Patience is %d", c.patience)
	case c.patience > 0 && c.validation == nil && c.validationFraction == 0:
		return configError("Patience needs rows to judge by; set Validation or ValidationFraction")
	case !(c.tolerance >= 0) || math.IsInf(c.tolerance, 1):
		return configError("Tol is %v; it is finite and not negative", c.tolerance)
	case c.tolerance > 0 && c.patience == 0:
		return configError("Tol is %v, but without Patience nothing is compared with it", c.tolerance)
	}
	switch l := c.loss.(type) { // those below are asked for by value
	case *Huber:
		c.loss = *l
	case *Logistic:
		c.loss = *l
	case *Softmax:
		c.loss = *l
	}
	if h, ok := c.loss.(Huber); ok {
		return h.check()
	}
	return nil
}

// A table is rows with their scores. The score of row i and output k stands at
// scores[k·n+i].
type table struct {
	X       *mat.Dense
	y, w    []float64
	rows    []int32 // those of positive weight
	weight  float64 // of these
	outputs int
	scores  []float64
	team    *par.Team
	unit    float64 // what a weight of 1 stands for
}

// newTable brings weights near 1 where squares of their sums could leave the range
// of float64. A power of two changes no digit.
func newTable(X *mat.Dense, y, w []float64) *table {
	t := &table{X: X, y: y, w: w, unit: 1}
	if w == nil {
		t.w = make([]float64, len(y))
		for i := range t.w {
			t.w[i] = 1
		}
	}
	if greatest := slices.Max(t.w); greatest < 0x1p-60 || greatest > 0x1p60 {
		_, e := math.Frexp(greatest)
		t.w, t.unit = make([]float64, len(y)), math.Ldexp(1, e-1)
		for i, v := range w {
			t.w[i] = math.Ldexp(v, 1-e)
		}
	}
	for i, v := range t.w {
		if v > 0 {
			t.rows = append(t.rows, int32(i))
		}
	}
	for rows := range slices.Chunk(t.rows, tableChunk) {
		part := 0.0
		for _, i := range rows {
			part += t.w[i]
		}
		t.weight += part
	}
	return t
}

// classes returns how many of the classes have rows of positive weight.
func (t *table) classes(classes int) int {
	seen, n := make([]bool, classes), 0
	for _, i := range t.rows {
		if k := int(t.y[i]); classes > 0 && !seen[k] {
			seen[k] = true
			n++
		}
	}
	return n
}

// start gives every row the same scores.
func (t *table) start(scores []float64) {
	n := len(t.y)
	t.outputs = len(scores)
	t.scores = make([]float64, n*len(scores))
	for k, s := range scores {
		for i := range n {
			t.scores[k*n+i] = s
		}
	}
}

func (t *table) len() int { return len(t.y) }

// of returns the scores of output k.
func (t *table) of(k int) []float64 { return t.scores[k*len(t.y) : (k+1)*len(t.y)] }

const (
	// tableChunk is how many rows a goroutine judges at a time.
	tableChunk = 1024
	// blockScores is how many scores a loss sees at a time: few enough for the
	// cache, many enough for long loops.
	blockScores = 2048
)

// judge returns the weighted mean loss. Where put is not nil, it is called for
// blocks of the rows of positive weight with their residuals and curvatures: of
// m rows, those of output k from k·m on. They are good until it returns; blocks
// come in any order, from several goroutines.
func (t *table) judge(loss Loss, put func(rows []int32, residuals, curvatures []float64)) float64 {
	parts := make([]float64, (len(t.rows)+tableChunk-1)/tableChunk)
	size := min(tableChunk, max(1, blockScores/t.outputs))
	rooms := make([]*blockRoom, t.team.Size())
	t.team.Do(len(parts), func(member, c int) {
		if rooms[member] == nil {
			rooms[member] = newBlockRoom(size, t.outputs)
		}
		room, rows := rooms[member], t.rows[c*tableChunk:min((c+1)*tableChunk, len(t.rows))]
		part := 0.0
		for len(rows) > 0 {
			m := min(size, len(rows))
			part += room.judge(t, loss, rows[:m])
			if put != nil {
				put(rows[:m], room.residuals[:m*t.outputs], room.curvatures[:m*t.outputs])
			}
			rows = rows[m:]
		}
		parts[c] = part
	})
	// In the order of the rows, whoever judged them.
	sum := 0.0
	for _, part := range parts {
		sum += part
	}
	return sum / t.weight
}

// A blockRoom is where a block of rows is judged.
type blockRoom struct {
	y, w                          []float64
	scores, residuals, curvatures []float64
	row                           []float64
}

func newBlockRoom(rows, outputs int) *blockRoom {
	room := make([]float64, 2*rows+3*rows*outputs+3*outputs)
	take := func(n int) []float64 {
		part := room[:n:n]
		room = room[n:]
		return part
	}
	return &blockRoom{take(rows), take(rows), take(rows * outputs), take(rows * outputs), take(rows * outputs), take(3 * outputs)}
}

// judge fills residuals and curvatures and returns Σ w·loss of the given rows.
func (b *blockRoom) judge(t *table, loss Loss, rows []int32) float64 {
	all := len(rows) * t.outputs
	y, w, scores := b.of(t, rows)
	if l, ok := blocks(loss); ok {
		return l.rows(y, w, scores, b.residuals[:all], b.curvatures[:all])
	}
	return eachRow(loss, y, w, scores, b.residuals[:all], b.curvatures[:all], b.row)
}

// of returns the targets, the weights and the scores of the given rows, side by side:
// those of the table, which are not to be written, or copies.
func (b *blockRoom) of(t *table, rows []int32) (y, w, scores []float64) {
	m := len(rows)
	if first, last := int(rows[0]), int(rows[m-1])+1; last-first == m { // rows ascend
		y, w = t.y[first:last], t.w[first:last]
		if t.outputs == 1 {
			return y, w, t.scores[first:last]
		}
		for k := range t.outputs {
			copy(b.scores[k*m:(k+1)*m], t.of(k)[first:])
		}
		return y, w, b.scores[:m*t.outputs]
	}
	for at, i := range rows {
		b.y[at], b.w[at] = t.y[i], t.w[i]
	}
	for k := range t.outputs {
		of, block := t.of(k), b.scores[k*m:(k+1)*m]
		for at, i := range rows {
			block[at] = of[i]
		}
	}
	return b.y[:m], b.w[:m], b.scores[:m*t.outputs]
}

// trial is the course of a fit.
type trial struct {
	schedule
	team        *par.Team // to be closed when the fit ends
	train, held *table    // held is nil without validation rows
	outputs     int
	occurring   int // classes with training rows of positive weight, 0 in regression
	start       []float64
	told        Loss // by which rounds are told and compared

	training, validation []float64 // after each round
	best                 int       // rounds that are kept: up to the lowest loss
	progressed           int       // the last round whose loss was lower by the tolerance
	stopped, interrupted bool
	reporter             *report.Reporter
}

// prepare holds validation rows back, of X with class codes or targets y and weights
// w, and gives all rows their first scores.
func (c schedule) prepare(X *mat.Dense, y, w []float64, levels []int, allowMissing bool) (*trial, error) {
	if err := c.ready(); err != nil {
		return nil, err
	}
	t := &trial{schedule: c, reporter: report.To(c.progress, "ensemble", 1, c.rounds)}
	switch {
	case c.validation != nil:
		held, err := c.given(X, levels, allowMissing)
		if err != nil {
			return nil, err
		}
		t.held, t.train = held, newTable(X, y, w)
	case c.validationFraction > 0:
		if err := t.holdBack(X, y, w); err != nil {
			return nil, err
		}
	default:
		t.train = newTable(X, y, w)
	}
	if t.outputs = c.loss.Outputs(c.classes); t.outputs < 1 {
		return nil, configError("the loss %T is not for %s", c.loss, task(c.classes))
	}
	t.occurring = t.train.classes(c.classes)
	t.start = c.loss.Start(t.train.y, t.train.w, c.classes)
	t.train.start(t.start)
	t.told = t.lossNow()
	t.team = par.NewTeam(c.workers)
	t.train.team = t.team
	if t.held != nil {
		t.held.team = t.team
		t.held.start(t.start)
	}
	return t, nil
}

func task(classes int) string {
	if classes == 0 {
		return "regression"
	}
	return fmt.Sprintf("%d classes", classes)
}

// given checks the validation set.
func (c schedule) given(X *mat.Dense, levels []int, allowMissing bool) (*table, error) {
	v := c.validation
	_, d := X.Dims()
	if v.X == nil {
		return nil, fmt.Errorf("ensemble: Validation: %w: X is nil", mlcore.ErrEmpty)
	}
	if err := checkInput(v.X, d, levels, allowMissing); err != nil {
		return nil, fmt.Errorf("ensemble: Validation: %w", err)
	}
	n := v.Len()
	if err := mlcore.CheckWeights(v.Weights, n); err != nil {
		return nil, fmt.Errorf("ensemble: Validation: %w", err)
	}
	if c.classes == 0 {
		if err := mlcore.CheckTargets(v.Target, n); err != nil {
			return nil, fmt.Errorf("ensemble: Validation: %w", err)
		}
		return newTable(v.X, v.Target, v.Weights), nil
	}
	if err := mlcore.CheckLabels(v.Y, n, c.classes); err != nil {
		return nil, fmt.Errorf("ensemble: Validation: %w", err)
	}
	return newTable(v.X, codes(v.Y), v.Weights), nil
}

// holdBack draws the validation rows.
func (t *trial) holdBack(X *mat.Dense, y, w []float64) error {
	rows := given.Weighted(w, len(y))
	n := len(rows)
	m := int(math.Round(t.validationFraction * float64(n)))
	if m < 1 || m >= n {
		return configError("ValidationFraction is %v, which is %d of %d rows of positive weight; both parts need some", t.validationFraction, m, n)
	}
	rest := make([]int, 0, n-m)
	held := choose(mlcore.NewRand(t.seed, streamValidation), n, m)
	for k, next := 0, 0; k < n; k++ {
		if next < m && held[next] == k {
			held[next] = rows[k]
			next++
		} else {
			rest = append(rest, rows[k])
		}
	}
	for _, part := range []struct {
		to   **table
		name string
		rows []int
	}{{&t.train, "training", rest}, {&t.held, "validation", held}} {
		own := given.Pick(w, part.rows)
		if err := mlcore.CheckWeights(own, len(part.rows)); err != nil {
			return fmt.Errorf("ensemble: the %s rows: %w", part.name, err)
		}
		*part.to = newTable(given.Subset(X, part.rows), given.Pick(y, part.rows), own)
	}
	return nil
}

// The random streams of a seed: of the rows of round r (streamRows, r) and so on.
const (
	streamRows = iota
	streamColumns
	streamValidation
	streamBins
)

// sample splits the training rows into those that grow the trees of round r and
// the others.
func (t *trial) sample(r int) (in, out []int32) {
	rows := t.train.rows
	if t.sampleShare == 1 {
		return rows, nil
	}
	m := max(1, int(math.Round(t.sampleShare*float64(len(rows)))))
	drawn := choose(mlcore.NewRand(t.seed, streamRows, uint64(r)), len(rows), m)
	for k, i := range rows {
		if len(in) < m && drawn[len(in)] == k {
			in = append(in, i)
		} else {
			out = append(out, i)
		}
	}
	return in, out
}

// addTree adds a tree's predictions to the scores of output k of all rows.
func (t *trial) addTree(rows *table, a addend, k int) {
	par.Sure(par.Chunks(rows.len(), tableChunk, t.workers, func(lo, hi int) error {
		a.AddValues(rows.of(k), rows.X, lo, hi)
		return nil
	}))
}

// lossNow is the loss of the next round; only that of a Huber without Delta
// changes.
func (t *trial) lossNow() Loss {
	if h, ok := t.loss.(Huber); ok {
		return h.at(t.train.y, t.train.w, t.train.scores)
	}
	return t.loss
}

// finish records the losses after a round, of which training is the loss by
// lossNow, and reports whether training goes on.
func (t *trial) finish(training float64) (bool, error) {
	if _, moves := t.loss.(Huber); moves {
		// A loss with another Delta cannot be compared: it falls as Delta does.
		training = t.train.judge(t.told, nil)
	}
	t.training = append(t.training, training)
	round := len(t.training)
	validation := math.NaN()
	if t.held != nil {
		validation = t.held.judge(t.told, nil)
	}
	if bad := training - training + validation - validation; bad != 0 && (t.held != nil || training-training != 0) {
		return false, fmt.Errorf("ensemble: %w: the losses after round %d are %v and %v; lower LearningRate, or scale the targets", mlcore.ErrNonFinite, round, training, validation)
	}
	if t.held == nil {
		t.best = round
	} else {
		t.validation = append(t.validation, validation)
		if t.best == 0 || validation < t.validation[t.best-1] {
			t.best = round
		}
		if t.progressed == 0 || validation < t.validation[t.progressed-1]-t.tolerance {
			t.progressed = round
		}
	}
	err := t.reporter.Step(0, round, report.Losses{Loss: training, Validation: validation, Measure: math.NaN()})
	if errors.Is(err, mlcore.ErrStop) {
		t.interrupted = true
		return false, nil
	}
	t.stopped = t.patience > 0 && round-t.progressed >= t.patience
	return !t.stopped, err
}

// kept is how many rounds the model keeps: without patience, all.
func (t *trial) kept() int {
	if t.patience == 0 {
		return len(t.training)
	}
	return t.best
}

// codes returns class codes as numbers.
func codes(y []int) []float64 {
	v := make([]float64, len(y))
	for i, c := range y {
		v[i] = float64(c)
	}
	return v
}

// checkInput validates X against what a model was fitted with.
func checkInput(X mat.Matrix, features int, levels []int, allowMissing bool) error {
	if err := mlcore.CheckFeatures(X, features); err != nil {
		return err
	}
	if err := mlcore.CheckMatrix(X, allowMissing); err != nil {
		return err
	}
	return mlcore.CheckLevels(X, levels)
}

// classLoss returns loss or, where that is nil, the usual one of this many
// classes.
func classLoss(loss Loss, classes int) Loss {
	switch {
	case loss != nil:
		return loss
	case classes == 2:
		return Logistic{}
	}
	return Softmax{}
}
