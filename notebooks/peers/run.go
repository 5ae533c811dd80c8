package peers

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"os/exec"

	"github.com/mllabs-go/mllabs/mlcore"
)

//go:embed run.py
var runScript string

// missingPackage is the exit code of run.py where a package cannot be imported.
const missingPackage = 3

// Run runs a Python script with scikit-learn at hand and returns what it prints. The
// script finds the data as the NumPy arrays X_train, y_train, X_test and y_test; y holds
// class codes or, for a data set without them, the numeric target. The error wraps
// [ErrUnavailable] where Python or scikit-learn is missing; that of a script that fails
// has the last line of Python's trace.
func Run(ctx context.Context, script string, train, test *mlcore.Dataset) (string, error) {
	data, err := encodeTables(train, test)
	if err != nil {
		return "", err
	}
	request, err := json.Marshal(struct {
		Script string `json:"script"`
		tables
	}{script, data})
	if err != nil {
		return "", err
	}
	out, python, err := ask(ctx, runScript, request)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == missingPackage {
		return "", unavailable(exit.Error(), python)
	}
	return string(out), err
}
