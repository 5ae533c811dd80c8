package report_test

import (
	"errors"
	"math"
	"sync"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/report"
)

func TestNobodyToTell(t *testing.T) {
	if err := report.To(nil, "svm", 1, 10).Step(0, 1, report.NoLosses); err != nil {
		t.Error(err)
	}
}

func TestWhatIsTold(t *testing.T) {
	var got mlcore.Progress
	r := report.To(func(p mlcore.Progress) error {
		got = p
		return nil
	}, "svm", 3, 10)
	if err := r.Step(2, 7, report.Loss(0.5)); err != nil {
		t.Error(err)
	}
	if got.Problem != 2 || got.Problems != 3 || got.Step != 7 || got.Steps != 10 || got.Loss != 0.5 || !math.IsNaN(got.ValidationLoss) || !math.IsNaN(got.Measure) {
		t.Errorf("told %+v", got)
	}
}

// After an error the function is not called again: all problems hear of it.
func TestAnErrorEndsAll(t *testing.T) {
	full := errors.New("the disk is full")
	calls := 0
	r := report.To(func(mlcore.Progress) error {
		calls++ // without a lock: the race detector sees two calls at a time
		if calls == 5 {
			return full
		}
		return nil
	}, "svm", 4, 100)
	var wg sync.WaitGroup
	for problem := range 4 {
		wg.Go(func() {
			for step := 1; ; step++ {
				if err := r.Step(problem, step, report.NoLosses); err != nil {
					if !errors.Is(err, full) {
						t.Error(err)
					}
					return
				}
			}
		})
	}
	wg.Wait()
	if calls != 5 {
		t.Errorf("%d calls", calls)
	}
}
