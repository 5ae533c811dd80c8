package metrics_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"gonum.org/v1/gonum/mat"
)

func TestConfusionRoundTrips(t *testing.T) {
	plain := fromCounts(t, 2, 0.1, 1./3, 2, 1e-300)
	named := must[*metrics.ConfusionMatrix](t)(plain.WithClassNames([]string{"no", "yes"}))
	for _, m := range []*metrics.ConfusionMatrix{plain, named} {
		viaFile := must[*metrics.ConfusionMatrix](t)(modelfile.Unmarshal[*metrics.ConfusionMatrix](must[[]byte](t)(modelfile.Marshal(m))))
		viaText := must[*metrics.ConfusionMatrix](t)(modelfile.UnmarshalJSON[*metrics.ConfusionMatrix](must[[]byte](t)(modelfile.MarshalJSON(m))))
		if !reflect.DeepEqual(viaFile, m) || !reflect.DeepEqual(viaText, m) {
			t.Errorf("%v became %v by a file and %v by its JSON", m, viaFile, viaText)
		}
		var viaGob, viaJSON metrics.ConfusionMatrix
		var b bytes.Buffer
		if err := gob.NewEncoder(&b).Encode(m); err != nil {
			t.Fatal(err)
		}
		if err := gob.NewDecoder(&b).Decode(&viaGob); err != nil {
			t.Fatal(err)
		}
		data := must[[]byte](t)(json.Marshal(m))
		if err := json.Unmarshal(data, &viaJSON); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(&viaGob, m) || !reflect.DeepEqual(&viaJSON, m) {
			t.Errorf("%v became %v by gob and %v by JSON", m, &viaGob, &viaJSON)
		}
	}
	text := must[[]byte](t)(json.Marshal(must[*metrics.ConfusionMatrix](t)(fromCounts(t, 2, 3, 1, 2, 2).WithClassNames([]string{"a", "b"}))))
	if want := `{"class_names":["a","b"],"counts":[[3,1],[2,2]]}`; string(text) != want {
		t.Errorf("JSON is %s, want %s", text, want)
	}
}

func TestConfusionRefusesDamage(t *testing.T) {
	m := fromCounts(t, 2, 3, 1, 2, 2)
	for _, text := range []string{`{}`, `[]`, `{"counts":[]}`, `{"counts":[[1,2]]}`, `{"counts":[[1,2],[3]]}`, `{"counts":[[1,2,3],[4]]}`, `{"counts":[[-1]]}`, `{"counts":[[0]]}`, `{"counts":[[1]],"class_names":["a","b"]}`} {
		if err := m.UnmarshalJSON([]byte(text)); !errors.Is(err, mlcore.ErrCorrupt) {
			t.Errorf("%s: got error %v", text, err)
		}
	}
	data := must[[]byte](t)(m.MarshalBinary())
	for n := range data {
		if err := m.UnmarshalBinary(data[:n]); !errors.Is(err, mlcore.ErrCorrupt) {
			t.Errorf("%d of %d bytes: error %v", n, len(data), err)
		}
	}
	near(t, "accuracy after refusals", m.Accuracy(), 5./8)
}

// A matrix that no function made is empty, and cannot be saved.
func TestZeroConfusion(t *testing.T) {
	m := new(metrics.ConfusionMatrix)
	if !m.Counts().IsEmpty() || !m.Normalized(metrics.ByTrue).IsEmpty() || m.NumClasses() != 0 || m.Total() != 0 {
		t.Errorf("a zero matrix holds %v", m)
	}
	if a := m.Accuracy(); !math.IsNaN(a) {
		t.Errorf("accuracy %v of no rows", a)
	}
	check(t, "Marshal", second(modelfile.Marshal(m)), mlcore.ErrNotFitted)
	check(t, "MarshalBinary", second(m.MarshalBinary()), mlcore.ErrNotFitted)
	check(t, "MarshalJSON", second(m.MarshalJSON()), mlcore.ErrNotFitted)
	check(t, "WithClassNames", second(m.WithClassNames([]string{"a"})), mlcore.ErrShape)
	check(t, "PoolConfusion", second(metrics.PoolConfusion(m, m)), mlcore.ErrEmpty, "matrix 0")
	check(t, "ConfusionFromCounts", second(metrics.ConfusionFromCounts((*mat.Dense)(nil))), mlcore.ErrEmpty, "counts is nil")
}

// What is handed out or taken in is a copy.
func TestNothingIsShared(t *testing.T) {
	names := []string{"a", "b"}
	m := must[*metrics.ConfusionMatrix](t)(fromCounts(t, 2, 3, 1, 2, 2).WithClassNames(names))
	names[0] = "z"
	m.ClassNames()[1] = "z"
	m.Counts().Set(0, 0, 99)
	m.Normalized(metrics.ByAll).Set(0, 0, 99)
	if got := m.ClassNames(); !slices.Equal(got, []string{"a", "b"}) || m.At(0, 0) != 3 {
		t.Errorf("names %v and count %v", got, m.At(0, 0))
	}
	truth, score, w := []int{0, 1, 1}, []float64{3, 1, 2}, []float64{1, 2, 3}
	must[metrics.ROCCurve](t)(metrics.ROC(truth, score, w))
	must[metrics.CalibrationCurve](t)(metrics.Calibration(truth, []float64{0.5, 0.1, 0.2}, metrics.CalibrationConfig{Strategy: metrics.QuantileBins}))
	must[float64](t)(metrics.MedianAE(score, w, w))
	if !slices.Equal(truth, []int{0, 1, 1}) || !slices.Equal(score, []float64{3, 1, 2}) || !slices.Equal(w, []float64{1, 2, 3}) {
		t.Errorf("inputs became %v, %v, %v", truth, score, w)
	}
	pooled := must[*metrics.ConfusionMatrix](t)(metrics.PoolConfusion(m, m, fromCounts(t, 2, 0, 0, 0, 1)))
	nearAll(t, "pooled", pooled.Counts().RawMatrix().Data, []float64{6, 2, 4, 5})
	if m.Total() != 8 || pooled.ClassNames()[0] != "a" {
		t.Errorf("pooling left %v rows and the names %v", m.Total(), pooled.ClassNames())
	}
}
