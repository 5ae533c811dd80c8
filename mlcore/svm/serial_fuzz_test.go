package svm

import (
	"encoding"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// Whatever the bytes, decoding does not panic, and a model that is accepted
// predicts. The fuzzer's bytes get a right checksum, or it would never come
// further than that.
func FuzzUnmarshal(f *testing.F) {
	X := mat.NewDense(6, 2, []float64{0, 1, 2, 3, 4, 4, 6, 7, 8, 9, 1, 1})
	two, three, target := []int{0, 1, 0, 1, 0, 1}, []int{0, 1, 3, 0, 1, 3}, []float64{0, 1, 0, 1, 0, 1}
	seed := func(m encoding.BinaryMarshaler, err error) {
		if err != nil {
			f.Fatal(err)
		}
		data, err := m.MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[:len(data)-4])
	}
	for _, k := range []Kernel{nil, Linear{}, Polynomial{Coef0: 1}} {
		c, err := Config{Kernel: k}.FitClassifier(X, three, nil)
		seed(c, err)
		p, err := Config{Kernel: k}.FitProbClassifier(X, two, nil)
		seed(p, err)
		r, err := Config{Kernel: k, Epsilon: 0.1}.FitRegressor(X, target, nil)
		seed(r, err)
	}
	for _, y := range [][]int{two, three} {
		c, err := LinearConfig{}.FitClassifier(X, y, nil)
		seed(c, err)
	}
	r, err := LinearConfig{}.FitRegressor(X, target, nil)
	seed(r, err)
	none, err := Config{Epsilon: 9}.FitRegressor(X, target, nil)
	seed(none, err)
	f.Fuzz(func(t *testing.T, body []byte) {
		data := binary.LittleEndian.AppendUint32(append([]byte(nil), body...), crc32.ChecksumIEEE(body))
		for _, m := range []interface {
			binaryModel
			NumFeatures() int
		}{new(Classifier), new(ProbClassifier), new(Regressor), new(LinearClassifier), new(LinearRegressor)} {
			if err := m.UnmarshalBinary(data); err != nil {
				if !errors.Is(err, mlcore.ErrCorrupt) && !errors.Is(err, mlcore.ErrVersion) {
					t.Fatalf("%T: error %v", m, err)
				}
				continue
			}
			predictZeros(t, m, m.NumFeatures())
		}
	})
}

// predictZeros asks a model about a row of zeros. Numbers that no fit gave can
// overflow; that is an error too.
func predictZeros(t *testing.T, m any, d int) {
	X := mat.NewDense(1, d, nil)
	var err error
	switch m := m.(type) {
	case *ProbClassifier:
		_, err = m.PredictProba(X)
	case mlcore.Classifier:
		_, err = m.Predict(X)
	case mlcore.Regressor:
		_, err = m.Predict(X)
	}
	if err != nil && !errors.Is(err, mlcore.ErrNonFinite) {
		t.Fatalf("%T: %v", m, err)
	}
}
