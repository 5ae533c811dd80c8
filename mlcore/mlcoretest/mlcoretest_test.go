package mlcoretest_test

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"gonum.org/v1/gonum/mat"
)

// centroid predicts the class whose weighted mean is nearest: the simplest
// estimator that keeps every contract. A fault breaks one of them.
type centroid struct {
	classes, d int
	means      []float64 // classes×d, NaN where a class has no weight
	fault      string
	alias      *mat.Dense
	schema     *mlcore.Schema
}

// centroidConfig fits a centroid with a fault.
type centroidConfig struct {
	fault   string
	workers int
}

func (c centroidConfig) FitClassifier(ds *mlcore.Dataset) (*centroid, error) {
	if ds != nil && c.fault == "panics at no rows" {
		_ = ds.X.At(0, 0)
	}
	if err := checkColumns(ds, c.fault); err != nil {
		return nil, err
	}
	if ds.Y == nil {
		return nil, fmt.Errorf("%w: no class labels", mlcore.ErrLabel)
	}
	m := fit(ds.X, ds.Y, ds.Weights, c.fault, c.workers)
	for m.classes < ds.NumClasses() && c.fault != "forgets classes" {
		m.classes++
		for range m.d {
			m.means = append(m.means, math.NaN())
		}
	}
	if c.fault != "forgets columns" {
		m.schema = ds.Schema()
	}
	return m, nil
}

// checkColumns is what a learner of numeric columns checks before it fits.
func checkColumns(ds *mlcore.Dataset, fault string) error {
	if ds == nil {
		return fmt.Errorf("%w: nil Dataset", mlcore.ErrEmpty)
	}
	checked := *ds
	if fault == "accepts bad weights" {
		checked.Weights = nil
	}
	if err := checked.Validate(); err != nil {
		return err
	}
	for j, c := range ds.Columns {
		if c.Categorical() && fault != "takes codes for numbers" {
			return fmt.Errorf("%w: column %d (%s) is categorical", mlcore.ErrColumn, j, c.Name)
		}
		for i := range ds.Len() {
			if math.IsNaN(ds.X.At(i, j)) && fault != "accepts NaN" {
				return fmt.Errorf("%w: row %d, column %d (%s)", mlcore.ErrNonFinite, i, j, c.Name)
			}
		}
	}
	return nil
}

func fit(X *mat.Dense, y []int, w []float64, fault string, workers int) *centroid {
	_, d := X.Dims()
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
		X.Set(0, 0, 0)
	case fault == "keeps X":
		m.alias = X
	}
	return m
}

func (m *centroid) Schema() *mlcore.Schema { return m.schema }

func (m *centroid) NumFeatures() int { return m.d }
func (m *centroid) NumClasses() int  { return m.classes }

func (m *centroid) Predict(X mat.Matrix) ([]int, error) {
	if m.d == 0 && os.Getenv(faultVariable) == "answers unfitted" {
		return nil, nil // a zero model has no fault of its own
	}
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

// saved is a centroid as encoding/gob writes it.
type saved struct {
	Classes, D int
	Means      []float64
	Schema     *mlcore.Schema
}

func init() {
	modelfile.Register[centroid]("example.org/mlcoretest.centroid")
	modelfile.Register[line]("example.org/mlcoretest.line")
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(v)
	return b.Bytes(), err
}

func decode(data []byte, v any) error { return gob.NewDecoder(bytes.NewReader(data)).Decode(v) }

func (m *centroid) MarshalBinary() ([]byte, error) {
	if m.d == 0 {
		return nil, mlcore.ErrNotFitted
	}
	means, schema := m.means, m.schema
	switch m.fault {
	case "rounds when saved":
		means = make([]float64, len(means))
	case "forgets columns when saved":
		schema = nil
	}
	return encode(saved{m.classes, m.d, means, schema})
}

func (m *centroid) UnmarshalBinary(data []byte) error {
	var s saved
	err := decode(data, &s)
	m.classes, m.d, m.means, m.schema = s.Classes, s.D, s.Means, s.Schema
	return err
}

func (m *centroid) MarshalJSON() ([]byte, error) {
	if m.fault == "JSON forgets" {
		return []byte("{}"), nil
	}
	return nil, errors.New("use package modelfile")
}

func runCentroid(t *testing.T, fault string) {
	mlcoretest.Classifier(t, mlcoretest.Traits{}, func(workers int) centroidConfig { return centroidConfig{fault, workers} })
}

// meanConfig fits a centroid without labels: the mean of all rows.
type meanConfig struct {
	fault   string
	workers int
}

func (c meanConfig) Fit(ds *mlcore.Dataset) (*centroid, error) {
	if err := checkColumns(ds, c.fault); err != nil {
		return nil, err
	}
	m := fit(ds.X, make([]int, ds.Len()), ds.Weights, c.fault, c.workers)
	if c.fault != "forgets columns" {
		m.schema = ds.Schema()
	}
	return m, nil
}

func runMean(t *testing.T, fault string) {
	config := func(workers int) meanConfig { return meanConfig{fault, workers} }
	mlcoretest.Unsupervised(t, mlcoretest.Traits{}, config, func(m *centroid, X mat.Matrix) ([]float64, error) {
		_, err := m.Predict(X)
		return m.means, err
	})
}

func TestGoodUnsupervisedPasses(t *testing.T) { runMean(t, "") }

func TestGoodClassifierPasses(t *testing.T) { runCentroid(t, "") }

const faultVariable = "MLCORETEST_FAULT"

// TestFaultyClassifier and TestFaultyUnsupervised are run by the next test, each time in a
// process of its own.
func TestFaultyClassifier(t *testing.T) {
	if fault := os.Getenv(faultVariable); fault != "" {
		runCentroid(t, fault)
	}
}

func TestFaultyUnsupervised(t *testing.T) {
	if fault := os.Getenv(faultVariable); fault != "" {
		runMean(t, fault)
	}
}

// Each fault must fail, in the part of the battery that is there for it.
func TestFaultsAreFound(t *testing.T) {
	if os.Getenv(faultVariable) != "" {
		return
	}
	found := func(test, fault, part string) {
		t.Run(test+"/"+fault, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^"+test+"$")
			cmd.Env = append(os.Environ(), faultVariable+"="+fault)
			out, err := cmd.CombinedOutput()
			var failed *exec.ExitError
			if !errors.As(err, &failed) {
				t.Fatalf("the battery passed (%v)", err)
			}
			if !strings.Contains(string(out), fmt.Sprintf("--- FAIL: %s/%s ", test, part)) {
				t.Errorf("%q did not fail:\n%s", part, out)
			}
		})
	}
	for fault, part := range map[string]string{
		"accepts NaN":                "bad_training_data",
		"accepts bad weights":        "bad_training_data",
		"ignores weights":            "weights_are_copies",
		"favours early rows":         "permuted_rows",
		"counts workers":             "workers",
		"changes X":                  "inputs_are_kept",
		"keeps X":                    "inputs_are_kept",
		"accepts any width":          "bad_queries",
		"learns nothing":             "predictions",
		"rounds when saved":          "round_trip",
		"JSON forgets":               "round_trip",
		"panics at no rows":          "bad_training_data",
		"answers unfitted":           "not_fitted",
		"forgets columns":            "dataset",
		"forgets columns when saved": "round_trip",
		"takes codes for numbers":    "bad_dataset",
		"forgets classes":            "class_names",
	} {
		found("TestFaultyClassifier", fault, part)
	}
	for fault, part := range map[string]string{
		"accepts NaN":        "bad_training_data",
		"ignores weights":    "weights_are_copies",
		"favours early rows": "permuted_rows",
		"counts workers":     "workers",
		"changes X":          "inputs_are_kept",
		"accepts any width":  "bad_queries",
		"rounds when saved":  "round_trip",
		"answers unfitted":   "not_fitted",
		"forgets columns":    "dataset",
	} {
		found("TestFaultyUnsupervised", fault, part)
	}
}

// line is least squares on the first column, for the regressor's battery.
type line struct {
	D                int
	Slope, Intercept float64
	Columns          *mlcore.Schema
}

type lineConfig struct{}

func (lineConfig) FitRegressor(ds *mlcore.Dataset) (*line, error) {
	if err := checkColumns(ds, ""); err != nil {
		return nil, err
	}
	if ds.Target == nil {
		return nil, fmt.Errorf("%w: no numbers in Target", mlcore.ErrLabel)
	}
	X, y, w := ds.X, ds.Target, ds.Weights
	var sw, sx, sy, sxx, sxy float64
	for i, v := range y {
		weight, x := 1.0, X.At(i, 0)-2*X.At(i, 1)
		if w != nil {
			weight = w[i]
		}
		sw, sx, sy, sxx, sxy = sw+weight, sx+weight*x, sy+weight*v, sxx+weight*x*x, sxy+weight*x*v
	}
	m := &line{D: 3, Columns: ds.Schema()}
	if det := sw*sxx - sx*sx; det > 1e-12 {
		m.Slope = (sw*sxy - sx*sy) / det
	}
	m.Intercept = (sy - m.Slope*sx) / sw
	return m, nil
}

func (m *line) Schema() *mlcore.Schema { return m.Columns }

func (m *line) NumFeatures() int { return m.D }

func (m *line) Predict(X mat.Matrix) ([]float64, error) {
	if err := mlcore.CheckFeatures(X, m.D); err != nil {
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

// plain is a line without its methods, which gob would call again.
type plain line

func (m *line) MarshalBinary() ([]byte, error) {
	if m.D == 0 {
		return nil, mlcore.ErrNotFitted
	}
	return encode((*plain)(m))
}

func (m *line) UnmarshalBinary(data []byte) error { return decode(data, (*plain)(m)) }

func (m *line) MarshalJSON() ([]byte, error) { return nil, errors.New("use package modelfile") }

func TestGoodRegressorPasses(t *testing.T) {
	mlcoretest.Regressor(t, mlcoretest.Traits{}, func(int) lineConfig { return lineConfig{} })
}
