package ensemble

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/cart"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// GradientBoostingConfig says how gradient boosting is trained, with CART trees
// and exact splits (Friedman, 2001, "Greedy function approximation: a gradient
// boosting machine"). Its zero value makes, like scikit-learn's defaults, 100
// rounds of trees of depth 3 with learning rate 0.1.
//
// The model is a sum. It starts as a constant, the one with the least loss. Each
// round looks at the residuals of the training rows, which for [Squared] are
// targets less predictions, fits a regression tree to them, and adds it:
//
//	F_0(x) = argmin_c Σ w·L(y, c)
//	r_i    = -∂L(y_i, s)/∂s at s = F_{m-1}(x_i)
//	tree m = a regression tree fitted to (x_i, r_i)
//	γ_leaf = about argmin_γ Σ w·L(y_i, F_{m-1}(x_i)+γ) over the leaf's rows
//	F_m(x) = F_{m-1}(x) + LearningRate·γ of the leaf of x
//
// With K classes under [Softmax] there are K such sums, and each round fits a
// tree for each.
//
// [HistBoostingConfig] is faster where there are many rows.
type GradientBoostingConfig struct {
	// Loss is what boosting lowers; nil means Squared for regression, Logistic
	// for two classes and Softmax for any other number of classes.
	Loss Loss
	// Estimators is the greatest number of rounds, each of which fits a tree, or one
	// for each class; 0 means 100.
	Estimators int
	// LearningRate shrinks each tree; 0 means 0.1.
	LearningRate float64
	// Tree says how the trees are grown. MaxDepth 0, which would boost full trees,
	// means 3, unless MaxLeafNodes is set. Criterion is one of regression. Boosting
	// sets its Seed and Workers and has no use for its ClassWeight; setting them is
	// an error.
	Tree tree.Config
	// Subsample is the share of the rows that is drawn for each round, without
	// replacement (Friedman, 2002, "Stochastic gradient boosting"); 0 means 1.
	Subsample float64
	// Validation holds rows on which the loss is watched, by weight where they have
	// weights. Its columns, levels and classes are found by their names, see
	// [mlcore.Dataset.Align].
	Validation *mlcore.Dataset
	// ValidationFraction, where positive, is the share of the training rows that is
	// drawn to be held back as validation rows.
	ValidationFraction float64
	// Patience ends training after this many rounds without a lower validation
	// loss; the model then keeps the rounds up to the lowest. 0 means never.
	Patience int
	// Tol is how far below the last validation loss that counted as lower the next has to
	// be to count, for Patience. Which rounds the model keeps does not depend on it, but on
	// where training ends.
	Tol float64
	// Progress, where not nil, is called after each round with the mean losses.
	Progress func(mlcore.Progress) error
	// Seed starts the random draws.
	Seed uint64
	// Workers is the greatest number of goroutines; 0 means one per processor.
	// The model is the same whatever it is.
	Workers int
}

// A GradientBoosting is a fitted classifier of gradient boosting. It is
// immutable and safe for concurrent use.
type GradientBoosting struct {
	boostedClassifier[*boostedTree]
}

// A GradientBoostingRegressor is a fitted regressor of gradient boosting. It is
// immutable and safe for concurrent use.
type GradientBoostingRegressor struct {
	boostedRegressor[*boostedTree]
}

var (
	_ mlcore.ProbClassifier = (*GradientBoosting)(nil)
	_ mlcore.Regressor      = (*GradientBoostingRegressor)(nil)
)

// A boostedTree is a regression tree whose leaves got their values by a line
// search.
type boostedTree struct {
	tree  *flattree.Regressor
	value []float64 // by node, the learning rate included; 0 at inner nodes
}

// AddValues implements addend.
func (t *boostedTree) AddValues(dst []float64, X *mat.Dense, lo, hi int) {
	t.tree.Tree().EachLeaf(X, lo, hi, func(i int, leaf int32) { dst[i] += t.value[leaf] })
}

// FitClassifier trains gradient boosting on a Dataset: categorical columns are split
// as categories, and levels, classes and sample weights are those of ds; Validation is
// brought into its form. The model carries the names of columns and classes. Errors
// wrap [mlcore.ErrConfig] for a setting out of range, and those of
// [mlcore.Dataset.Validate] for bad data.
func (c GradientBoostingConfig) FitClassifier(ds *mlcore.Dataset) (*GradientBoosting, error) {
	return fitted.Classifier(ds, takes(c.Tree), func(ds *mlcore.Dataset) (*GradientBoosting, error) {
		if w := c.Tree.ClassWeight; w.Balanced || w.Weights != nil {
			return nil, configError("Tree.ClassWeight is not for regression trees; use the Dataset's Weights")
		}
		classes := ds.NumClasses()
		c.Loss = classLoss(c.Loss, classes)
		b, err := c.fit(ds, codes(ds.Y), classes)
		if err != nil {
			return nil, err
		}
		return &GradientBoosting{boostedClassifier[*boostedTree]{*b, classes}}, nil
	})
}

// FitRegressor trains gradient boosting on a Dataset; otherwise it is like
// [GradientBoostingConfig.FitClassifier].
func (c GradientBoostingConfig) FitRegressor(ds *mlcore.Dataset) (*GradientBoostingRegressor, error) {
	return fitted.Regressor(ds, takes(c.Tree), func(ds *mlcore.Dataset) (*GradientBoostingRegressor, error) {
		if err := fitted.NoClassWeight(c.Tree.ClassWeight); err != nil {
			return nil, fmt.Errorf("ensemble: %w", err)
		}
		if c.Loss == nil {
			c.Loss = Squared{}
		}
		if err := checkTargets(ds.Target, c.Loss); err != nil {
			return nil, err
		}
		b, err := c.fit(ds, ds.Target, 0)
		if err != nil {
			return nil, err
		}
		return &GradientBoostingRegressor{boostedRegressor[*boostedTree]{*b}}, nil
	})
}

// alignedTo brings validation rows, if there are any, into the form of the training
// data.
func alignedTo(ds, validation *mlcore.Dataset) (*mlcore.Dataset, error) {
	if validation == nil {
		return nil, nil
	}
	aligned, err := validation.Align(ds.Schema())
	if err != nil {
		return nil, fmt.Errorf("ensemble: Validation: %w", err)
	}
	return aligned, nil
}

// checkTargets refuses targets of which the squares vanish where the loss needs them.
func checkTargets(y []float64, loss Loss) error {
	greatest := 0.0
	for _, v := range y {
		greatest = max(greatest, math.Abs(v))
	}
	if _, absolute := loss.(Absolute); greatest > 0 && greatest < 0x1p-500 && !absolute {
		return fmt.Errorf("ensemble: %w: the greatest target is %v, of which the square is as good as 0; give the targets in a smaller unit", mlcore.ErrNonFinite, greatest)
	}
	return nil
}

func (c GradientBoostingConfig) schedule(classes int) schedule {
	return schedule{
		loss: c.Loss, rounds: c.Estimators, learningRate: c.LearningRate, sampleShare: c.Subsample,
		validation: c.Validation, validationFraction: c.ValidationFraction, patience: c.Patience, tolerance: c.Tol,
		classes: classes, seed: c.Seed, workers: c.Workers, progress: c.Progress,
	}
}

// growth returns the settings of the trees.
func (c GradientBoostingConfig) growth() tree.Config {
	cfg := c.Tree
	if cfg.MaxDepth == 0 && cfg.MaxLeafNodes == 0 {
		cfg.MaxDepth = 3
	}
	return cfg
}

// fit makes the rounds; y holds targets or codes of so many classes.
func (c GradientBoostingConfig) fit(ds *mlcore.Dataset, y []float64, classes int) (*boosted[*boostedTree], error) {
	switch {
	case c.Tree.Seed != 0:
		return nil, configError("Tree.Seed is set by boosting; use its Seed")
	case c.Tree.Workers != 0:
		return nil, configError("Tree.Workers is set by boosting; use its Workers")
	}
	var err error
	if c.Validation, err = alignedTo(ds, c.Validation); err != nil {
		return nil, err
	}
	levels := ds.Levels()
	t, err := c.schedule(classes).prepare(ds.X, y, ds.Weights, levels, c.Tree.AllowMissing)
	if err != nil {
		return nil, err
	}
	defer t.team.Close()
	b, err := ranks.Of(t.train.X, levels, c.Tree.AllowMissing, c.Workers)
	if err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	m := &boosted[*boostedTree]{features: ds.NumFeatures(), levels: levels, missing: c.Tree.AllowMissing, start: t.start}
	pulls := newPulls(t.train.len(), t.outputs)
	loss := t.lossNow()
	t.train.judge(loss, pulls.put)
	room := newRoundRoom(t.train.len(), t.outputs)
	room.trees = cart.NewSeries(t.team)
	defer room.trees.Close()
	for r, more := 0, true; more && r < t.rounds; r++ {
		in, _ := t.sample(r)
		for k := range t.outputs {
			grown, err := c.grow(t, b, loss, pulls, room, in, r, k)
			if err != nil {
				if !kernel.Finite(pulls.residuals) { // which the tree takes for the caller's targets
					err = fmt.Errorf("%w: residuals overflow; lower LearningRate, or scale the targets", mlcore.ErrNonFinite)
				}
				return nil, fmt.Errorf("ensemble: round %d: %w", r+1, err)
			}
			m.trees = append(m.trees, grown)
		}
		// Only now, for the K trees of a round look at the same scores.
		for k := range t.outputs {
			grown, scores := m.trees[r*t.outputs+k], t.train.of(k)
			for i, leaf := range room.reached[k] {
				scores[i] += grown.value[leaf]
			}
			if t.held != nil {
				t.addTree(t.held, grown, k)
			}
		}
		loss = t.lossNow()
		if more, err = t.finish(t.train.judge(loss, pulls.put)); err != nil {
			return nil, err
		}
	}
	m.trees = m.trees[:t.kept()*t.outputs]
	m.training, m.validation, m.stopped, m.interrupted = t.training, t.validation, t.stopped, t.interrupted
	return m, nil
}

// pulls are the residuals and curvatures of all rows, output by output.
type pulls struct {
	n                     int
	residuals, curvatures []float64
}

func newPulls(n, outputs int) *pulls {
	return &pulls{n, make([]float64, n*outputs), make([]float64, n*outputs)}
}

func (p *pulls) put(rows []int32, residuals, curvatures []float64) {
	for at, r := range residuals {
		k, i := at/len(rows), int(rows[at%len(rows)])
		p.residuals[k*p.n+i], p.curvatures[k*p.n+i] = r, curvatures[at]
	}
}

// A roundRoom is memory that all rounds of a fit use.
type roundRoom struct {
	trees   *cart.Series
	copies  []int32   // by row: 1 for those that grow the tree
	reached [][]int32 // by output: the leaf of each row in the tree of the round
	members []int32   // the rows that grow the tree, leaf after leaf
	ends    []int     // by node: where its rows end in members
	leaf    []float64 // for trial.leaf
}

func newRoundRoom(n, outputs int) *roundRoom {
	room := &roundRoom{copies: make([]int32, n), reached: make([][]int32, outputs)}
	for k := range room.reached {
		room.reached[k] = make([]int32, n)
	}
	return room
}

// byLeaf puts rows into members in the order of their leaves, of a tree of so many nodes.
func (room *roundRoom) byLeaf(rows, leaves []int32, nodes int) {
	room.members, room.ends = reuse.Slice(room.members, len(rows)), reuse.Slice(room.ends, nodes)
	clear(room.ends)
	for _, i := range rows {
		room.ends[leaves[i]]++
	}
	from := 0
	for node, n := range room.ends {
		room.ends[node] = from // until its rows are there
		from += n
	}
	for _, i := range rows {
		at := &room.ends[leaves[i]]
		room.members[*at] = i
		*at++
	}
}

// grow fits the tree of round r and output k to the residuals of the rows in in,
// finds the steps of its leaves, and tells in room which leaf each row reaches.
func (c GradientBoostingConfig) grow(t *trial, b *ranks.Table, loss Loss, p *pulls, room *roundRoom, in []int32, r, k int) (*boostedTree, error) {
	cfg := c.growth()
	cfg.Seed, cfg.Workers = mlcore.DeriveSeed(c.Seed, streamColumns, uint64(r), uint64(k)), c.Workers
	clear(room.copies)
	for _, i := range in {
		room.copies[i] = 1
	}
	residuals := p.residuals[k*p.n : (k+1)*p.n]
	fitted, err := cart.Config(cfg).FitRegressor(b, residuals, t.train.w, room.copies, room.trees)
	if err != nil {
		return nil, err
	}
	// The rows were checked once, before the first round.
	leaves := room.reached[k]
	fitted.Tree().EachRow(t.train.X, func(i int, leaf int32) { leaves[i] = leaf })
	nodes := len(fitted.Tree().Nodes)
	room.byLeaf(in, leaves, nodes)
	grown := &boostedTree{tree: fitted, value: make([]float64, nodes)}
	from := 0
	for node, to := range room.ends {
		if rows := room.members[from:to]; len(rows) > 0 {
			v := float64(t.learningRate * loss.Step(t.leaf(p, room, k, rows)))
			if v-v != 0 { // which not every loss shows
				return nil, fmt.Errorf("ensemble: %w: a leaf of round %d moves scores by %v; lower LearningRate, or scale the targets", mlcore.ErrNonFinite, r+1, v)
			}
			grown.value[node] = v
		}
		from = to
	}
	return grown, nil
}

// leaf returns what the rows of a leaf look like to the loss, in memory that the next leaf
// uses too.
func (t *trial) leaf(p *pulls, rounds *roundRoom, k int, rows []int32) Leaf {
	n := len(rows)
	rounds.leaf = reuse.Slice(rounds.leaf, 5*n)
	room := rounds.leaf
	l := Leaf{Outputs: t.outputs, Classes: t.occurring, Y: room[:n], W: room[n : 2*n], Scores: room[2*n : 3*n], Residuals: room[3*n : 4*n], Curvatures: room[4*n:]}
	scores := t.train.of(k)
	for at, i := range rows {
		l.Y[at], l.W[at], l.Scores[at] = t.train.y[i], t.train.w[i], scores[i]
		l.Residuals[at], l.Curvatures[at] = p.residuals[k*p.n+int(i)], p.curvatures[k*p.n+int(i)]
	}
	return l
}

// FeatureImportances returns for each column the share of the decrease of
// impurity that its splits bring, over all trees; the shares sum to 1, or are
// all 0 where no tree has a split that helps.
func (m *GradientBoosting) FeatureImportances() []float64 { return decreases(&m.boosted) }

// FeatureImportances returns for each column the share of the decrease of
// impurity that its splits bring, over all trees; the shares sum to 1, or are
// all 0 where no tree has a split that helps.
func (m *GradientBoostingRegressor) FeatureImportances() []float64 { return decreases(&m.boosted) }

// decreases weighs trees by how much they explain, unlike the mean of their own
// importances: late trees, of small residuals, count for little.
func decreases(m *boosted[*boostedTree]) []float64 {
	sum := make([]float64, m.features)
	for _, t := range m.trees {
		whole := t.tree.Tree().Weight[0]
		t.tree.Tree().EachFall(func(feature int32, fall float64) { sum[feature] += fall / whole })
	}
	return shares(sum)
}
