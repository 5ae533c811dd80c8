package bench

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
)

const boosters = "the fastest of LightGBM, XGBoost, CatBoost and scikit-learn"

// boostingAtEverySize are the rows of gradient boosting, from a notebook's thousand rows
// to a million.
func boostingAtEverySize() []Workload {
	row := func(name string, data func() (train, test *mlcore.Dataset, err error)) Workload {
		return Workload{Name: "histogram boosting 100, " + name, Key: "boosting", Peer: boosters, Bar: 1.2, Aim: 1.5, data: data, prepare: boosting}
	}
	rows := []Workload{row("Adult (nominal)", income), row("Letter", letter)}
	for _, size := range []struct {
		name string
		n    int
	}{{"1,000", 1000}, {"10,000", 10_000}, {"100,000", 100_000}, {"500,000", 500_000}, {"1,000,000", 1_000_000}} {
		rows = append(rows, row(size.name+" x 20 continuous", func() (train, test *mlcore.Dataset, err error) { return continuous(size.n) }))
	}
	return append(rows,
		row("100,000 x 20, a tenth missing", func() (train, test *mlcore.Dataset, err error) { return withGaps(100_000) }),
		Workload{Name: "gradient boosting 100 of depth 3, 10,000 x 20 continuous", Key: "gradient-boosting", Peer: "scikit-learn", Bar: 2, Aim: 4,
			data:    func() (train, test *mlcore.Dataset, err error) { return continuous(10_000) },
			prepare: fitting(mlcore.LearnClassifier(ensemble.GradientBoostingConfig{}.FitClassifier))},
	)
}

// withGaps is continuous with a tenth of the values missing.
func withGaps(n int) (train, test *mlcore.Dataset, err error) {
	train, test, err = continuous(n)
	if err != nil {
		return nil, nil, err
	}
	rng := mlcore.NewRand(2)
	for _, ds := range []*mlcore.Dataset{train, test} {
		values := ds.X.RawMatrix().Data
		for i := range values {
			if rng.IntN(10) == 0 {
				values[i] = math.NaN()
			}
		}
	}
	return train, test, nil
}

// boosting is 100 rounds of trees of 31 leaves, the best leaf first, as LightGBM
// grows them by default.
func boosting(train, test *mlcore.Dataset) (func() (scored, error), error) {
	return boostingOf(100, 0)(train, test)
}

func boostingOf(rounds, workers int) func(train, test *mlcore.Dataset) (func() (scored, error), error) {
	c := ensemble.HistBoostingConfig{Estimators: rounds, MaxLeafNodes: 31, AllowMissing: true, Workers: workers}
	return fitting(mlcore.LearnClassifier(c.FitClassifier))
}
