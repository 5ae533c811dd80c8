package peers

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"runtime"

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
	// Repeats is how many timed runs the median is taken over, 5 if 0. Several come
	// after one that does not count; 1 is for scores, since its time is that of a first
	// run.
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
	out, python, err := ask(ctx, compareScript, request)
	if err != nil {
		return nil, err
	}
	var answer struct {
		Report
		Unavailable string `json:"unavailable"`
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		return nil, fmt.Errorf("peers: %s did not answer in JSON: %w", python, err)
	}
	if answer.Unavailable != "" {
		return nil, unavailable(answer.Unavailable, python)
	}
	return &answer.Report, nil
}

func encode(req Request) ([]byte, error) {
	repeats, threads := req.Repeats, req.Threads
	if repeats <= 0 {
		repeats = 5
	}
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	data, err := encodeTables(req.Train, req.Test)
	if err != nil {
		return nil, err
	}
	if req.Train.Y == nil || req.Test.Y == nil {
		return nil, fmt.Errorf("peers: %w: the accuracy of models needs class labels; Run takes numeric targets", mlcore.ErrEmpty)
	}
	return json.Marshal(struct {
		tables
		Repeats int     `json:"repeats"`
		Threads int     `json:"threads"`
		Models  []Model `json:"models"`
	}{data, repeats, threads, req.Models})
}
