package bench

import (
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/svm"
	"gonum.org/v1/gonum/mat"
)

const (
	svcRow = "SVC with RBF, 8,000 rows of Letter"
	svrRow = "SVR with RBF, 4,000 x 20 continuous"
)

// margins are the rows of support vector machines.
func margins() []Workload {
	return []Workload{
		{Name: svcRow, Key: "svc", Peer: "scikit-learn", Bar: 2, Aim: 4, data: someLetters,
			prepare: fitting(mlcore.LearnClassifier(svm.Config{}.FitClassifier))},
		{Name: svrRow, Key: "svr", Peer: "scikit-learn", Bar: 2, Aim: 4, data: func() (train, test *mlcore.Dataset, err error) { return targets(4000) },
			prepare: regressing(mlcore.LearnRegressor(svm.Config{Epsilon: 0.1}.FitRegressor))},
		{Name: "linear SVC, Letter, scaled", Key: "linear-svc", Peer: "scikit-learn", Bar: 2, Aim: 4, data: scaledLetters,
			prepare: fitting(mlcore.LearnClassifier(svm.LinearConfig{Loss: svm.SquaredHinge}.FitClassifier))},
	}
}

// someLetters are half of the training rows.
func someLetters() (train, test *mlcore.Dataset, err error) {
	if train, test, err = letter(); err != nil {
		return nil, nil, err
	}
	rows := make([]int, 8000)
	for i := range rows {
		rows[i] = i
	}
	return train.Subset(rows), test, nil
}

func scaledLetters() (train, test *mlcore.Dataset, err error) {
	if train, test, err = letter(); err != nil {
		return nil, nil, err
	}
	scaler, err := preprocess.StandardScalerConfig{}.Fit(train)
	if err != nil {
		return nil, nil, err
	}
	if train, err = scaler.Transform(train); err != nil {
		return nil, nil, err
	}
	test, err = scaler.Transform(test)
	return train, test, err
}

// targets is continuous with numbers to be predicted in place of classes.
func targets(n int) (train, test *mlcore.Dataset, err error) {
	train, test, err = continuous(n)
	if err != nil {
		return nil, nil, err
	}
	rng := mlcore.NewRand(3)
	for _, ds := range []*mlcore.Dataset{train, test} {
		ds.Y, ds.ClassNames, ds.Target = nil, nil, make([]float64, ds.X.RawMatrix().Rows)
		for i := range ds.Target {
			row := ds.X.RawRowView(i)
			ds.Target[i] = row[0] + float64(row[1]*row[2]) + float64(row[3]*row[3]/2) - float64(row[4]/2) + float64(rng.NormFloat64()/2)
		}
	}
	return train, test, nil
}

// regressing times a fit to numbers. The score is R² on the test rows.
func regressing(learn mlcore.RegressorLearner) func(train, test *mlcore.Dataset) (func() (scored, error), error) {
	return func(train, test *mlcore.Dataset) (func() (scored, error), error) {
		return func() (scored, error) {
			m, err := learn(train)
			if err != nil {
				return nil, err
			}
			return func() (float64, error) { return explained(m, test.X, test.Target) }, nil
		}, nil
	}
}

func explained(m mlcore.Regressor, X mat.Matrix, truth []float64) (float64, error) {
	values, err := m.Predict(X)
	if err != nil {
		return 0, err
	}
	return metrics.R2(truth, values, nil)
}
