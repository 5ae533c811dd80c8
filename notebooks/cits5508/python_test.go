package cits5508

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

func numbers() *mlcore.Dataset {
	return &mlcore.Dataset{
		X:       mat.NewDense(2, 1, []float64{1, 2}),
		Columns: []mlcore.Column{{Name: "x"}}, Target: []float64{0.5, -3},
	}
}

func TestPython(t *testing.T) {
	if got := Python("print('hello')", numbers(), numbers()); strings.HasPrefix(got, "Without Python") && os.Getenv("CI") == "" {
		t.Skip("needs scikit-learn; go run ./scripts/lab setup --peers installs it: ", got)
	} else if got != "hello\n" {
		t.Errorf("the script printed %q", got)
	}
	if got := PythonNumbers("print(*y_train)\nprint(X_test[1, 0])", numbers(), numbers()); !slices.Equal(got, []float64{0.5, -3, 2}) {
		t.Errorf("numbers %v, want 0.5 -3 2", got)
	}
}

func TestWithoutPython(t *testing.T) {
	t.Setenv("MLLABS_PYTHON", "/no/such/python")
	if got := Python("print(1)", numbers(), numbers()); !strings.HasPrefix(got, "Without Python") || !strings.Contains(got, "MLLABS_PYTHON") {
		t.Errorf("text %q", got)
	}
	if got := PythonNumbers("print(1)", numbers(), numbers()); got != nil {
		t.Errorf("numbers %v, want none", got)
	}
}

func TestParseNumbers(t *testing.T) {
	if _, err := parseNumbers("1 two"); err == nil || !strings.Contains(err.Error(), `"two"`) {
		t.Errorf("error %v, want one that names the word", err)
	}
}
