package ensemble

import (
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/codec"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/histtree"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

const (
	gradientBoostingKind          = "ensemble.GradientBoosting"
	gradientBoostingRegressorKind = "ensemble.GradientBoostingRegressor"
	histBoostingKind              = "ensemble.HistBoosting"
	histBoostingRegressorKind     = "ensemble.HistBoostingRegressor"
)

func init() {
	Register(func() any { return new(GradientBoosting) })
	Register(func() any { return new(GradientBoostingRegressor) })
	Register(func() any { return new(HistBoosting) })
	Register(func() any { return new(HistBoostingRegressor) })
}

// write appends what all boosted models share; tree writes one tree.
func (m *boosted[T]) write(w *codec.Writer, tree func(*codec.Writer, T) error) error {
	w.Int(m.features)
	w.OptionalInts(m.levels)
	w.Bool(m.missing)
	w.Float64s(m.start)
	w.Float64s(m.training)
	w.Float64s(m.validation)
	w.Bool(m.stopped)
	w.Int(len(m.trees))
	for _, t := range m.trees {
		if err := tree(w, t); err != nil {
			return err
		}
	}
	return nil
}

// read is the other way round; a model of classes classes, 0 for regression, has
// 1 or classes scores.
func (m *boosted[T]) read(r *codec.Reader, classes int, tree func(r *codec.Reader, features int, levels []int) T) {
	m.features = r.Int()
	m.levels = r.OptionalInts()
	m.missing = r.Bool()
	m.start, m.training, m.validation = r.Float64s(), r.Float64s(), r.Float64s()
	m.stopped = r.Bool()
	n := r.Int()
	k := len(m.start)
	switch {
	case r.Err() != nil:
		return
	case m.features < 1 || m.levels != nil && len(m.levels) != m.features:
		r.Fail("%d features, %d levels", m.features, len(m.levels))
	case k != max(classes, 1) && !(classes == 2 && k == 1):
		r.Fail("%d scores for %d classes", k, classes)
	case n < 0 || n%k != 0:
		r.Fail("%d trees for %d scores", n, k)
	}
	for _, l := range m.levels {
		if l < 0 || l > flattree.MaxClasses {
			r.Fail("%d levels", l)
		}
	}
	for _, s := range m.start {
		if s-s != 0 {
			r.Fail("a first score of %v", s)
		}
	}
	// A wrong n runs into the end of the data; nothing is made ahead of it.
	for t := 0; t < n && r.Err() == nil; t++ {
		m.trees = append(m.trees, tree(r, m.features, m.levels))
	}
}

func (m *boostedClassifier[T]) write(w *codec.Writer, tree func(*codec.Writer, T) error) error {
	w.Int(m.classes)
	return m.boosted.write(w, tree)
}

func (m *boostedClassifier[T]) read(r *codec.Reader, tree func(r *codec.Reader, features int, levels []int) T) {
	m.classes = r.Int()
	if r.Err() == nil && (m.classes < 1 || m.classes > flattree.MaxClasses) {
		r.Fail("%d classes", m.classes)
	}
	m.boosted.read(r, m.classes, tree)
}

func writeBoostedTree(w *codec.Writer, t *boostedTree) error {
	w.Float64s(t.value)
	return writeMember(w, (*tree.Regressor)(t.tree))
}

// readBoostedTree decodes a tree and its values, which have to fit each other
// and the model. Trees take what the model takes, or prediction would not know
// until too late.
func readBoostedTree(missing *bool) func(r *codec.Reader, features int, levels []int) *boostedTree {
	return func(r *codec.Reader, features int, levels []int) *boostedTree {
		t := &boostedTree{value: r.Float64s()}
		m, err := readMember[*tree.Regressor](r)
		if err != nil {
			r.Fail("%v", err)
			return nil
		}
		t.tree = (*flattree.Regressor)(m)
		if m.NumFeatures() != features || m.NumNodes() != len(t.value) || m.AllowsMissing() != *missing || !sameLevels(m.Levels(), levels) {
			r.Fail("a tree of %d features with %d values for %d nodes", m.NumFeatures(), len(t.value), m.NumNodes())
		}
		for _, v := range t.value {
			if v-v != 0 {
				r.Fail("a leaf of value %v", v)
			}
		}
		return t
	}
}

// sameLevels reports whether a tree that keeps no levels where all are 0 takes
// the columns that the model describes.
func sameLevels(tree, model []int) bool {
	if tree == nil {
		return !slices.ContainsFunc(model, func(l int) bool { return l != 0 })
	}
	return slices.Equal(tree, model)
}

func writeHistTree(w *codec.Writer, t *histtree.Tree) error {
	t.Write(w)
	return nil
}

// MarshalBinary encodes the model; see [Forest.MarshalBinary].
func (m *GradientBoosting) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(gradientBoostingKind, formatVersion)
	err := m.write(w, writeBoostedTree)
	return w.Finish(), err
}

// UnmarshalBinary decodes a model; see [Forest.UnmarshalBinary].
func (m *GradientBoosting) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, gradientBoostingKind, formatVersion, func(r *codec.Reader, c *GradientBoosting) {
		c.read(r, readBoostedTree(&c.missing))
	})
}

// MarshalBinary encodes the model; see [Forest.MarshalBinary].
func (m *GradientBoostingRegressor) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(gradientBoostingRegressorKind, formatVersion)
	err := m.write(w, writeBoostedTree)
	return w.Finish(), err
}

// UnmarshalBinary decodes a model; see [Forest.UnmarshalBinary].
func (m *GradientBoostingRegressor) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, gradientBoostingRegressorKind, formatVersion, func(r *codec.Reader, c *GradientBoostingRegressor) {
		c.read(r, 0, readBoostedTree(&c.missing))
	})
}

// MarshalBinary encodes the model; see [Forest.MarshalBinary].
func (m *HistBoosting) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(histBoostingKind, formatVersion)
	err := m.write(w, writeHistTree)
	return w.Finish(), err
}

// UnmarshalBinary decodes a model; see [Forest.UnmarshalBinary].
func (m *HistBoosting) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, histBoostingKind, formatVersion, func(r *codec.Reader, c *HistBoosting) {
		c.read(r, histtree.Read)
	})
}

// MarshalBinary encodes the model; see [Forest.MarshalBinary].
func (m *HistBoostingRegressor) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(histBoostingRegressorKind, formatVersion)
	err := m.write(w, writeHistTree)
	return w.Finish(), err
}

// UnmarshalBinary decodes a model; see [Forest.UnmarshalBinary].
func (m *HistBoostingRegressor) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, histBoostingRegressorKind, formatVersion, func(r *codec.Reader, c *HistBoostingRegressor) {
		c.read(r, 0, histtree.Read)
	})
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *GradientBoosting) MarshalJSON() ([]byte, error) {
	return codec.ToJSON(gradientBoostingKind, m)
}

// UnmarshalJSON decodes what MarshalJSON made; see [Forest.UnmarshalBinary].
func (m *GradientBoosting) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(gradientBoostingKind, data, m)
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *GradientBoostingRegressor) MarshalJSON() ([]byte, error) {
	return codec.ToJSON(gradientBoostingRegressorKind, m)
}

// UnmarshalJSON decodes what MarshalJSON made; see [Forest.UnmarshalBinary].
func (m *GradientBoostingRegressor) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(gradientBoostingRegressorKind, data, m)
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *HistBoosting) MarshalJSON() ([]byte, error) { return codec.ToJSON(histBoostingKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [Forest.UnmarshalBinary].
func (m *HistBoosting) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(histBoostingKind, data, m)
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *HistBoostingRegressor) MarshalJSON() ([]byte, error) {
	return codec.ToJSON(histBoostingRegressorKind, m)
}

// UnmarshalJSON decodes what MarshalJSON made; see [Forest.UnmarshalBinary].
func (m *HistBoostingRegressor) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(histBoostingRegressorKind, data, m)
}
