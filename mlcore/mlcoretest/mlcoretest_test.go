package mlcoretest_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/codec"
	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
	"gonum.org/v1/gonum/mat"
)

// centroid predicts the class whose weighted mean is nearest: the simplest
// estimator that keeps every contract. A fault breaks one of them.
type centroid struct {
	classes, d int
	means      []float64 // classes×d, NaN where a class has no weight
	fault      string
	alias      *mat.Dense
}

func learn(fault string) func(workers int) mlcore.ClassifierLearner {
	return func(workers int) mlcore.ClassifierLearner {
		return func(X mat.Matrix, y []int, w []float64) (mlcore.Classifier, error) {
			return fit(X, y, w, fault, workers)
		}
	}
}

func fit(X mat.Matrix, y []int, w []float64, fault string, workers int) (*centroid, error) {
	if fault != "accepts NaN" {
		if err := mlcore.CheckMatrix(X, false); err != nil {
			return nil, err
		}
	}
	n, d := X.Dims()
	if err := mlcore.CheckLabels(y, n, 0); err != nil {
		return nil, err
	}
	if fault != "accepts bad weights" {
		if err := mlcore.CheckWeights(w, n); err != nil {
			return nil, err
		}
	}
	m := &centroid{classes: mlcore.CountClasses(y), d: d, fault: fault}
	m.means = make([]float64, m.classes*d)
	total := make([]float64, m.classes)
	for i, c := range y {
		weight := 1.0
		if w != nil && fault != "ignores weights" {
			weight = w[i]
		}
		if fault == "favours early rows" {
			weight /= float64(i + 1)
		}
		total[c] += weight
		for j := range d {
			m.means[c*d+j] += weight * X.At(i, j)
		}
	}
	for c := range total {
		for j := range d {
			m.means[c*d+j] /= total[c]
		}
	}
	switch {
	case fault == "counts workers":
		m.means[0] += float64(workers) * 1e-9
	case fault == "changes X":
		if dense, ok := X.(*mat.Dense); ok {
			dense.Set(0, 0, 0)
		}
	case fault == "keeps X":
		m.alias, _ = X.(*mat.Dense)
	}
	return m, nil
}

func (m *centroid) NumFeatures() int { return m.d }
func (m *centroid) NumClasses() int  { return m.classes }

func (m *centroid) Predict(X mat.Matrix) ([]int, error) {
	if err := mlcore.CheckFeatures(X, m.d); err != nil && m.fault != "accepts any width" {
		return nil, err
	}
	if err := mlcore.CheckMatrix(X, false); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	y := make([]int, n)
	for i := range y {
		best := math.Inf(1)
		for c := range m.classes {
			sum := 0.0
			for j := range m.d {
				v := X.At(i, j) - m.means[c*m.d+j]
				if m.alias != nil {
					v -= m.alias.At(0, j)
				}
				sum += v * v
			}
			if sum < best {
				best, y[i] = sum, c
			}
		}
		if m.fault == "learns nothing" {
			y[i] = 0
		}
	}
	return y, nil
}

func (m *centroid) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter("centroid", 1)
	w.Int(m.classes)
	w.Int(m.d)
	means := m.means
	if m.fault == "rounds when saved" {
		means = make([]float64, len(means))
	}
	w.Float64s(means)
	return w.Finish(), nil
}

func (m *centroid) UnmarshalBinary(data []byte) error {
	r, _, err := codec.NewReader(data, "centroid", 1)
	if err != nil {
		return err
	}
	m.classes, m.d, m.means = r.Int(), r.Int(), r.Float64s()
	if len(m.means) != m.classes*m.d {
		r.Fail("%d means of %d classes in %d dimensions", len(m.means), m.classes, m.d)
	}
	return r.Close()
}

func (m *centroid) MarshalJSON() ([]byte, error) {
	if m.fault == "JSON forgets" {
		return []byte("{}"), nil
	}
	return codec.ToJSON("centroid", m)
}

func (m *centroid) UnmarshalJSON(data []byte) error {
	if string(data) == "{}" {
		return nil
	}
	return codec.FromJSON("centroid", data, m)
}

func spec(fault string) mlcoretest.ClassifierSpec {
	return mlcoretest.ClassifierSpec{Learn: learn(fault), Decode: func(data []byte) (mlcore.Classifier, error) {
		if fault == "reads anything" {
			return fit(mat.NewDense(1, 3, nil), []int{0}, nil, "", 1)
		}
		m := new(centroid)
		return m, m.UnmarshalBinary(data)
	}}
}

func TestGoodClassifierPasses(t *testing.T) { mlcoretest.Classifier(t, spec("")) }

const faultVariable = "MLCORETEST_FAULT"

// TestFaultyClassifier is run by the next test in a process of its own.
func TestFaultyClassifier(t *testing.T) {
	if fault := os.Getenv(faultVariable); fault != "" {
		mlcoretest.Classifier(t, spec(fault))
	}
}

// Each fault must fail, in the part of the battery that is there for it.
func TestFaultsAreFound(t *testing.T) {
	if os.Getenv(faultVariable) != "" {
		return
	}
	for fault, part := range map[string]string{
		"accepts NaN":         "bad_training_data",
		"accepts bad weights": "bad_training_data",
		"ignores weights":     "weights_are_copies",
		"favours early rows":  "permuted_rows",
		"counts workers":      "workers",
		"changes X":           "inputs_are_kept",
		"keeps X":             "inputs_are_kept",
		"accepts any width":   "bad_queries",
		"learns nothing":      "predictions",
		"rounds when saved":   "round_trip",
		"JSON forgets":        "round_trip",
		"reads anything":      "damaged_bytes",
	} {
		t.Run(fault, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestFaultyClassifier$")
			cmd.Env = append(os.Environ(), faultVariable+"="+fault)
			out, err := cmd.CombinedOutput()
			var failed *exec.ExitError
			if !errors.As(err, &failed) {
				t.Fatalf("the battery passed (%v)", err)
			}
			if !strings.Contains(string(out), fmt.Sprintf("--- FAIL: TestFaultyClassifier/%s ", part)) {
				t.Errorf("%q did not fail:\n%s", part, out)
			}
		})
	}
}

// line is least squares on the first column, for the regressor's battery.
type line struct{ Slope, Intercept float64 }

func fitLine(X mat.Matrix, y, w []float64) (*line, error) {
	if err := mlcore.CheckMatrix(X, false); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if err := mlcore.CheckTargets(y, n); err != nil {
		return nil, err
	}
	if err := mlcore.CheckWeights(w, n); err != nil {
		return nil, err
	}
	var sw, sx, sy, sxx, sxy float64
	for i, v := range y {
		weight, x := 1.0, X.At(i, 0)-2*X.At(i, 1)
		if w != nil {
			weight = w[i]
		}
		sw, sx, sy, sxx, sxy = sw+weight, sx+weight*x, sy+weight*v, sxx+weight*x*x, sxy+weight*x*v
	}
	m := &line{}
	if det := sw*sxx - sx*sx; det > 1e-12 {
		m.Slope = (sw*sxy - sx*sy) / det
	}
	m.Intercept = (sy - m.Slope*sx) / sw
	return m, nil
}

func (m *line) NumFeatures() int { return 3 }

func (m *line) Predict(X mat.Matrix) ([]float64, error) {
	if err := mlcore.CheckFeatures(X, 3); err != nil {
		return nil, err
	}
	if err := mlcore.CheckMatrix(X, false); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	y := make([]float64, n)
	for i := range y {
		y[i] = m.Intercept + m.Slope*(X.At(i, 0)-2*X.At(i, 1))
	}
	return y, nil
}

func (m *line) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter("line", 1)
	w.Float64(m.Slope)
	w.Float64(m.Intercept)
	return w.Finish(), nil
}

func (m *line) UnmarshalBinary(data []byte) error {
	r, _, err := codec.NewReader(data, "line", 1)
	if err != nil {
		return err
	}
	m.Slope, m.Intercept = r.Float64(), r.Float64()
	return r.Close()
}

func TestGoodRegressorPasses(t *testing.T) {
	mlcoretest.Regressor(t, mlcoretest.RegressorSpec{
		Learn: func(int) mlcore.RegressorLearner { return mlcore.LearnRegressor(fitLine) },
		Decode: func(data []byte) (mlcore.Regressor, error) {
			m := new(line)
			return m, m.UnmarshalBinary(data)
		},
	})
}
