package neural

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/internal/report"
)

// A training is the state of fitting a network: the network itself, its optimizer,
// and what becomes the history and the status of the model.
type training struct {
	cfg   Config
	net   *Network
	learn *backprop
	valid *backprop // nil: no validation rows
	score func(m measure, valid bool) float64
	steps steps
	told  *report.Reporter

	order      []int // of the training rows
	validRows  []int
	step       uint64
	history    []Epoch
	status     mlcore.Status
	remarks    []string
	firstLoss  float64
	bestLoss   float64 // the lowest
	bestEpoch  int
	lastLoss   float64 // of the last epoch that was progress, by Tol
	lastEpoch  int
	bestParams []float64
}

// explosion is how many times the loss of the first batch, or 1 if that is less,
// counts as divergence.
const explosion = 1e6

// train fits the network to train. valid may have no rows. score makes a Score of
// a measure.
func (c Config) train(net *Network, train, valid data, score func(m measure, valid bool) float64) (*training, error) {
	team := par.NewTeam(c.Workers)
	defer team.Close()
	tr := &training{
		cfg: c, net: net, score: score, learn: newBackprop(net, train, team),
		steps: c.steps(len(net.params.Values)), told: report.To(c.Progress, "neural", 1, c.Epochs), order: make([]int, train.in.n), bestLoss: math.Inf(1), lastLoss: math.Inf(1),
	}
	if valid.in != nil {
		tr.valid = newBackprop(net, valid, team)
		tr.validRows = count(valid.in.n)
	}
	tr.remarks = scaleAdvice(train.in)
	tr.status.Outcome = mlcore.IterationLimit
	for epoch := range c.Epochs {
		if err := tr.epoch(epoch); err != nil {
			return nil, err
		}
		done, err := tr.judge()
		if err != nil {
			return nil, err
		}
		if done {
			break
		}
	}
	tr.status.Iterations = len(tr.history)
	if tr.bestParams == nil {
		tr.bestEpoch = len(tr.history)
	} else {
		copy(net.params.Values, tr.bestParams)
	}
	tr.status.Advice = strings.Join(append(tr.remarks, tr.outcomeAdvice(train.t)...), "; ")
	return tr, nil
}

// count returns 0 … n-1.
func count(n int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = i
	}
	return v
}

// allRows reports whether an optimizer makes one step of all the rows.
func allRows(o Optimizer) bool {
	switch o.(type) {
	case GradientDescent, *GradientDescent:
		return true
	}
	return false
}

// batchSize is the number of rows of a step.
func (c Config) batchSize(n int) int {
	if allRows(c.Optimizer) {
		return n
	}
	if c.BatchSize == 0 {
		return min(DefaultBatchSize, n)
	}
	return min(c.BatchSize, n)
}

// epoch goes through the rows once, a step a batch, and appends to the history.
func (tr *training) epoch(epoch int) error {
	for i := range tr.order {
		tr.order[i] = i
	}
	if !tr.cfg.NoShuffle {
		mlcore.NewRand(tr.cfg.Seed, streamShuffle, uint64(epoch)).Shuffle(len(tr.order), func(i, j int) {
			tr.order[i], tr.order[j] = tr.order[j], tr.order[i]
		})
	}
	rate := float64(tr.cfg.LearningRate * tr.cfg.Schedule.Factor(epoch, tr.cfg.Epochs))
	var drop *dropStream
	if tr.cfg.Dropout > 0 {
		drop = &dropStream{seed: tr.cfg.Seed}
	}
	var all measure
	for batch := range slices.Chunk(tr.order, tr.cfg.batchSize(len(tr.order))) {
		if drop != nil {
			drop.step = tr.step
		}
		m := tr.learn.backpropagate(batch, drop)
		if tr.step == 0 {
			tr.firstLoss = m.loss
		}
		if m.loss-m.loss != 0 || m.loss > explosion*max(1, tr.firstLoss) {
			return tr.diverged(epoch, m.loss)
		}
		tr.learn.take(tr.steps, rate)
		tr.step++
		m.loss = float64(m.loss * m.weight)
		all.add(m)
	}
	if all.loss /= all.weight; all.loss-all.loss != 0 || !tr.net.params.finite() {
		return tr.diverged(epoch, math.Inf(1))
	}
	e := Epoch{Number: epoch + 1, LearningRate: rate, Train: Measure{all.loss, tr.score(all, false)}}
	if tr.valid != nil {
		m := tr.valid.evaluate(tr.validRows)
		if m.loss-m.loss != 0 {
			return tr.diverged(epoch, m.loss)
		}
		e.Validated, e.Validation = true, Measure{m.loss, tr.score(m, true)}
	}
	tr.history = append(tr.history, e)
	return nil
}

func (tr *training) diverged(epoch int, loss float64) error {
	advice := ""
	if tr.net.loss == Squared {
		advice = " and targets"
	}
	for _, remark := range tr.remarks {
		advice += "; " + remark
	}
	return fmt.Errorf("neural: %w: the loss is %v in epoch %d, step %d; lower LearningRate (%v) or scale the features%s",
		ErrDiverged, loss, epoch+1, tr.step+1, tr.cfg.LearningRate, advice)
}

// judge reports the latest epoch and says whether it was the last.
func (tr *training) judge() (done bool, err error) {
	e := tr.history[len(tr.history)-1]
	loss := e.Train.Loss
	if e.Validated {
		loss = e.Validation.Loss
	}
	if loss < tr.lastLoss-tr.cfg.Tol {
		tr.lastLoss, tr.lastEpoch = loss, e.Number
	}
	if loss < tr.bestLoss {
		tr.bestLoss, tr.bestEpoch = loss, e.Number
		if e.Validated && tr.cfg.Patience > 0 {
			tr.bestParams = append(tr.bestParams[:0], tr.net.params.Values...)
		}
	}
	losses := report.Loss(e.Train.Loss)
	if e.Validated {
		losses.Validation = e.Validation.Loss
	}
	if err := tr.told.Step(0, e.Number, losses); errors.Is(err, mlcore.ErrStop) {
		tr.status.Outcome = mlcore.Interrupted
		return true, nil
	} else if err != nil {
		return false, err
	}
	if tr.cfg.Patience > 0 && e.Number-tr.lastEpoch >= tr.cfg.Patience {
		tr.status.Outcome = mlcore.Converged
		if e.Validated {
			tr.status.Outcome = mlcore.EarlyStopped
		}
		return true, nil
	}
	return false, nil
}
