package ensemble

import (
	"encoding"
	"fmt"
	"slices"
	"sync"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/id3"
	"github.com/mllabs-go/mllabs/mlcore/internal/codec"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

const (
	forestKind           = "ensemble.Forest"
	regressionForestKind = "ensemble.RegressionForest"
	adaBoostKind         = "ensemble.AdaBoost"
	baggingKind          = "ensemble.Bagging"
	baggingRegressorKind = "ensemble.BaggingRegressor"
	votingKind           = "ensemble.Voting"
	votingRegressorKind  = "ensemble.VotingRegressor"
	formatVersion        = 1
)

// model is what a member has to be to be serialised with its ensemble.
type model interface {
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// registered maps the kinds of members to functions that make an empty one. It
// is only looked up, never ranged over.
var registered = struct {
	sync.RWMutex
	byKind map[string]func() any
}{byKind: map[string]func() any{
	kindOf(&tree.Classifier{}):  func() any { return new(tree.Classifier) },
	kindOf(&tree.Regressor{}):   func() any { return new(tree.Regressor) },
	kindOf(&id3.Model{}):        func() any { return new(id3.Model) },
	kindOf(&Forest{}):           func() any { return new(Forest) },
	kindOf(&RegressionForest{}): func() any { return new(RegressionForest) },
	kindOf(&AdaBoost{}):         func() any { return new(AdaBoost) },
	kindOf(&Bagging{}):          func() any { return new(Bagging) },
	kindOf(&BaggingRegressor{}): func() any { return new(BaggingRegressor) },
	kindOf(&Voting{}):           func() any { return new(Voting) },
	kindOf(&VotingRegressor{}):  func() any { return new(VotingRegressor) },
}}

func kindOf(m any) string {
	if _, ok := m.(*id3.Model); ok {
		return "*tree.ID3" // as in files from when it was part of package tree
	}
	return fmt.Sprintf("%T", m)
}

// Register lets ensembles with members of the type that newModel returns, a
// pointer that implements encoding.BinaryMarshaler and BinaryUnmarshaler, be
// serialised. The models of packages tree, id3 and ensemble are registered already;
// the package of another model calls this from an init function, as with
// gob.Register.
func Register(newModel func() any) {
	registered.Lock()
	defer registered.Unlock()
	registered.byKind[kindOf(newModel())] = newModel
}

func writeMember(w *codec.Writer, member any) error {
	kind := kindOf(member)
	registered.RLock()
	_, known := registered.byKind[kind]
	registered.RUnlock()
	m, ok := member.(model)
	if !ok || !known {
		return configError("a member of type %s cannot be serialised; see Register", kind)
	}
	data, err := m.MarshalBinary()
	if err != nil {
		return err
	}
	w.String(kind)
	w.Bytes(data)
	return nil
}

// readMember decodes one member, which has to be an M.
func readMember[M any](r *codec.Reader) (M, error) {
	var none M
	kind, data := r.String(), r.Bytes()
	if err := r.Err(); err != nil {
		return none, err
	}
	registered.RLock()
	newModel, known := registered.byKind[kind]
	registered.RUnlock()
	if !known {
		return none, fmt.Errorf("%w: a member of type %q, which is not registered", mlcore.ErrCorrupt, kind)
	}
	m := newModel()
	typed, ok := m.(M)
	if !ok {
		return none, fmt.Errorf("%w: a member of type %q", mlcore.ErrCorrupt, kind)
	}
	if err := m.(model).UnmarshalBinary(data); err != nil {
		return none, err
	}
	return typed, nil
}

func writeMembers[M any](w *codec.Writer, members []M) error {
	w.Int(len(members))
	for t, m := range members {
		if err := writeMember(w, m); err != nil {
			return fmt.Errorf("ensemble: member %d: %w", t, err)
		}
	}
	return nil
}

// readMembers decodes at least one member.
func readMembers[M any](r *codec.Reader) []M {
	n := r.Int()
	if r.Err() == nil && n < 1 {
		r.Fail("an ensemble of %d members", n)
	}
	var members []M
	// A wrong n runs into the end of the data; nothing is made ahead of it.
	for t := 0; t < n && r.Err() == nil; t++ {
		m, err := readMember[M](r)
		if err != nil {
			r.Fail("member %d: %v", t, err)
			return nil
		}
		members = append(members, m)
	}
	return members
}

// checkClassifiers is checkMembers for classifiers; none may know more classes
// than the ensemble.
func checkClassifiers[M mlcore.Classifier](r *codec.Reader, features, classes int, members []M, columns [][]int) {
	checkMembers(r, features, members, columns)
	if r.Err() == nil && (classes < 1 || classes > flattree.MaxClasses) {
		r.Fail("%d classes", classes)
	}
	for t, m := range members {
		if r.Err() == nil && m.NumClasses() > classes {
			r.Fail("member %d has %d classes, the ensemble %d", t, m.NumClasses(), classes)
		}
	}
}

// checkMembers refuses members that do not take the columns that the ensemble
// gives them: all features, or columns[t] where that is not nil.
func checkMembers[M interface{ NumFeatures() int }](r *codec.Reader, features int, members []M, columns [][]int) {
	if r.Err() == nil && features < 1 {
		r.Fail("%d features", features)
	}
	for t, m := range members {
		if r.Err() != nil {
			return
		}
		want := features
		if columns != nil && columns[t] != nil {
			want = len(columns[t])
		}
		if m.NumFeatures() != want {
			r.Fail("member %d has %d features, the ensemble %d", t, m.NumFeatures(), want)
		}
	}
}

// checkInputs refuses trees that do not accept the same X, as only the first is
// asked.
func checkInputs[T interface {
	Levels() []int
	AllowsMissing() bool
}](r *codec.Reader, trees []T) {
	for t, m := range trees {
		if r.Err() == nil && (m.AllowsMissing() != trees[0].AllowsMissing() || !slices.Equal(m.Levels(), trees[0].Levels())) {
			r.Fail("tree %d takes other columns than tree 0", t)
		}
	}
}

func writeColumns(w *codec.Writer, columns [][]int) {
	for _, c := range columns {
		w.OptionalInts(c)
	}
}

// readColumns decodes the columns of each of n members.
func readColumns(r *codec.Reader, n, features int) [][]int {
	columns := make([][]int, 0, n)
	for t := 0; t < n && r.Err() == nil; t++ {
		c := r.OptionalInts()
		for _, j := range c {
			if j < 0 || j >= features {
				r.Fail("member %d uses column %d of %d", t, j, features)
			}
		}
		columns = append(columns, c)
	}
	return columns
}

// readWeights decodes the weights of n members, or none.
func readWeights(r *codec.Reader, n int) []float64 {
	w := r.Float64s()
	if len(w) == 0 {
		return nil
	}
	if err := mlcore.CheckWeights(w, n); r.Err() == nil && err != nil {
		r.Fail("%v", err)
	}
	return w
}

// MarshalBinary encodes the model. It implements encoding.BinaryMarshaler, which
// encoding/gob uses too.
func (f *Forest) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(forestKind, formatVersion)
	w.Int(f.features)
	w.Int(f.classes)
	w.Bool(f.vote)
	if err := writeMembers(w, f.Trees()); err != nil {
		return nil, err
	}
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model. Bytes that are not one are refused with an
// error that wraps [mlcore.ErrCorrupt] or [mlcore.ErrVersion], and f is left as
// it was.
func (f *Forest) UnmarshalBinary(data []byte) error {
	return codec.Decode(f, data, forestKind, formatVersion, func(r *codec.Reader, c *Forest) {
		features := r.Int()
		c.classes, c.vote = r.Int(), r.Bool()
		trees := readMembers[*tree.Classifier](r)
		checkInputs(r, trees)
		checkClassifiers(r, features, c.classes, trees, nil)
		c.grove = newGrove(features, make([]*flattree.Classifier, len(trees)))
		for t, m := range trees {
			c.trees[t] = (*flattree.Classifier)(m)
		}
	})
}

// MarshalBinary encodes the model; see [Forest.MarshalBinary].
func (f *RegressionForest) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(regressionForestKind, formatVersion)
	w.Int(f.features)
	if err := writeMembers(w, f.Trees()); err != nil {
		return nil, err
	}
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model; see [Forest.UnmarshalBinary].
func (f *RegressionForest) UnmarshalBinary(data []byte) error {
	return codec.Decode(f, data, regressionForestKind, formatVersion, func(r *codec.Reader, c *RegressionForest) {
		features, trees := r.Int(), readMembers[*tree.Regressor](r)
		checkInputs(r, trees)
		checkMembers(r, features, trees, nil)
		c.grove = newGrove(features, make([]*flattree.Regressor, len(trees)))
		for t, m := range trees {
			c.trees[t] = (*flattree.Regressor)(m)
		}
	})
}

// MarshalBinary encodes the model; see [Forest.MarshalBinary]. Members have to be
// registered, see [Register].
func (m *AdaBoost) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(adaBoostKind, formatVersion)
	w.Int(m.features)
	w.Int(m.classes)
	w.Int(int(m.status))
	w.Float64s(m.alphas)
	w.Float64s(m.errors)
	if err := writeMembers(w, m.members); err != nil {
		return nil, err
	}
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model; see [Forest.UnmarshalBinary].
func (m *AdaBoost) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, adaBoostKind, formatVersion, func(r *codec.Reader, c *AdaBoost) {
		*c = AdaBoost{features: r.Int(), classes: r.Int(), status: Status(r.Int()), alphas: r.Float64s(), errors: r.Float64s()}
		c.members = readMembers[mlcore.Classifier](r)
		var trees []*tree.Classifier
		for _, m := range c.members {
			if m, ok := m.(*tree.Classifier); ok {
				trees = append(trees, m)
			}
		}
		checkInputs(r, trees)
		if r.Err() == nil && (c.classes < 2 || len(c.alphas) != len(c.members) || len(c.errors) != len(c.members)) {
			r.Fail("%d classes, %d alphas and %d errors for %d members", c.classes, len(c.alphas), len(c.errors), len(c.members))
		}
		checkClassifiers(r, c.features, c.classes, c.members, nil)
	})
}

// MarshalBinary encodes the model; see [Forest.MarshalBinary]. Members have to be
// registered, see [Register].
func (m *Bagging) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(baggingKind, formatVersion)
	w.Int(m.features)
	w.Int(m.classes)
	w.Bool(m.vote)
	if err := writeMembers(w, m.members); err != nil {
		return nil, err
	}
	writeColumns(w, m.columns)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model; see [Forest.UnmarshalBinary].
func (m *Bagging) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, baggingKind, formatVersion, func(r *codec.Reader, c *Bagging) {
		*c = Bagging{features: r.Int(), classes: r.Int(), vote: r.Bool()}
		c.members = readMembers[mlcore.Classifier](r)
		c.columns = readColumns(r, len(c.members), c.features)
		checkClassifiers(r, c.features, c.classes, c.members, c.columns)
	})
}

// MarshalBinary encodes the model; see [Forest.MarshalBinary]. Members have to be
// registered, see [Register].
func (m *BaggingRegressor) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(baggingRegressorKind, formatVersion)
	w.Int(m.features)
	if err := writeMembers(w, m.members); err != nil {
		return nil, err
	}
	writeColumns(w, m.columns)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model; see [Forest.UnmarshalBinary].
func (m *BaggingRegressor) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, baggingRegressorKind, formatVersion, func(r *codec.Reader, c *BaggingRegressor) {
		*c = BaggingRegressor{features: r.Int()}
		c.members = readMembers[mlcore.Regressor](r)
		c.columns = readColumns(r, len(c.members), c.features)
		checkMembers(r, c.features, c.members, c.columns)
	})
}

// MarshalBinary encodes the model; see [Forest.MarshalBinary]. Members have to be
// registered, see [Register].
func (m *Voting) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(votingKind, formatVersion)
	w.Int(m.features)
	w.Int(m.classes)
	w.Bool(m.soft)
	if err := writeMembers(w, m.members); err != nil {
		return nil, err
	}
	w.Float64s(m.weights)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model; see [Forest.UnmarshalBinary].
func (m *Voting) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, votingKind, formatVersion, func(r *codec.Reader, c *Voting) {
		*c = Voting{features: r.Int(), classes: r.Int(), soft: r.Bool()}
		c.members = readMembers[mlcore.Classifier](r)
		c.weights = readWeights(r, len(c.members))
		checkClassifiers(r, c.features, c.classes, c.members, nil)
	})
}

// MarshalBinary encodes the model; see [Forest.MarshalBinary]. Members have to be
// registered, see [Register].
func (m *VotingRegressor) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(votingRegressorKind, formatVersion)
	w.Int(m.features)
	if err := writeMembers(w, m.members); err != nil {
		return nil, err
	}
	w.Float64s(m.weights)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model; see [Forest.UnmarshalBinary].
func (m *VotingRegressor) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, votingRegressorKind, formatVersion, func(r *codec.Reader, c *VotingRegressor) {
		*c = VotingRegressor{features: r.Int()}
		c.members = readMembers[mlcore.Regressor](r)
		c.weights = readWeights(r, len(c.members))
		checkMembers(r, c.features, c.members, nil)
	})
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (f *Forest) MarshalJSON() ([]byte, error) { return codec.ToJSON(forestKind, f) }

// UnmarshalJSON decodes what MarshalJSON made; see [Forest.UnmarshalBinary].
func (f *Forest) UnmarshalJSON(data []byte) error { return codec.FromJSON(forestKind, data, f) }

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (f *RegressionForest) MarshalJSON() ([]byte, error) {
	return codec.ToJSON(regressionForestKind, f)
}

// UnmarshalJSON decodes what MarshalJSON made; see [Forest.UnmarshalBinary].
func (f *RegressionForest) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(regressionForestKind, data, f)
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *AdaBoost) MarshalJSON() ([]byte, error) { return codec.ToJSON(adaBoostKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [Forest.UnmarshalBinary].
func (m *AdaBoost) UnmarshalJSON(data []byte) error { return codec.FromJSON(adaBoostKind, data, m) }

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *Bagging) MarshalJSON() ([]byte, error) { return codec.ToJSON(baggingKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [Forest.UnmarshalBinary].
func (m *Bagging) UnmarshalJSON(data []byte) error { return codec.FromJSON(baggingKind, data, m) }

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *BaggingRegressor) MarshalJSON() ([]byte, error) {
	return codec.ToJSON(baggingRegressorKind, m)
}

// UnmarshalJSON decodes what MarshalJSON made; see [Forest.UnmarshalBinary].
func (m *BaggingRegressor) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(baggingRegressorKind, data, m)
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *Voting) MarshalJSON() ([]byte, error) { return codec.ToJSON(votingKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [Forest.UnmarshalBinary].
func (m *Voting) UnmarshalJSON(data []byte) error { return codec.FromJSON(votingKind, data, m) }

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *VotingRegressor) MarshalJSON() ([]byte, error) { return codec.ToJSON(votingRegressorKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [Forest.UnmarshalBinary].
func (m *VotingRegressor) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(votingRegressorKind, data, m)
}
