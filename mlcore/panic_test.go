package mlcore_test

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/calibration"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"github.com/mllabs-go/mllabs/mlcore/conformal"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/evolve"
	"github.com/mllabs-go/mllabs/mlcore/inspection"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/neural"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/sigtest"
	"github.com/mllabs-go/mllabs/mlcore/svm"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

var errBurst = errors.New("a metric of the caller's burst")

// A function of the caller's that panics, wherever the library calls it, is an error
// that says what and where. In a goroutine of the library the panic would end the
// caller's program.
func TestPanicsOfCallersFunctions(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8)) // teams have no more members than that
	const n = 400
	rng := mlcore.NewRand(1, 0)
	X, y, target := mat.NewDense(n, 3, nil), make([]int, n), make([]float64, n)
	for i := range n {
		for j := range 3 {
			X.Set(i, j, rng.Float64())
		}
		y[i] = i % 3
		target[i] = X.At(i, 0)
	}
	classes, numbers := mlcore.FromMatrix(X, y, nil), mlcore.FromMatrix(X, target, nil)
	distance := func(armed *bool) func(a, b []float64) float64 {
		return func(a, b []float64) float64 {
			if *armed {
				panic(errBurst)
			}
			return (a[0] - b[0]) * (a[0] - b[0])
		}
	}
	bad := func(*mlcore.Dataset) (mlcore.Classifier, error) { panic(errBurst) }
	grown := mlcore.LearnClassifier(tree.Config{MaxDepth: 2}.FitClassifier)
	for _, workers := range []int{1, 2, 7} {
		for name, call := range map[string]func() error{
			"a metric, when rows are predicted": func() error {
				armed := false
				m, err := neighbors.Config{Neighbors: 3, Metric: neighbors.MetricFunc("mine", distance(&armed)), Workers: workers}.FitClassifier(classes)
				if err != nil {
					t.Fatal(err)
				}
				armed = true
				_, err = m.Predict(X)
				return err
			},
			"a kernel, in training": func() error {
				armed := true
				_, err := svm.Config{Kernel: svm.KernelFunc(distance(&armed)), Workers: workers}.FitClassifier(classes)
				return err
			},
			"a kernel, when rows are predicted": func() error {
				armed := false
				m, err := svm.Config{Kernel: svm.KernelFunc(distance(&armed)), Workers: workers}.FitRegressor(numbers)
				if err != nil {
					t.Fatal(err)
				}
				armed = true
				_, err = m.Predict(X)
				return err
			},
			"a loss of boosting": func() error {
				_, err := ensemble.GradientBoostingConfig{Loss: burstingLoss{ensemble.Squared{}}, Workers: workers}.FitRegressor(numbers)
				return err
			},
			"a learner in a bag": func() error {
				_, err := ensemble.BaggingConfig{Learner: bad, Workers: workers}.FitClassifier(classes)
				return err
			},
			"a learner that votes": func() error {
				_, err := ensemble.VotingConfig{Learners: []mlcore.ClassifierLearner{bad, bad}, Workers: workers}.FitClassifier(classes)
				return err
			},
			"a learner in a stack": func() error {
				_, err := ensemble.StackingConfig{Learners: []mlcore.ClassifierLearner{bad}, Workers: workers}.FitClassifier(classes)
				return err
			},
			"the final learner of a stack": func() error {
				_, err := ensemble.StackingConfig{Learners: []mlcore.ClassifierLearner{grown}, FinalLearner: bad, Workers: workers}.FitClassifier(classes)
				return err
			},
			"a learner that eliminates columns": func() error {
				_, err := preprocess.RFEConfig{Learner: bad}.Fit(classes)
				return err
			},
			"importances": func() error {
				_, err := preprocess.RFECVConfig{Learner: grown, Importances: func(any) ([]float64, error) { panic(errBurst) }, Workers: workers}.Fit(classes)
				return err
			},
			"a scorer of thresholds": func() error {
				burst := modelsel.Scorer{Name: "mine", Labels: func(_, _ []int, _ []float64) (float64, error) { panic(errBurst) }}
				yesNo := make([]int, n)
				for i := range yesNo {
					yesNo[i] = i % 2
				}
				_, err := modelsel.TunedThresholdConfig{Learner: grown, Scorer: burst, Thresholds: []float64{0.5}, Workers: workers}.FitClassifier(mlcore.FromMatrix(X, yesNo, nil))
				return err
			},
			"a model that is calibrated": func() error {
				_, err := conformal.SplitConfig{}.Calibrate(burstingModel{}, numbers)
				return err
			},
			"a learner of conformal intervals": func() error {
				burst := func(*mlcore.Dataset) (mlcore.Regressor, error) { panic(errBurst) }
				_, err := conformal.CVPlusConfig{RegressorLearner: burst, Workers: workers}.Calibrate(numbers)
				return err
			},
			"a model whose partial dependence is taken": func() error {
				_, err := inspection.PartialDependenceConfig{Features: []string{"x0"}, Workers: workers}.Regressor(burstingModel{}, numbers)
				return err
			},
			"an optimizer": func() error {
				_, err := neural.Config{Hidden: []int{4}, Optimizer: burstingOptimizer{neural.Adam{}}, Workers: workers}.FitClassifier(classes)
				return err
			},
			"a learner in cross-validation": func() error {
				_, err := modelsel.CrossValidate(bad, classes, modelsel.Options{Workers: workers})
				return err
			},
			"a scorer": func() error {
				burst := modelsel.Scorer{Name: "mine", Labels: func(_, _ []int, _ []float64) (float64, error) { panic(errBurst) }}
				_, err := modelsel.CrossValidate(tree.Config{}.FitClassifier, classes, modelsel.Options{Workers: workers, Scorers: []modelsel.Scorer{burst}})
				return err
			},
			"a learner that is calibrated": func() error {
				_, err := calibration.Config{Learner: bad, Workers: workers}.FitClassifier(classes)
				return err
			},
			"a metric, when rows are merged": func() error {
				armed := true
				_, err := cluster.AgglomerativeConfig{Linkage: cluster.Single, Metric: neighbors.MetricFunc("mine", distance(&armed)), Workers: workers}.Fit(numbers)
				return err
			},
			"a metric, when dense rows are looked for": func() error {
				armed := true
				_, err := cluster.DBSCANConfig{Metric: neighbors.MetricFunc("mine", distance(&armed)), Workers: workers}.Fit(numbers)
				return err
			},
			"a score of a sample": func() error {
				_, err := sigtest.BootstrapConfig{Workers: workers}.Score(n, func([]float64) (float64, error) { panic(errBurst) })
				return err
			},
			"a fitness": func() error {
				_, err := evolve.Run(evolve.Config{Workers: workers}, coin{}, func(bool) float64 { panic(errBurst) })
				return err
			},
		} {
			err := call()
			if !errors.Is(err, mlcore.ErrPanic) || !errors.Is(err, errBurst) {
				t.Errorf("%s, %d workers: %v, want an error of a panic", name, workers, err)
			} else if !strings.Contains(err.Error(), "panic_test.go") {
				t.Errorf("%s, %d workers: the error does not tell where:\n%v", name, workers, err)
			}
		}
	}
}

type burstingLoss struct{ ensemble.Loss }

func (burstingLoss) Row(_ float64, _, _, _ []float64) float64 { panic(errBurst) }

type burstingModel struct{}

func (burstingModel) NumFeatures() int                        { return 3 }
func (burstingModel) Predict(X mat.Matrix) ([]float64, error) { panic(errBurst) }

type burstingOptimizer struct{ neural.Optimizer }

func (o burstingOptimizer) Start(int) neural.Stepper { return o }

func (burstingOptimizer) Step(_, _ []float64, _ float64) { panic(errBurst) }

type coin struct{}

func (coin) Random(rng *rand.Rand) bool                 { return rng.IntN(2) == 1 }
func (coin) Cross(a, b bool, _ *rand.Rand) (bool, bool) { return b, a }
func (coin) Mutate(g bool, _ *rand.Rand) bool           { return !g }
