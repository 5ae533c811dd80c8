package bayes

import (
	"encoding"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// Whatever the bytes, decoding does not panic, and a model that is accepted gives
// probabilities. The fuzzer's bytes get a right checksum, or it would never come
// further than that.
func FuzzUnmarshal(f *testing.F) {
	X := mat.NewDense(4, 2, []float64{0, 1, 2, 0, 1, 1, 0, 0})
	y := []int{0, 1, 0, 2}
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
	{
		m, err := CategoricalConfig{Unknown: UnknownIgnore}.FitClassifier(X, y, nil)
		seed(m, err)
	}
	{
		m, err := BernoulliConfig{}.FitClassifier(X, y, []float64{1, 2, 1, 0})
		seed(m, err)
	}
	{
		m, err := MultinomialConfig{Smoothing: Lidstone(0)}.FitClassifier(X, y, nil)
		seed(m, err)
	}
	{
		m, err := GaussianConfig{}.FitClassifier(X, y, nil)
		seed(m, err)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		data := binary.LittleEndian.AppendUint32(append([]byte(nil), body...), crc32.ChecksumIEEE(body))
		for _, m := range []interface {
			mlcore.ProbClassifier
			encoding.BinaryUnmarshaler
		}{new(Categorical), new(Bernoulli), new(Multinomial), new(Gaussian)} {
			if err := m.UnmarshalBinary(data); err != nil {
				if !errors.Is(err, mlcore.ErrCorrupt) && !errors.Is(err, mlcore.ErrVersion) {
					t.Fatalf("error %v", err)
				}
				continue
			}
			p, err := m.PredictProba(mat.NewDense(1, m.NumFeatures(), nil))
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range p.RawRowView(0) {
				if math.IsNaN(v) {
					t.Fatalf("%T gives probabilities %v", m, p.RawRowView(0))
				}
			}
		}
	})
}
