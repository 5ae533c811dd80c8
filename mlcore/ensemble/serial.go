package ensemble

import (
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/histtree"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// Out-of-bag results are not part of a file.
var (
	_ = archive.Register("ensemble.Forest", 1, func(c *archive.Coder, m *Forest) {
		c.Int("features", &m.features)
		c.Int("classes", &m.classes)
		c.Bool("vote", &m.vote)
		archive.List(c, "trees", &m.trees, func(_ int, t **flattree.Classifier) {
			fresh(t)
			(*t).Fields(c)
			c.Check((*t).Distributions().Classes <= m.classes, "a tree of %d classes in a forest of %d", (*t).Distributions().Classes, m.classes)
		})
		checkCount(c, m.classes)
		m.checkTrees(c)
	})
	_ = archive.Register("ensemble.RegressionForest", 1, func(c *archive.Coder, m *RegressionForest) {
		c.Int("features", &m.features)
		archive.List(c, "trees", &m.trees, func(_ int, t **flattree.Regressor) {
			fresh(t)
			(*t).Fields(c)
		})
		m.checkTrees(c)
	})
	_ = archive.Register("ensemble.AdaBoost", 1, func(c *archive.Coder, m *AdaBoost) {
		c.Int("features", &m.features)
		c.Int("classes", &m.classes)
		c.Ints("occurring", &m.occurring)
		archive.Status(c, "status", &m.status)
		c.Float64s("alphas", &m.alphas)
		c.Float64s("errors", &m.errors)
		archive.Parts(c, "members", &m.members)
		if c.Reading() {
			m.checkRead(c)
		}
	})
	_ = archive.Register("ensemble.Bagging", 1, func(c *archive.Coder, m *Bagging) {
		c.Int("features", &m.features)
		c.Int("classes", &m.classes)
		c.Bool("vote", &m.vote)
		archive.Parts(c, "members", &m.members)
		columnFields(c, &m.columns, len(m.members), m.features)
		checkClassifiers(c, m.features, m.classes, m.members, m.columns)
	})
	_ = archive.Register("ensemble.BaggingRegressor", 1, func(c *archive.Coder, m *BaggingRegressor) {
		c.Int("features", &m.features)
		archive.Parts(c, "members", &m.members)
		columnFields(c, &m.columns, len(m.members), m.features)
		checkMembers(c, m.features, m.members, m.columns)
	})
	_ = archive.Register("ensemble.Voting", 1, func(c *archive.Coder, m *Voting) {
		c.Int("features", &m.features)
		c.Int("classes", &m.classes)
		c.Bool("soft", &m.soft)
		archive.Parts(c, "members", &m.members)
		weightFields(c, &m.weights, len(m.members))
		checkClassifiers(c, m.features, m.classes, m.members, nil)
	})
	_ = archive.Register("ensemble.VotingRegressor", 1, func(c *archive.Coder, m *VotingRegressor) {
		c.Int("features", &m.features)
		archive.Parts(c, "members", &m.members)
		weightFields(c, &m.weights, len(m.members))
		checkMembers(c, m.features, m.members, nil)
	})
	_ = archive.Register("ensemble.Stacking", 1, func(c *archive.Coder, m *Stacking) {
		m.stack.fields(c)
		c.Int("classes", &m.classes)
		archive.Parts(c, "members", &m.members)
		archive.Part(c, "final", &m.final)
		checkClassifiers(c, m.features, m.classes, m.members, nil)
		failRead(c, m.check)
	})
	_ = archive.Register("ensemble.StackingRegressor", 1, func(c *archive.Coder, m *StackingRegressor) {
		m.stack.fields(c)
		archive.Parts(c, "members", &m.members)
		archive.Part(c, "final", &m.final)
		checkMembers(c, m.features, m.members, nil)
		failRead(c, m.check)
	})
	_ = archive.Register("ensemble.GradientBoosting", 2, func(c *archive.Coder, m *GradientBoosting) {
		c.Int("classes", &m.classes)
		m.boosted.fields(c, m.classes, func(t **boostedTree) { boostedTreeFields(c, t, &m.boosted) })
		checkCount(c, m.classes)
	})
	_ = archive.Register("ensemble.GradientBoostingRegressor", 2, func(c *archive.Coder, m *GradientBoostingRegressor) {
		m.boosted.fields(c, 0, func(t **boostedTree) { boostedTreeFields(c, t, &m.boosted) })
	})
	_ = archive.Register("ensemble.HistBoosting", 2, func(c *archive.Coder, m *HistBoosting) {
		c.Int("classes", &m.classes)
		m.boosted.fields(c, m.classes, func(t **histtree.Tree) { histTreeFields(c, t, &m.boosted) })
		checkCount(c, m.classes)
	})
	_ = archive.Register("ensemble.HistBoostingRegressor", 2, func(c *archive.Coder, m *HistBoostingRegressor) {
		m.boosted.fields(c, 0, func(t **histtree.Tree) { histTreeFields(c, t, &m.boosted) })
	})
)

// fresh makes an empty part to read into.
func fresh[T any](t **T) {
	if *t == nil {
		*t = new(T)
	}
}

func checkCount(c *archive.Coder, classes int) {
	c.Check(classes >= 1 && classes <= flattree.MaxClasses, "%d classes", classes)
}

// checkTrees refuses trees that do not accept the same X, as only the first is asked.
func (g *grove[T]) checkTrees(c *archive.Coder) {
	if !c.Reading() {
		return
	}
	c.Check(g.features >= 1 && len(g.trees) >= 1, "%d trees on %d features", len(g.trees), g.features)
	for t, m := range g.trees {
		own, first := m.Tree(), g.trees[0].Tree()
		c.Check(own.Features == g.features, "tree %d has %d features, the forest %d", t, own.Features, g.features)
		c.Check(own.Missing == first.Missing && slices.Equal(own.Levels, first.Levels), "tree %d takes other columns than tree 0", t)
	}
	g.walk = flattree.NewTrees(g.trees)
}

func (m *AdaBoost) checkRead(c *archive.Coder) {
	c.Check(m.classes >= 2 && len(m.alphas) == len(m.members) && len(m.errors) == len(m.members),
		"%d classes, %d alphas and %d errors for %d members", m.classes, len(m.alphas), len(m.errors), len(m.members))
	c.Check(len(m.occurring) >= 2, "%d classes that occur", len(m.occurring))
	for i, k := range m.occurring {
		c.Check(k >= 0 && k < m.classes && (i == 0 || k > m.occurring[i-1]), "class %d of %d occurs", k, m.classes)
	}
	var first *flattree.Tree
	for t, m := range m.members {
		m, ok := m.(*tree.Classifier)
		if !ok {
			continue
		}
		own := (*flattree.Classifier)(m).Tree()
		if first == nil {
			first = own
		}
		c.Check(own.Missing == first.Missing && slices.Equal(own.Levels, first.Levels), "tree %d takes other columns than the first", t)
	}
	checkClassifiers(c, m.features, m.classes, m.members, nil)
}

// checkClassifiers is checkMembers for classifiers; none may know more classes than
// the ensemble.
func checkClassifiers[M mlcore.Classifier](c *archive.Coder, features, classes int, members []M, columns [][]int) {
	if !c.Reading() {
		return
	}
	checkCount(c, classes)
	checkMembers(c, features, members, columns)
	for t, m := range members {
		c.Check(m.NumClasses() <= classes, "member %d has %d classes, the ensemble %d", t, m.NumClasses(), classes)
	}
}

// checkMembers refuses an ensemble without members, and members that do not take the
// columns that the ensemble gives them: all features, or columns[t] where that is not
// nil.
func checkMembers[M interface{ NumFeatures() int }](c *archive.Coder, features int, members []M, columns [][]int) {
	if !c.Reading() {
		return
	}
	c.Check(features >= 1 && len(members) >= 1, "%d members on %d features", len(members), features)
	for t, m := range members {
		want := features
		if columns != nil && columns[t] != nil {
			want = len(columns[t])
		}
		c.Check(m.NumFeatures() == want, "member %d has %d features, the ensemble gives it %d", t, m.NumFeatures(), want)
	}
}

// columnFields takes the columns of each of n members, nil for all.
func columnFields(c *archive.Coder, columns *[][]int, n, features int) {
	archive.List(c, "columns", columns, func(_ int, member *[]int) {
		c.OptionalInts("columns", member)
		for _, j := range *member {
			c.Check(j >= 0 && j < features, "a member uses column %d of %d", j, features)
		}
	})
	c.Check(len(*columns) == n, "columns of %d members, there are %d", len(*columns), n)
}

func (s *stack) fields(c *archive.Coder) {
	c.Int("features", &s.features)
	c.Bool("passthrough", &s.passthrough)
}

// failRead fails where check refuses what was read.
func failRead(c *archive.Coder, check func() error) {
	if !c.Reading() {
		return
	}
	if err := check(); err != nil {
		c.Fail("%v", err)
	}
}

// weightFields takes the weights of n members, or none.
func weightFields(c *archive.Coder, weights *[]float64, n int) {
	c.Float64s("weights", weights)
	if c.Reading() {
		if err := mlcore.CheckWeights(*weights, n); err != nil {
			c.Fail("%v", err)
		}
	}
}

// fields takes what all boosted models share; tree takes one tree. A model of classes
// classes, 0 for regression, has 1 or classes scores.
func (m *boosted[T]) fields(c *archive.Coder, classes int, tree func(t *T)) {
	c.Int("features", &m.features)
	c.OptionalInts("levels", &m.levels)
	c.Bool("allow_missing", &m.missing)
	c.Float64s("start", &m.start)
	c.Float64s("training_loss", &m.training)
	c.Float64s("validation_loss", &m.validation)
	c.Bool("stopped_early", &m.stopped)
	if c.Version() > 1 {
		c.Bool("interrupted", &m.interrupted)
	}
	if c.Reading() {
		m.checkHead(c, classes)
	}
	archive.List(c, "trees", &m.trees, func(_ int, t *T) { tree(t) })
	c.Check(len(m.trees)%max(1, len(m.start)) == 0, "%d trees for %d scores", len(m.trees), len(m.start))
}

func (m *boosted[T]) checkHead(c *archive.Coder, classes int) {
	k := len(m.start)
	c.Check(m.features >= 1 && (m.levels == nil || len(m.levels) == m.features), "%d features, %d levels", m.features, len(m.levels))
	c.Check(k >= 1 && (k == max(classes, 1) || classes == 2 && k == 1), "%d scores for %d classes", k, classes)
	for _, l := range m.levels {
		c.Check(l >= 0 && l <= flattree.MaxClasses, "%d levels", l)
	}
	for _, s := range m.start {
		c.Check(s-s == 0, "a first score of %v", s)
	}
}

// boostedTreeFields takes a tree and its values, which have to fit each other and the
// model. Trees take what the model takes, or prediction would not know until too late.
func boostedTreeFields(c *archive.Coder, t **boostedTree, m *boosted[*boostedTree]) {
	if fresh(t); (*t).tree == nil {
		(*t).tree = new(flattree.Regressor)
	}
	b := *t
	c.Float64s("leaf_values", &b.value)
	c.Group("tree", func() { b.tree.Fields(c) })
	if !c.Reading() {
		return
	}
	own := b.tree.Tree()
	c.Check(own.Features == m.features && len(own.Nodes) == len(b.value) && own.Missing == m.missing && sameLevels(own.Levels, m.levels),
		"a tree of %d features with %d values for %d nodes", own.Features, len(b.value), len(own.Nodes))
	for _, v := range b.value {
		c.Check(v-v == 0, "a leaf of value %v", v)
	}
}

// sameLevels reports whether a tree that keeps no levels where all are 0 takes the
// columns that the model describes.
func sameLevels(tree, model []int) bool {
	if tree == nil {
		return !slices.ContainsFunc(model, func(l int) bool { return l != 0 })
	}
	return slices.Equal(tree, model)
}

func histTreeFields(c *archive.Coder, t **histtree.Tree, m *boosted[*histtree.Tree]) {
	fresh(t)
	(*t).Fields(c, m.features, m.levels)
}

// MarshalBinary encodes the model as package modelfile does, for encoding/gob.
func (m *Forest) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *Forest) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [Forest.MarshalBinary].
func (m *RegressionForest) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *RegressionForest) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [Forest.MarshalBinary].
func (m *AdaBoost) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *AdaBoost) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [Forest.MarshalBinary].
func (m *Bagging) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *Bagging) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [Forest.MarshalBinary].
func (m *BaggingRegressor) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *BaggingRegressor) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [Forest.MarshalBinary].
func (m *Voting) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *Voting) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [Forest.MarshalBinary].
func (m *VotingRegressor) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *VotingRegressor) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the stack with its members; see [Forest.MarshalBinary].
func (m *Stacking) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *Stacking) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the stack with its members; see [Forest.MarshalBinary].
func (m *StackingRegressor) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *StackingRegressor) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [Forest.MarshalBinary].
func (m *GradientBoosting) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *GradientBoosting) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [Forest.MarshalBinary].
func (m *GradientBoostingRegressor) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *GradientBoostingRegressor) UnmarshalBinary(data []byte) error {
	return archive.Decode(m, data)
}

// MarshalBinary encodes the model; see [Forest.MarshalBinary].
func (m *HistBoosting) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *HistBoosting) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [Forest.MarshalBinary].
func (m *HistBoostingRegressor) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *HistBoostingRegressor) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }
