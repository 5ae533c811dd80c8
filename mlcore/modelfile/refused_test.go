package modelfile_test

import (
	"encoding/json"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// Names in Latin-1 survive in the binary form. JSON cannot hold them and says so: it
// would make the levels \xff and \xfe the same.
func TestNamesThatAreNotUTF8(t *testing.T) {
	ds := mlcore.FromMatrix(mat.NewDense(2, 1, []float64{0, 1}), []int{0, 1}, nil)
	ds.Columns[0].Levels = []string{"\xff", "\xfe"}
	model, err := tree.Config{}.FitClassifier(ds)
	if err != nil {
		t.Fatal(err)
	}
	data, err := modelfile.Marshal(model)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := modelfile.Unmarshal[*tree.Classifier](data)
	if err != nil || !loaded.Schema().Equal(ds.Schema()) {
		t.Errorf("binary: %v, %v", loaded, err)
	}
	if text, err := modelfile.MarshalJSON(model); !errors.Is(err, mlcore.ErrConfig) || !strings.Contains(err.Error(), "UTF-8") {
		t.Errorf("JSON: %s, %v", text, err)
	}
}

func TestMarshalNil(t *testing.T) {
	for _, marshal := range []func(any) ([]byte, error){modelfile.Marshal, modelfile.MarshalJSON} {
		if _, err := marshal((*tree.Classifier)(nil)); !errors.Is(err, mlcore.ErrNotFitted) {
			t.Errorf("a nil model: %v", err)
		}
	}
}

func TestUnmarshalJSONNamesFields(t *testing.T) {
	_, err := modelfile.UnmarshalJSON[any]([]byte("{}"))
	if !errors.Is(err, mlcore.ErrCorrupt) || !strings.HasSuffix(err.Error(), "no field format") {
		t.Errorf("an empty object: %v", err)
	}
}

// The core samples of a DBSCAN are all the rows of its index. A file that skips one has no
// cluster for the last.
func TestCoreSamplesThatAreNotAllRows(t *testing.T) {
	text, err := os.ReadFile(fixture("cluster.DBSCAN.json"))
	if err != nil {
		t.Fatal(err)
	}
	m := object(t, text)
	rows := m["model"].(map[string]any)["core_samples"].(map[string]any)["rows"].(map[string]any)["rows"].([]any)
	rows[len(rows)-1] = len(rows)
	if text, err = json.Marshal(m); err != nil {
		t.Fatal(err)
	}
	if _, err := modelfile.UnmarshalJSON[any](text); !errors.Is(err, mlcore.ErrCorrupt) || !strings.Contains(err.Error(), "core sample 28 is row 29") {
		t.Errorf("%v", err)
	}
}

// What a file of its length may not hold is not written: 1,000 columns whose names begin
// with the same 100,000 letters, which a file has once.
func TestMarshalRefusesWhatCannotBeRead(t *testing.T) {
	levels, codes := make([]string, 1000), make([]float64, 1000)
	for l := range levels {
		levels[l], codes[l] = strconv.Itoa(l), float64(l)
	}
	ds := mlcore.FromMatrix[int](mat.NewDense(len(codes), 1, codes), nil, nil)
	ds.Columns[0] = mlcore.Column{Name: strings.Repeat("x", 100_000), Levels: levels}
	m, err := preprocess.OneHotConfig{}.Fit(ds)
	if err != nil {
		t.Fatal(err)
	}
	for _, marshal := range []func(any) ([]byte, error){modelfile.Marshal, modelfile.MarshalJSON} {
		if _, err := marshal(m); !errors.Is(err, mlcore.ErrConfig) || !strings.Contains(err.Error(), "MB of memory") {
			t.Errorf("%v", err)
		}
	}
}
