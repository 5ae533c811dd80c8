package modelfile_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
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
