package bench

import (
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/linear"
)

const (
	ridgeRow      = "ridge, 100,000 x 20 continuous"
	elasticNetRow = "elastic net, 100,000 x 20 continuous"
	pcaRow        = "PCA to 5 of 20, 100,000 continuous"
)

// linearModels are the rows of models that take products of matrices.
func linearModels() []Workload {
	many := func() (train, test *mlcore.Dataset, err error) { return targets(100_000) }
	return []Workload{
		{Name: ridgeRow, Key: "ridge", Peer: "scikit-learn", Bar: 2, Aim: 4, data: many,
			prepare: regressing(mlcore.LearnRegressor(linear.RidgeConfig{Alpha: 1}.FitRegressor))},
		{Name: elasticNetRow, Key: "elastic-net", Peer: "scikit-learn", Bar: 2, Aim: 4, data: many,
			prepare: regressing(mlcore.LearnRegressor(linear.ElasticNetConfig{Alpha: 0.01, L1Ratio: 0.5, Tol: 1e-4}.FitRegressor))},
		{Name: "multinomial logistic regression, Letter, scaled", Key: "logistic", Peer: "scikit-learn, dense or sparse", Bar: 2, Aim: 4, data: scaledLetters,
			prepare: fitting(mlcore.LearnClassifier(linear.LogisticConfig{}.FitClassifier))},
		{Name: "Gaussian naive Bayes, Letter", Key: "gaussian-bayes", Peer: "scikit-learn", Bar: 2, Aim: 4, data: letter,
			prepare: fittingAndPredicting(mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier))},
		{Name: pcaRow, Key: "pca", Peer: "scikit-learn", Bar: 2, Aim: 4, data: many, prepare: componentsOf(5)},
	}
}
