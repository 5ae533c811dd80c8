package peers

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore"
)

// Requirements is the list of pinned packages that the peers need, in pip's form.
//
//go:embed requirements.txt
var Requirements string

//go:embed compare.py
var compareScript string

// A Model names a scikit-learn estimator and its parameters.
type Model struct {
	// Name is the reader's name for the model, repeated in the report.
	Name string `json:"name"`
	// Estimator is the class, such as "DecisionTreeClassifier".
	Estimator string `json:"estimator"`
	// Params are the keyword arguments of its constructor. A Model as a value
	// is built first, as the base estimator of AdaBoost is.
	Params map[string]any `json:"params,omitempty"`
}

// A Request asks for every model to be fitted to Train and scored on Test.
type Request struct {
	Train, Test *mlcore.Dataset
	Models      []Model
	// Repeats is how many timed runs the median is taken over, 5 if 0.
	Repeats int
	// Threads limits the numeric libraries, as many as processors if 0. Models
	// that take n_jobs need it in their Params too.
	Threads int
}

// A Score is what one model reached.
type Score struct {
	Name           string  `json:"name"`
	Accuracy       float64 `json:"accuracy"`
	FitSeconds     float64 `json:"fit_seconds"`
	PredictSeconds float64 `json:"predict_seconds"`
	Predictions    []int   `json:"predictions"`
}

// A Report holds the scores in the order of the models.
type Report struct {
	// Versions tells what ran, by "python", "numpy" and "scikit-learn".
	Versions map[string]string `json:"versions"`
	Scores   []Score           `json:"scores"`
}

// Compare runs the request in scikit-learn. Categorical columns go over as their
// codes. The error wraps [ErrUnavailable] where Python or scikit-learn is
// missing.
func Compare(ctx context.Context, req Request) (*Report, error) {
	request, err := encode(req)
	if err != nil {
		return nil, err
	}
	python, err := Python()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, python, "-c", compareScript)
	cmd.Stdin = bytes.NewReader(request)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("peers: %w", ctx.Err())
	}
	if err != nil {
		var missing *exec.Error
		if errors.As(err, &missing) {
			return nil, fmt.Errorf("%w: %v", ErrUnavailable, err)
		}
		return nil, fmt.Errorf("peers: %s: %w: %s", python, err, lastLine(stderr.String()))
	}
	var answer struct {
		Report
		Unavailable string `json:"unavailable"`
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		return nil, fmt.Errorf("peers: %s did not answer in JSON: %w", python, err)
	}
	if answer.Unavailable != "" {
		return nil, fmt.Errorf("%w: %s in %s; \"go run ./scripts/lab setup --peers\" installs it privately", ErrUnavailable, answer.Unavailable, python)
	}
	return &answer.Report, nil
}

type table struct {
	X [][]float64 `json:"X"`
	Y []int       `json:"y"`
}

func encode(req Request) ([]byte, error) {
	repeats, threads := req.Repeats, req.Threads
	if repeats <= 0 {
		repeats = 5
	}
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	tables := map[string]table{}
	for name, ds := range map[string]*mlcore.Dataset{"train": req.Train, "test": req.Test} {
		if ds == nil || ds.Len() == 0 || ds.Y == nil {
			return nil, fmt.Errorf("peers: %s: %w: rows and class labels are needed", name, mlcore.ErrEmpty)
		}
		if err := mlcore.CheckMatrix(ds.X, false); err != nil {
			return nil, fmt.Errorf("peers: %s: %w", name, err)
		}
		t := table{Y: ds.Y}
		for i := range ds.Len() {
			t.X = append(t.X, ds.X.RawRowView(i))
		}
		tables[name] = t
	}
	return json.Marshal(struct {
		Train   table   `json:"train"`
		Test    table   `json:"test"`
		Repeats int     `json:"repeats"`
		Threads int     `json:"threads"`
		Models  []Model `json:"models"`
	}{tables["train"], tables["test"], repeats, threads, req.Models})
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}
