package svm

import (
	"encoding"

	"github.com/mllabs-go/mllabs/mlcore/internal/codec"
)

const (
	classifierKind       = "svm.Classifier"
	probClassifierKind   = "svm.ProbClassifier"
	regressorKind        = "svm.Regressor"
	linearClassifierKind = "svm.LinearClassifier"
	linearRegressorKind  = "svm.LinearRegressor"
	formatVersion        = 1
)

// The numbers of the kernels in serialised models.
const (
	linearCode = iota
	polynomialCode
	rbfCode
)

func writeKernel(w *codec.Writer, k Kernel) error {
	switch k := k.(type) {
	case Linear:
		w.Int(linearCode)
	case Polynomial:
		w.Int(polynomialCode)
		w.Int(k.Degree)
		w.Float64(k.Gamma)
		w.Float64(k.Coef0)
	case RBF:
		w.Int(rbfCode)
		w.Float64(k.Gamma)
	default:
		return configError("a model with a kernel of type %T cannot be serialised", k)
	}
	return nil
}

func readKernel(r *codec.Reader) Kernel {
	var k Kernel
	switch code := r.Int(); code {
	case linearCode:
		return Linear{}
	case polynomialCode:
		k = Polynomial{Degree: r.Int(), Gamma: r.Float64(), Coef0: r.Float64()}
	case rbfCode:
		k = RBF{Gamma: r.Float64()}
	default:
		r.Fail("kernel %d", code)
		return nil
	}
	if err := checkKernel(k); err != nil {
		r.Fail("%v", err)
	}
	return k
}

func (e *expansion) write(w *codec.Writer) error {
	if err := writeKernel(w, e.kernel); err != nil {
		return err
	}
	w.Int(e.d)
	w.Ints(e.support)
	w.Float64s(e.data)
	return nil
}

// readExpansion reads what write wrote and makes sure that a fit could have made
// it.
func readExpansion(r *codec.Reader) expansion {
	e := expansion{space: space{kernel: readKernel(r), d: r.Int()}, support: r.Ints()}
	e.data = r.Float64s()
	if r.Err() != nil {
		return e
	}
	if n := len(e.support); e.d < 1 || e.d > maxFeatures || len(e.data)/e.d != n || len(e.data)%e.d != 0 {
		r.Fail("%d values for %d support vectors of %d columns", len(e.data), n, e.d)
		return e
	}
	for i, row := range e.support {
		if row < 0 || i > 0 && row <= e.support[i-1] {
			r.Fail("training row %d out of order", row)
		}
	}
	checkFinite(r, e.data...)
	e.all = allRows(len(e.support))
	return e
}

// A model without support vectors has no data to vouch for its width.
const maxFeatures = 1 << 24

func checkFinite(r *codec.Reader, values ...float64) {
	for _, v := range values {
		if v-v != 0 {
			r.Fail("a number that is %v", v)
			return
		}
	}
}

func (f *kernelSum) write(w *codec.Writer) {
	w.Int32s(f.support)
	w.Float64s(f.coef)
	w.Float64(f.bias)
}

func (e *expansion) readSum(r *codec.Reader) kernelSum {
	f := kernelSum{support: r.Int32s(), coef: r.Float64s(), bias: r.Float64()}
	if len(f.coef) != len(f.support) {
		r.Fail("%d coefficients of %d support vectors", len(f.coef), len(f.support))
	}
	for i, s := range f.support {
		if s < 0 || int(s) >= len(e.support) || i > 0 && s <= f.support[i-1] {
			r.Fail("support vector %d of %d", s, len(e.support))
		}
	}
	checkFinite(r, f.coef...)
	checkFinite(r, f.bias)
	if r.Err() == nil {
		e.setWeights(&f)
	}
	return f
}

// readClasses reads K and the classes that had rows.
func readClasses(r *codec.Reader) (classes int, present []int) {
	classes, present = r.Int(), r.Ints()
	if r.Err() != nil {
		return classes, present
	}
	if classes > maxClasses || len(present) < 2 {
		r.Fail("%d classes, of which %d have rows", classes, len(present))
	}
	for i, k := range present {
		if k < 0 || k >= classes || i > 0 && k <= present[i-1] {
			r.Fail("class %d of %d", k, classes)
		}
	}
	return classes, present
}

// A binaryModel is what all five models are.
type binaryModel interface {
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

var _ = []binaryModel{(*Classifier)(nil), (*ProbClassifier)(nil), (*Regressor)(nil), (*LinearClassifier)(nil), (*LinearRegressor)(nil)}

func (m *Classifier) write(w *codec.Writer) error {
	if err := m.expansion.write(w); err != nil {
		return err
	}
	w.Int(m.classes)
	w.Ints(m.present)
	for _, machine := range m.machines {
		machine.sum.write(w)
	}
	w.Float64(m.margin)
	m.report.write(w)
	return nil
}

func readClassifier(r *codec.Reader) Classifier {
	m := Classifier{expansion: readExpansion(r)}
	m.classes, m.present = readClasses(r)
	for i, low := range m.present {
		for _, high := range m.present[i+1:] {
			if r.Err() != nil {
				return m
			}
			m.machines = append(m.machines, machine{low, high, m.readSum(r)})
		}
	}
	m.margin = r.Float64()
	checkFinite(r, m.margin)
	m.report = readReport(r)
	return m
}

// MarshalBinary encodes the model. It implements encoding.BinaryMarshaler, which
// encoding/gob uses too. Workers is not part of the model: a decoded one uses all
// processors. A model with a kernel of one's own is an error that wraps
// [mlcore.ErrConfig].
func (m *Classifier) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(classifierKind, formatVersion)
	if err := m.write(w); err != nil {
		return nil, err
	}
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model. Bytes that are not one are refused with an
// error that wraps [mlcore.ErrCorrupt] or [mlcore.ErrVersion], and m is left as it
// was.
func (m *Classifier) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, classifierKind, formatVersion, func(r *codec.Reader, c *Classifier) { *c = readClassifier(r) })
}

// MarshalBinary encodes the model; see [Classifier.MarshalBinary].
func (m *ProbClassifier) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(probClassifierKind, formatVersion)
	if err := m.write(w); err != nil {
		return nil, err
	}
	A, B := m.Sigmoids()
	w.Float64s(A)
	w.Float64s(B)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model; see [Classifier.UnmarshalBinary].
func (m *ProbClassifier) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, probClassifierKind, formatVersion, func(r *codec.Reader, c *ProbClassifier) {
		c.Classifier = readClassifier(r)
		A, B := r.Float64s(), r.Float64s()
		if len(A) != len(c.machines) || len(B) != len(A) {
			r.Fail("%d and %d numbers for the sigmoids of %d machines", len(A), len(B), len(c.machines))
			return
		}
		checkFinite(r, A...)
		checkFinite(r, B...)
		for k := range A {
			c.sigmoids = append(c.sigmoids, sigmoid{A[k], B[k]})
		}
	})
}

// MarshalBinary encodes the model; see [Classifier.MarshalBinary].
func (m *Regressor) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(regressorKind, formatVersion)
	if err := m.expansion.write(w); err != nil {
		return nil, err
	}
	m.sum.write(w)
	w.Float64(m.epsilon)
	w.Float64(m.margin)
	m.report.write(w)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model; see [Classifier.UnmarshalBinary].
func (m *Regressor) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, regressorKind, formatVersion, func(r *codec.Reader, c *Regressor) {
		c.expansion = readExpansion(r)
		c.sum = c.readSum(r)
		c.epsilon, c.margin = r.Float64(), r.Float64()
		checkFinite(r, c.epsilon, c.margin)
		c.report = readReport(r)
	})
}

func (p plane) write(w *codec.Writer) {
	w.Float64s(p.w)
	w.Float64(p.b)
}

// readPlane reads a plane over d columns, any number of them where d is 0.
func readPlane(r *codec.Reader, d int) plane {
	p := plane{r.Float64s(), r.Float64()}
	if len(p.w) == 0 || d > 0 && len(p.w) != d {
		r.Fail("a plane of %d columns, not %d", len(p.w), d)
	}
	checkFinite(r, p.w...)
	checkFinite(r, p.b)
	return p
}

// MarshalBinary encodes the model; see [Classifier.MarshalBinary].
func (m *LinearClassifier) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(linearClassifierKind, formatVersion)
	w.Int(m.classes)
	w.Ints(m.present)
	for _, p := range m.planes {
		p.write(w)
	}
	w.Float64(m.margin)
	m.report.write(w)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model; see [Classifier.UnmarshalBinary].
func (m *LinearClassifier) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, linearClassifierKind, formatVersion, func(r *codec.Reader, c *LinearClassifier) {
		c.classes, c.present = readClasses(r)
		count := len(c.present)
		if count == 2 {
			count = 1
		}
		for d := 0; len(c.planes) < count && r.Err() == nil; {
			c.planes = append(c.planes, readPlane(r, d))
			d = len(c.planes[0].w)
		}
		c.margin = r.Float64()
		checkFinite(r, c.margin)
		c.report = readReport(r)
	})
}

// MarshalBinary encodes the model; see [Classifier.MarshalBinary].
func (m *LinearRegressor) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(linearRegressorKind, formatVersion)
	m.plane.write(w)
	w.Float64(m.epsilon)
	w.Float64(m.margin)
	m.report.write(w)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model; see [Classifier.UnmarshalBinary].
func (m *LinearRegressor) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, linearRegressorKind, formatVersion, func(r *codec.Reader, c *LinearRegressor) {
		c.plane = readPlane(r, 0)
		c.epsilon, c.margin = r.Float64(), r.Float64()
		checkFinite(r, c.epsilon, c.margin)
		c.report = readReport(r)
	})
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *Classifier) MarshalJSON() ([]byte, error) { return codec.ToJSON(classifierKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [Classifier.UnmarshalBinary].
func (m *Classifier) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(classifierKind, data, m)
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *ProbClassifier) MarshalJSON() ([]byte, error) { return codec.ToJSON(probClassifierKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [Classifier.UnmarshalBinary].
func (m *ProbClassifier) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(probClassifierKind, data, m)
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *Regressor) MarshalJSON() ([]byte, error) { return codec.ToJSON(regressorKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [Classifier.UnmarshalBinary].
func (m *Regressor) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(regressorKind, data, m)
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *LinearClassifier) MarshalJSON() ([]byte, error) {
	return codec.ToJSON(linearClassifierKind, m)
}

// UnmarshalJSON decodes what MarshalJSON made; see [Classifier.UnmarshalBinary].
func (m *LinearClassifier) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(linearClassifierKind, data, m)
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *LinearRegressor) MarshalJSON() ([]byte, error) {
	return codec.ToJSON(linearRegressorKind, m)
}

// UnmarshalJSON decodes what MarshalJSON made; see [Classifier.UnmarshalBinary].
func (m *LinearRegressor) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(linearRegressorKind, data, m)
}
