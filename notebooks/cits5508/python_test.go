package cits5508

import (
	"os"
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
}

func TestWithoutPython(t *testing.T) {
	t.Setenv("MLLABS_PYTHON", "/no/such/python")
	if got := Python("print(1)", numbers(), numbers()); !strings.HasPrefix(got, "Without Python") || !strings.Contains(got, "MLLABS_PYTHON") {
		t.Errorf("text %q", got)
	}
}
