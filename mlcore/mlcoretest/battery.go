package mlcoretest

import (
	"bytes"

	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"gonum.org/v1/gonum/mat"
)

// A subject is an estimator as the battery sees it. Classifiers and regressors
// differ in their labels only; L is int or float64.
type subject[L int | float64] struct {
	Traits
	unlabelled bool // labels returns nil
	train      func(workers int, ds *mlcore.Dataset) (model[L], error)
	dataset    func(X *mat.Dense, y []L, w []float64) *mlcore.Dataset
	labels     func(p problem) []L
	zero       func() any
}

// fit fits to training data, with names for their columns and levels.
func (s subject[L]) fit(workers int, X *mat.Dense, y []L, w []float64) (model[L], error) {
	return s.train(workers, s.describe(X, y, w))
}

// A model is a fitted estimator. Its outputs are probabilities where there are
// some, else predictions: what is compared.
type model[L int | float64] struct {
	fitted  any
	like    func(fitted any) model[L]
	predict func(X mat.Matrix) ([]L, error)
	outputs func(X mat.Matrix) ([]float64, error)
}

const rows = 90

func (s subject[L]) run(t *testing.T) {
	t.Run("unit weights", s.unitWeights)
	s.when(t, !s.IgnoresWeights && !s.Stochastic && !s.CountsRows, "weights are copies", s.weightsAreCopies)
	s.when(t, !s.Stochastic, "permuted rows", s.permutedRows)
	t.Run("one row", s.oneRow)
	t.Run("constant column", s.constantColumn)
	t.Run("any matrix", s.anyMatrix)
	t.Run("bad training data", s.badTrainingData)
	s.when(t, !s.TrainingRowsOnly, "bad queries", s.badQueries)
	t.Run("workers", s.workers)
	t.Run("concurrent use", s.concurrentUse)
	t.Run("inputs are kept", s.inputsAreKept)
	t.Run("round trip", s.roundTrip)
	t.Run("damaged bytes", s.damagedBytes)
	t.Run("not fitted", s.notFitted)
	t.Run("dataset", s.fromDataset)
	t.Run("bad dataset", s.badDataset)
}

// when runs a test that applies to this estimator. One that does not is reported as
// that, not as passed.
func (s subject[L]) when(t *testing.T, applies bool, name string, test func(t *testing.T)) {
	if applies {
		t.Run(name, test)
	} else {
		t.Logf("not applicable to an estimator with these traits: %s", name)
	}
}

func (s subject[L]) mustFit(t *testing.T, workers int, X *mat.Dense, y []L, w []float64) model[L] {
	t.Helper()
	m, err := s.fit(workers, X, y, w)
	if err != nil {
		t.Fatalf("fit: %v", err)
	}
	return m
}

func mustOutputs[L int | float64](t *testing.T, m model[L], X mat.Matrix) []float64 {
	t.Helper()
	out, err := m.outputs(X)
	if err != nil {
		t.Fatalf("predict: %v", err)
	}
	return out
}

// same reports the first place where two models' outputs differ by more than tol.
func same[L int | float64](t *testing.T, what string, a, b model[L], X mat.Matrix, tol float64) {
	t.Helper()
	x, y := mustOutputs(t, a, X), mustOutputs(t, b, X)
	if len(x) != len(y) {
		t.Fatalf("%s: %d outputs, want %d", what, len(x), len(y))
	}
	for i := range x {
		if !(math.Abs(x[i]-y[i]) <= tol) {
			t.Fatalf("%s: output %d is %v, want %v", what, i, x[i], y[i])
		}
	}
}

func (s subject[L]) unitWeights(t *testing.T) {
	p := makeProblem(s.Traits, rows)
	ones := slices.Repeat([]float64{1}, rows)
	if s.IgnoresWeights {
		if _, err := s.fit(1, p.X, s.labels(p), ones); err == nil {
			t.Error("weights given to a learner that has no use for them: no error")
		}
		return
	}
	same(t, "weights of 1 against none", s.mustFit(t, 1, p.X, s.labels(p), ones), s.mustFit(t, 1, p.X, s.labels(p), nil), p.queries, s.tolerance())
}

func (s subject[L]) weightsAreCopies(t *testing.T) {
	p := makeProblem(s.Traits, rows)
	w, copies := repeats(rows)
	weighted := s.mustFit(t, 1, p.X, s.labels(p), w)
	copied := s.mustFit(t, 1, given.Subset(p.X, copies), given.Pick(s.labels(p), copies), nil)
	same(t, "weights 0 to 3 against 0 to 3 copies", weighted, copied, p.queries, s.tolerance())
}

func (s subject[L]) permutedRows(t *testing.T) {
	p := makeProblem(s.Traits, rows)
	order := mlcore.NewRand(5).Perm(rows)
	permuted := s.mustFit(t, 1, given.Subset(p.X, order), given.Pick(s.labels(p), order), nil)
	same(t, "permuted rows", permuted, s.mustFit(t, 1, p.X, s.labels(p), nil), p.queries, s.tolerance())
}

func (s subject[L]) oneRow(t *testing.T) {
	p := makeProblem(s.Traits, rows)
	first := []int{0}
	m, err := s.fit(1, given.Subset(p.X, first), given.Pick(s.labels(p), first), nil)
	if s.MinRows > 1 || s.NeedsTwoClasses {
		if err == nil {
			t.Error("one training row is too few: no error")
		}
		return
	}
	if err != nil {
		t.Fatalf("one training row: %v", err)
	}
	got, err := m.predict(p.queries)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		if !s.Shrinks && !s.unlabelled && math.Abs(float64(v-s.labels(p)[0])) > s.tolerance() {
			t.Fatalf("fitted to one row labelled %v, predicts %v for query %d", s.labels(p)[0], v, i)
		}
	}
}

func (s subject[L]) constantColumn(t *testing.T) {
	p := makeProblem(s.Traits, rows)
	constant := min(1, s.columns()-1)
	for i := range rows {
		p.X.Set(i, constant, 1)
	}
	for _, v := range mustOutputs(t, s.mustFit(t, 1, p.X, s.labels(p), nil), p.queries) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Fatalf("a constant column makes predictions %v", v)
		}
	}
}

func (s subject[L]) anyMatrix(t *testing.T) {
	p := makeProblem(s.Traits, rows)
	columns := s.columns()
	wide := mat.NewDense(rows, columns+2, nil)
	wide.Slice(0, rows, 1, columns+1).(*mat.Dense).Copy(p.X)
	want := s.mustFit(t, 1, p.X, s.labels(p), nil)
	sliced := wide.Slice(0, rows, 1, columns+1).(*mat.Dense)
	same(t, "a slice of a wider matrix", s.mustFit(t, 1, sliced, s.labels(p), nil), want, p.queries, 0)
	for name, X := range map[string]mat.Matrix{
		"a matrix that is not Dense": opaque{p.queries},
		"a transposed matrix":        mat.DenseCopyOf(p.queries.T()).T(),
	} {
		got, err := want.outputs(X)
		if err != nil || !slices.Equal(got, mustOutputs(t, want, p.queries)) {
			t.Errorf("%s: other predictions (%v)", name, err)
		}
	}
}

func (s subject[L]) badTrainingData(t *testing.T) {
	p := makeProblem(s.Traits, rows)
	y := s.labels(p)
	unit := slices.Repeat([]float64{1}, rows)
	type trial struct {
		name string
		X    *mat.Dense
		y    []L
		w    []float64
		want error
		says string
	}
	last := s.columns() - 1
	trials := []trial{
		{"no rows", &mat.Dense{}, nil, nil, mlcore.ErrEmpty, ""},
		{"a nil matrix", nil, y, nil, mlcore.ErrEmpty, ""},
		{"+Inf", withValue(p.X, 7, last, math.Inf(1)), y, nil, mlcore.ErrNonFinite, fmt.Sprintf("row 7, column %d", last)},
		{"-Inf", withValue(p.X, 0, 0, math.Inf(-1)), y, nil, mlcore.ErrNonFinite, "row 0, column 0"},
	}
	if !s.unlabelled {
		trials = append(trials,
			trial{"too few labels", p.X, y[:rows-1], nil, mlcore.ErrShape, ""},
			trial{"too many labels", p.X, append(slices.Clone(y), y[0]), nil, mlcore.ErrShape, ""},
		)
	}
	if !s.AllowsMissing {
		trials = append(trials, trial{"NaN", withValue(p.X, 3, last, math.NaN()), y, nil, mlcore.ErrNonFinite, fmt.Sprintf("row 3, column %d", last)})
	}
	if !s.IgnoresWeights {
		trials = append(trials,
			trial{"too few weights", p.X, y, unit[:1], mlcore.ErrShape, ""},
			trial{"a negative weight", p.X, y, replaced(unit, 5, -1), mlcore.ErrWeight, "row 5"},
			trial{"a weight of NaN", p.X, y, replaced(unit, 6, math.NaN()), mlcore.ErrWeight, "row 6"},
			trial{"weights of 0", p.X, y, make([]float64, rows), mlcore.ErrWeight, ""},
		)
	}
	for j, L := range s.Levels {
		if L > 0 {
			trials = append(trials, trial{"an unknown category", withValue(p.X, 4, j, float64(L)), y, nil, mlcore.ErrLevel, fmt.Sprintf("row 4, column %d", j)},
				trial{"half a category", withValue(p.X, 4, j, 0.5), y, nil, mlcore.ErrLevel, fmt.Sprintf("row 4, column %d", j)})
		}
	}
	for _, c := range trials {
		_, err := s.fit(1, c.X, c.y, c.w)
		checkError(t, c.name, err, c.want, c.says)
	}
}

func replaced[T any](v []T, i int, x T) []T {
	out := slices.Clone(v)
	out[i] = x
	return out
}

func checkError(t *testing.T, name string, err, want error, says string) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: error %v, want one that wraps %q", name, err, want)
	} else if !strings.Contains(err.Error(), says) {
		t.Errorf("%s: error %q does not name the place, %q", name, err, says)
	}
}

func (s subject[L]) badQueries(t *testing.T) {
	p := makeProblem(s.Traits, rows)
	m := s.mustFit(t, 1, p.X, s.labels(p), nil)
	last := s.columns() - 1
	_, err := m.outputs(mat.NewDense(2, s.columns()+1, nil))
	checkError(t, "a column too many", err, mlcore.ErrShape, "")
	_, err = m.outputs((*mat.Dense)(nil))
	checkError(t, "a nil matrix", err, mlcore.ErrEmpty, "nil")
	_, err = m.outputs(noRows(s.columns()))
	checkError(t, "a matrix without rows", err, mlcore.ErrEmpty, "")
	_, err = m.predict(noRows(s.columns()))
	checkError(t, "predictions for a matrix without rows", err, mlcore.ErrEmpty, "")
	_, err = m.outputs(withValue(p.queries, 2, last, math.Inf(1)))
	checkError(t, "Inf in a query", err, mlcore.ErrNonFinite, fmt.Sprintf("row 2, column %d", last))
	if !s.AllowsMissing {
		_, err = m.outputs(withValue(p.queries, 9, 0, math.NaN()))
		checkError(t, "NaN in a query", err, mlcore.ErrNonFinite, "row 9, column 0")
	}
}

// encode is what package modelfile makes of a fitted model.
func (m model[L]) encode(t *testing.T) []byte {
	t.Helper()
	data, err := modelfile.Marshal(m.fitted)
	if err != nil {
		t.Fatalf("modelfile.Marshal: %v", err)
	}
	return data
}

func (s subject[L]) workers(t *testing.T) {
	p := makeProblem(s.Traits, rows)
	one := s.mustFit(t, 1, p.X, s.labels(p), nil).encode(t)
	for _, workers := range []int{0, 2, 7} {
		if !bytes.Equal(one, s.mustFit(t, workers, p.X, s.labels(p), nil).encode(t)) {
			t.Errorf("%d workers make another model than one", workers)
		}
	}
}

func (s subject[L]) concurrentUse(t *testing.T) {
	p := makeProblem(s.Traits, rows)
	m := s.mustFit(t, 2, p.X, s.labels(p), nil)
	want := mustOutputs(t, m, p.queries)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, err := m.outputs(p.queries)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("predictions made at the same time differ (%v)", err)
			}
			// The race detector sees a model that is changed when it is saved.
			if _, err := modelfile.Marshal(m.fitted); err != nil {
				t.Errorf("saved while it predicts: %v", err)
			}
			if _, err := modelfile.MarshalJSON(m.fitted); err != nil {
				t.Errorf("written as JSON while it predicts: %v", err)
			}
		})
	}
	wg.Wait()
}

func (s subject[L]) inputsAreKept(t *testing.T) {
	p := makeProblem(s.Traits, rows)
	before := makeProblem(s.Traits, rows)
	y := slices.Clone(s.labels(p))
	var w []float64
	if !s.IgnoresWeights {
		w, _ = repeats(rows)
	}
	kept := slices.Clone(w)
	m := s.mustFit(t, 1, p.X, y, w)
	out := mustOutputs(t, m, p.queries)
	if !mat.Equal(p.X, before.X) || !mat.Equal(p.queries, before.queries) || !slices.Equal(y, s.labels(before)) || !slices.Equal(w, kept) {
		t.Error("fitting or predicting changed its inputs")
	}
	// And the model must not share memory with the caller.
	p.X.Zero()
	clear(y)
	clear(w)
	if !slices.Equal(out, mustOutputs(t, m, p.queries)) {
		t.Error("changing the training data afterwards changed the model")
	}
}

func (s subject[L]) roundTrip(t *testing.T) {
	p := makeProblem(s.Traits, rows)
	m, err := s.train(1, s.describe(p.X, s.labels(p), nil))
	if err != nil {
		t.Fatal(err)
	}
	data := m.encode(t)
	want := mustOutputs(t, m, p.queries)
	for _, form := range []struct {
		name string
		trip func() (any, error)
	}{
		{"binary", func() (any, error) { return modelfile.Unmarshal[any](data) }},
		{"JSON", func() (any, error) {
			text, err := modelfile.MarshalJSON(m.fitted)
			if err != nil {
				return nil, err
			}
			return modelfile.UnmarshalJSON[any](text)
		}},
		// gob drops unexported fields in silence unless the model takes part.
		{"gob", func() (any, error) {
			text, err := encodeGob(m.fitted)
			if err != nil {
				return nil, err
			}
			back := reflect.New(reflect.TypeOf(m.fitted).Elem()).Interface()
			return back, decodeGob(text, back)
		}},
	} {
		back, err := form.trip()
		if err != nil {
			t.Errorf("%s: %v", form.name, err)
			continue
		}
		if reflect.TypeOf(back) != reflect.TypeOf(m.fitted) {
			t.Errorf("%s: a %T comes back as a %T", form.name, m.fitted, back)
			continue
		}
		again := m.like(back)
		if got := mustOutputs(t, again, p.queries); !slices.Equal(got, want) {
			t.Errorf("%s: predictions differ after a round trip", form.name)
		}
		if !bytes.Equal(again.encode(t), data) {
			t.Errorf("%s: a second encoding differs from the first", form.name)
		}
		if d, ok := m.fitted.(mlcore.Described); ok {
			if s := back.(mlcore.Described).Schema(); !s.Equal(d.Schema()) {
				t.Errorf("%s: the Schema is %v, was %v", form.name, s, d.Schema())
			}
		}
	}
	// encoding/json sees no field of a model: it has to be told so.
	if text, err := json.Marshal(m.fitted); err == nil && len(text) < 10 {
		t.Errorf("encoding/json writes the model as %s and says nothing", text)
	}
}

func encodeGob(v any) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(v)
	return b.Bytes(), err
}

func decodeGob(data []byte, v any) error { return gob.NewDecoder(bytes.NewReader(data)).Decode(v) }

func (s subject[L]) damagedBytes(t *testing.T) {
	p := makeProblem(s.Traits, 12)
	data := s.mustFit(t, 1, p.X, s.labels(p), nil).encode(t)
	step := max(1, len(data)/400)
	for n := 0; n < len(data); n += step {
		bad := slices.Clone(data)
		bad[n] ^= 0x10
		for what, damaged := range map[string][]byte{"only the bytes before": data[:n], "another": bad} {
			if _, err := modelfile.Unmarshal[any](damaged); !errors.Is(err, mlcore.ErrCorrupt) {
				t.Fatalf("%s byte %d of %d: error %v, want ErrCorrupt", what, n, len(data), err)
			}
		}
		// With a right checksum the decoders have to see it themselves.
		if n < len(data)-4 {
			if _, err := modelfile.Unmarshal[any](archive.Seal(slices.Clone(data[:n]))); err == nil {
				t.Fatalf("only the bytes before byte %d of %d, with a right checksum: no error", n, len(data))
			}
		}
	}
}
