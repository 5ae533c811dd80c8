package peers

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

func line() *mlcore.Dataset {
	ds := &mlcore.Dataset{Name: "line", X: mat.NewDense(8, 1, nil), Columns: []mlcore.Column{{Name: "x"}}, ClassNames: []string{"low", "high"}}
	for i := range 8 {
		ds.X.Set(i, 0, float64(i))
		ds.Y = append(ds.Y, i/4)
	}
	return ds
}

func request() Request {
	stump := Model{Estimator: "DecisionTreeClassifier", Params: map[string]any{"max_depth": 1}}
	return Request{Train: line(), Test: line(), Repeats: 1, Models: []Model{
		{Name: "tree", Estimator: "DecisionTreeClassifier"},
		{Name: "boosted", Estimator: "AdaBoostClassifier", Params: map[string]any{"estimator": stump, "n_estimators": 3}},
		{Name: "majority", Estimator: "DummyClassifier"},
	}}
}

func TestCompare(t *testing.T) {
	r, err := Compare(context.Background(), request())
	if errors.Is(err, ErrUnavailable) && os.Getenv("CI") == "" {
		t.Skipf("needs scikit-learn; go run ./scripts/lab setup --peers installs it: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Scores) != 3 || r.Versions["scikit-learn"] == "" {
		t.Fatalf("report %+v", r)
	}
	// One cut separates the line; always saying the commonest class is half right.
	for i, want := range []float64{1, 1, 0.5} {
		if s := r.Scores[i]; s.Accuracy != want || s.FitSeconds <= 0 || len(s.Predictions) != 8 {
			t.Errorf("score %+v, want accuracy %v", s, want)
		}
	}
	if !slices.Equal(r.Scores[0].Predictions, line().Y) {
		t.Errorf("tree predicted %v", r.Scores[0].Predictions)
	}
}

func TestRun(t *testing.T) {
	script := "from sklearn.tree import DecisionTreeClassifier\n" +
		"model = DecisionTreeClassifier().fit(X_train, y_train)\n" +
		"print(model.tree_.threshold[0], model.score(X_test, y_test), X_test.shape)\n"
	out, err := Run(context.Background(), script, line(), line())
	if errors.Is(err, ErrUnavailable) && os.Getenv("CI") == "" {
		t.Skipf("needs scikit-learn; go run ./scripts/lab setup --peers installs it: %v", err)
	}
	if err != nil || out != "3.5 1.0 (8, 1)\n" {
		t.Errorf("%v, %q", err, out)
	}
	if _, err := Run(context.Background(), "print(1)\nprint(unknown)", line(), line()); err == nil ||
		!strings.Contains(err.Error(), "name 'unknown' is not defined") {
		t.Errorf("a script that fails: %v", err)
	}
	if _, err := Run(context.Background(), "", line(), nil); !errors.Is(err, mlcore.ErrEmpty) {
		t.Errorf("no test data: %v", err)
	}
}

// Numbers arrive bit for bit: repr of a Python float is the shortest text that gives
// the same number, as Go's is.
func TestRunWithNumericTarget(t *testing.T) {
	ds := line()
	ds.Y, ds.ClassNames, ds.Target = nil, nil, []float64{0, 0.1, 1. / 3, math.Pi, 1e-300, 2, -7, 1e21}
	out, err := Run(context.Background(), "print(y_train.dtype, [float(y) for y in y_test])", ds, ds)
	if errors.Is(err, ErrUnavailable) && os.Getenv("CI") == "" {
		t.Skipf("needs scikit-learn; go run ./scripts/lab setup --peers installs it: %v", err)
	}
	want := "float64 [0.0, 0.1, 0.3333333333333333, 3.141592653589793, 1e-300, 2.0, -7.0, 1e+21]\n"
	if err != nil || out != want {
		t.Errorf("%v, %q, want %q", err, out, want)
	}
}

func TestErrors(t *testing.T) {
	fake := filepath.Join(t.TempDir(), "python")
	write := func(script string) {
		if err := os.WriteFile(fake, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("MLLABS_PYTHON", fake)
	for _, tc := range []struct {
		name, script string
		want         error
		says         string
	}{
		{"no such Python", "", ErrUnavailable, "MLLABS_PYTHON"},
		{"no scikit-learn", `echo '{"unavailable": "No module named sklearn"}'`, ErrUnavailable, "setup --peers"},
		{"not JSON", `echo hello`, nil, "did not answer in JSON"},
		{"fails", "echo 'ValueError: no estimator' >&2; exit 1", nil, "ValueError: no estimator"},
	} {
		if tc.script != "" {
			write(tc.script)
		}
		_, err := Compare(context.Background(), request())
		if err == nil || (tc.want != nil && !errors.Is(err, tc.want)) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: error %v, want one that says %q", tc.name, err, tc.says)
		}
	}
	write("echo 'No module named sklearn' >&2; exit 3")
	if _, err := Run(context.Background(), "print(1)", line(), line()); !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "setup --peers") {
		t.Errorf("a script without scikit-learn: %v", err)
	}
	bad := request()
	bad.Test = nil
	if _, err := Compare(context.Background(), bad); !errors.Is(err, mlcore.ErrEmpty) || !strings.Contains(err.Error(), "test") {
		t.Errorf("no test set: %v", err)
	}
	numbers := line()
	numbers.Y, numbers.Target = nil, make([]float64, 8)
	bad.Test = numbers
	if _, err := Compare(context.Background(), bad); !errors.Is(err, mlcore.ErrEmpty) || !strings.Contains(err.Error(), "class labels") {
		t.Errorf("a test set without classes: %v", err)
	}
}
