package preprocess

import (
	"encoding"
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/codec"
)

const (
	imputerKind     = "preprocess.Imputer"
	scalerKind      = "preprocess.Scaler"
	discretizerKind = "preprocess.Discretizer"
	oneHotKind      = "preprocess.OneHot"
	ordinalKind     = "preprocess.Ordinal"
	pcaKind         = "preprocess.PCA"
	classifierKind  = "preprocess.Classifier"
	regressorKind   = "preprocess.Regressor"
	formatVersion   = 1
)

func writeColumns(w *codec.Writer, columns []mlcore.Column) {
	w.Int(len(columns))
	for _, c := range columns {
		w.String(c.Name)
		w.Bool(c.Categorical())
		w.Strings(c.Levels)
	}
}

// maxFeatures bounds how many columns a message may claim before they are read, and
// how many classes labels may claim.
const maxFeatures = 1 << 24

func readColumns(r *codec.Reader) []mlcore.Column {
	n := r.Int()
	if n < 1 || n > maxFeatures {
		r.Fail("%d columns", n)
		return nil
	}
	var columns []mlcore.Column
	for range n {
		c := mlcore.Column{Name: r.String()}
		categorical, levels := r.Bool(), r.Strings()
		if categorical {
			c.Levels = levels
		} else if len(levels) > 0 {
			r.Fail("levels of a numeric column")
		}
		if r.Err() != nil {
			return nil
		}
		columns = append(columns, c)
	}
	return columns
}

// readPicked reads places among columns, ascending, of the wanted kind.
func readPicked(r *codec.Reader, columns []mlcore.Column, kind columnKind) []int {
	picked := r.Ints()
	for p, j := range picked {
		if j < 0 || j >= len(columns) || p > 0 && j <= picked[p-1] || columns[j].Categorical() != (kind == categorical) {
			r.Fail("column %d picked", j)
			return nil
		}
	}
	return picked
}

func readFinite(r *codec.Reader, n int) []float64 {
	v := r.Float64s()
	if len(v) != n {
		r.Fail("%d numbers where there are %d", len(v), n)
	}
	for _, x := range v {
		if x-x != 0 {
			r.Fail("number %v", x)
		}
	}
	return v
}

// MarshalBinary encodes the transformer. It implements encoding.BinaryMarshaler,
// which encoding/gob uses too.
func (m *Imputer) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(imputerKind, formatVersion)
	writeColumns(w, m.in)
	w.Float64s(m.fill)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a transformer. Bytes that are not one are refused with an
// error that wraps [mlcore.ErrCorrupt] or [mlcore.ErrVersion], and m is left as it
// was.
func (m *Imputer) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, imputerKind, formatVersion, func(r *codec.Reader, c *Imputer) {
		c.in = readColumns(r)
		c.out, c.fill = slices.Clone(c.in), r.Float64s()
		if len(c.fill) != len(c.in) {
			r.Fail("%d values for %d columns", len(c.fill), len(c.in))
		}
		for _, v := range c.fill {
			if math.IsInf(v, 0) {
				r.Fail("value %v", v)
			}
		}
	})
}

// MarshalBinary encodes the transformer; see [Imputer.MarshalBinary].
func (m *Scaler) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(scalerKind, formatVersion)
	writeColumns(w, m.in)
	w.Ints(m.picked)
	w.Float64s(m.shift)
	w.Float64s(m.scale)
	w.Float64s([]float64{m.min, m.max})
	w.Bool(m.clip)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a transformer; see [Imputer.UnmarshalBinary].
func (m *Scaler) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, scalerKind, formatVersion, func(r *codec.Reader, c *Scaler) {
		c.in = readColumns(r)
		c.out, c.picked = slices.Clone(c.in), readPicked(r, c.in, numeric)
		c.shift, c.scale = readFinite(r, len(c.picked)), readFinite(r, len(c.picked))
		for _, s := range c.scale {
			if !(s > 0) {
				r.Fail("scale %v", s)
			}
		}
		if bounds := readFinite(r, 2); len(bounds) == 2 {
			c.min, c.max = bounds[0], bounds[1]
		}
		c.clip = r.Bool()
	})
}

// MarshalBinary encodes the transformer; see [Imputer.MarshalBinary].
func (m *Discretizer) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(discretizerKind, formatVersion)
	writeColumns(w, m.in)
	w.Ints(m.picked)
	for p, j := range m.picked {
		w.Float64s(m.cuts[p])
		w.Strings(m.out[j].Levels)
	}
	return w.Finish(), nil
}

// UnmarshalBinary decodes a transformer; see [Imputer.UnmarshalBinary].
func (m *Discretizer) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, discretizerKind, formatVersion, func(r *codec.Reader, c *Discretizer) {
		c.in = readColumns(r)
		c.out, c.picked = slices.Clone(c.in), readPicked(r, c.in, numeric)
		for _, j := range c.picked {
			cuts, levels := r.Float64s(), r.Strings()
			for k, v := range cuts {
				if v-v != 0 || k > 0 && v <= cuts[k-1] {
					r.Fail("cut %v", v)
				}
			}
			if len(levels) != len(cuts)+1 {
				r.Fail("%d levels for %d cuts", len(levels), len(cuts))
			}
			if r.Err() != nil {
				break
			}
			c.cuts = append(c.cuts, cuts)
			c.out[j].Levels = levels
		}
	})
}

func (e *encoder) write(w *codec.Writer) {
	writeColumns(w, e.in)
	w.Bool(e.ignore)
	w.Ints(e.picked)
	for _, places := range e.places {
		w.Ints(places)
	}
}

func readEncoder(r *codec.Reader) encoder {
	var e encoder
	e.in = readColumns(r)
	e.ignore = r.Bool()
	e.picked = readPicked(r, e.in, categorical)
	for _, j := range e.picked {
		places, next := r.Ints(), 0
		for _, place := range places {
			switch place {
			case next:
				next++
			case -1:
			default:
				r.Fail("place %d", place)
			}
		}
		if len(places) != len(e.in[j].Levels) || next == 0 {
			r.Fail("%d places for %d levels", len(places), len(e.in[j].Levels))
		}
		if r.Err() != nil {
			break
		}
		e.places = append(e.places, places)
	}
	return e
}

// MarshalBinary encodes the transformer; see [Imputer.MarshalBinary].
func (m *OneHot) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(oneHotKind, formatVersion)
	m.write(w)
	w.Bool(m.dropFirst)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a transformer; see [Imputer.UnmarshalBinary].
func (m *OneHot) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, oneHotKind, formatVersion, func(r *codec.Reader, c *OneHot) {
		*c = OneHot{encoder: readEncoder(r), dropFirst: r.Bool()}
		if r.Err() == nil {
			c.describe()
			if len(c.out) == 0 {
				r.Fail("no column comes out")
			}
		}
	})
}

// MarshalBinary encodes the transformer; see [Imputer.MarshalBinary].
func (m *Ordinal) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(ordinalKind, formatVersion)
	m.write(w)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a transformer; see [Imputer.UnmarshalBinary].
func (m *Ordinal) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, ordinalKind, formatVersion, func(r *codec.Reader, c *Ordinal) {
		*c = Ordinal{readEncoder(r)}
		if r.Err() == nil {
			c.describe()
		}
	})
}

// MarshalBinary encodes the transformer; see [Imputer.MarshalBinary].
func (m *PCA) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(pcaKind, formatVersion)
	writeColumns(w, m.in)
	w.Ints(m.picked)
	w.Float64s(m.mean)
	w.Float64s(m.variance)
	w.Float64s(m.loadings)
	w.Float64(m.total)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a transformer; see [Imputer.UnmarshalBinary].
func (m *PCA) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, pcaKind, formatVersion, func(r *codec.Reader, c *PCA) {
		c.in = readColumns(r)
		c.picked = readPicked(r, c.in, numeric)
		c.mean = readFinite(r, len(c.picked))
		c.variance = r.Float64s()
		if n := len(c.variance); n < 1 || n > len(c.picked) {
			r.Fail("%d components of %d columns", n, len(c.picked))
		} else {
			c.loadings = readFinite(r, n*len(c.picked))
		}
		c.total = r.Float64()
		for _, v := range append(slices.Clone(c.variance), c.total) {
			if v-v != 0 || v < 0 {
				r.Fail("variance %v", v)
			}
		}
		if r.Err() == nil {
			c.describe()
		}
	})
}

// write encodes the number of classes, the steps and then the model.
func (c *chain) write(kind string, classes int, model any) ([]byte, error) {
	w := codec.NewWriter(kind, formatVersion)
	w.Int(classes)
	writeColumns(w, c.in)
	w.Int(len(c.steps))
	for s, t := range c.steps {
		name, err := kindOf(t)
		if err != nil {
			return nil, fmt.Errorf("step %d of the pipeline: %w", s, err)
		}
		data, err := t.MarshalBinary()
		if err != nil {
			return nil, err
		}
		w.String(name)
		w.Bytes(data)
	}
	e, ok := model.(encoding.BinaryMarshaler)
	if !ok {
		return nil, configError("a %T cannot be serialised", model)
	}
	data, err := e.MarshalBinary()
	if err != nil {
		return nil, err
	}
	w.Bytes(data)
	return w.Finish(), nil
}

func kindOf(t Transformer) (string, error) {
	switch t.(type) {
	case *Imputer:
		return imputerKind, nil
	case *Scaler:
		return scalerKind, nil
	case *Discretizer:
		return discretizerKind, nil
	case *OneHot:
		return oneHotKind, nil
	case *Ordinal:
		return ordinalKind, nil
	case *PCA:
		return pcaKind, nil
	}
	return "", configError("a %T cannot be serialised in a pipeline", t)
}

func newOfKind(kind string) interface {
	Transformer
	encoding.BinaryUnmarshaler
} {
	switch kind {
	case imputerKind:
		return new(Imputer)
	case scalerKind:
		return new(Scaler)
	case discretizerKind:
		return new(Discretizer)
	case oneHotKind:
		return new(OneHot)
	case ordinalKind:
		return new(Ordinal)
	case pcaKind:
		return new(PCA)
	}
	return nil
}

// readChain decodes the number of classes and the steps, and the model into model.
func readChain(data []byte, kind string, model encoding.BinaryUnmarshaler) (int, chain, error) {
	r, _, err := codec.NewReader(data, kind, formatVersion)
	if err != nil {
		return 0, chain{}, fmt.Errorf("preprocess: %w", err)
	}
	classes := r.Int()
	c := chain{in: readColumns(r)}
	steps := r.Int()
	for s := 0; s < steps && r.Err() == nil; s++ {
		name, bytes := r.String(), r.Bytes()
		t := newOfKind(name)
		if t == nil {
			r.Fail("step %d is a %q", s, name)
			break
		}
		if err := t.UnmarshalBinary(bytes); err != nil {
			return 0, chain{}, fmt.Errorf("step %d of the pipeline: %w", s, err)
		}
		if err := sameColumns(c.Columns(), t.InputColumns()); err != nil {
			r.Fail("step %d: %v", s, err)
		}
		c.steps = append(c.steps, t)
	}
	bytes := r.Bytes()
	if err := r.Close(); err != nil {
		return 0, chain{}, fmt.Errorf("preprocess: %w", err)
	}
	return classes, c, model.UnmarshalBinary(bytes)
}

// MarshalBinary encodes the pipeline with its model, which has to implement
// encoding.BinaryMarshaler, as the library's do; [DecodeClassifier] reads it.
// Transformers of other packages are an error that wraps [mlcore.ErrConfig].
func (m *Classifier) MarshalBinary() ([]byte, error) {
	return m.write(classifierKind, m.classes, m.model)
}

// MarshalBinary encodes the pipeline; see [Classifier.MarshalBinary].
func (m *Regressor) MarshalBinary() ([]byte, error) { return m.write(regressorKind, 0, m.model) }

// A DecodableClassifier is a classifier that can be read from bytes.
type DecodableClassifier interface {
	mlcore.Classifier
	encoding.BinaryUnmarshaler
}

// A DecodableRegressor is a regressor that can be read from bytes.
type DecodableRegressor interface {
	mlcore.Regressor
	encoding.BinaryUnmarshaler
}

// DecodeClassifier reads what [Classifier.MarshalBinary] wrote. The bytes do not say
// of which type the model is: the caller does, with an empty one that is read into:
//
//	p, err := preprocess.DecodeClassifier(data, new(tree.Classifier))
//
// Bytes that are not such a pipeline are refused with an error that wraps
// [mlcore.ErrCorrupt] or [mlcore.ErrVersion].
func DecodeClassifier(data []byte, model DecodableClassifier) (*Classifier, error) {
	classes, c, err := readChain(data, classifierKind, model)
	if err != nil {
		return nil, err
	}
	if classes < model.NumClasses() || classes > maxFeatures {
		return nil, fmt.Errorf("preprocess: %w: %d classes, the model has %d", mlcore.ErrCorrupt, classes, model.NumClasses())
	}
	if c.checkModel(model.NumFeatures()) != nil {
		return nil, fmt.Errorf("preprocess: %w: the model takes %d columns, the last step makes %d", mlcore.ErrCorrupt, model.NumFeatures(), len(c.Columns()))
	}
	return &Classifier{chain: c, classes: classes, model: model}, nil
}

// DecodeRegressor reads what [Regressor.MarshalBinary] wrote; see
// [DecodeClassifier].
func DecodeRegressor(data []byte, model DecodableRegressor) (*Regressor, error) {
	_, c, err := readChain(data, regressorKind, model)
	if err != nil {
		return nil, err
	}
	if c.checkModel(model.NumFeatures()) != nil {
		return nil, fmt.Errorf("preprocess: %w: the model takes %d columns, the last step makes %d", mlcore.ErrCorrupt, model.NumFeatures(), len(c.Columns()))
	}
	return &Regressor{chain: c, model: model}, nil
}

// MarshalJSON encodes the transformer as a JSON object that carries its binary form.
func (m *Imputer) MarshalJSON() ([]byte, error) { return codec.ToJSON(imputerKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [Imputer.UnmarshalBinary].
func (m *Imputer) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(imputerKind, data, m)
}

// MarshalJSON encodes the transformer as a JSON object that carries its binary form.
func (m *Scaler) MarshalJSON() ([]byte, error) { return codec.ToJSON(scalerKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [Imputer.UnmarshalBinary].
func (m *Scaler) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(scalerKind, data, m)
}

// MarshalJSON encodes the transformer as a JSON object that carries its binary form.
func (m *Discretizer) MarshalJSON() ([]byte, error) { return codec.ToJSON(discretizerKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [Imputer.UnmarshalBinary].
func (m *Discretizer) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(discretizerKind, data, m)
}

// MarshalJSON encodes the transformer as a JSON object that carries its binary form.
func (m *OneHot) MarshalJSON() ([]byte, error) { return codec.ToJSON(oneHotKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [Imputer.UnmarshalBinary].
func (m *OneHot) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(oneHotKind, data, m)
}

// MarshalJSON encodes the transformer as a JSON object that carries its binary form.
func (m *Ordinal) MarshalJSON() ([]byte, error) { return codec.ToJSON(ordinalKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [Imputer.UnmarshalBinary].
func (m *Ordinal) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(ordinalKind, data, m)
}

// MarshalJSON encodes the transformer as a JSON object that carries its binary form.
func (m *PCA) MarshalJSON() ([]byte, error) { return codec.ToJSON(pcaKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [Imputer.UnmarshalBinary].
func (m *PCA) UnmarshalJSON(data []byte) error { return codec.FromJSON(pcaKind, data, m) }
