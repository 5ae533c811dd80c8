package bench

import (
	"path/filepath"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/scratch"
)

// singles is how many rows are predicted one by one.
const singles = 1000

// workshop are the rows of what is done with models once there are some.
func workshop() []Workload {
	return []Workload{
		{Name: "permutation importance, 5 repeats, of a tree, Letter", Key: "permutation", Peer: "scikit-learn", Bar: 2, Aim: 4, data: letter, prepare: importance},
		{Name: "5-fold cross-validation of a scaler and logistic regression, Letter", Key: "pipeline", Peer: "scikit-learn", Bar: 2, Aim: 4, data: letter, prepare: crossValidating},
		{Name: "1,000 predictions of one row each, forest 100, Letter", Key: "single-rows", Peer: "the faster of scikit-learn and ONNX Runtime", Bar: 1, Aim: 2, data: letter, prepare: oneByOne},
		{Name: "save and load a forest 100, Letter", Key: "model-file", Peer: "joblib", Bar: 1, Aim: 2, data: letter, prepare: savingAndLoading},
	}
}

func importance(train, test *mlcore.Dataset) (func() (scored, error), error) {
	m, err := tree.Config{}.FitClassifier(train)
	if err != nil {
		return nil, err
	}
	return func() (scored, error) {
		found, err := tree.Permutation{Repeats: 5}.Classifier(m, test.X, test.Y, nil)
		if err != nil {
			return nil, err
		}
		return func() (float64, error) {
			most := 0.0
			for _, v := range found.Mean {
				most = max(most, v)
			}
			return most, nil
		}, nil
	}, nil
}

func crossValidating(train, _ *mlcore.Dataset) (func() (scored, error), error) {
	learn := preprocess.PipelineConfig{
		Steps:   []preprocess.Step{preprocess.StandardScalerConfig{}},
		Learner: mlcore.LearnClassifier(linear.LogisticConfig{Workers: 1}.FitClassifier),
	}
	return func() (scored, error) {
		r, err := modelsel.CrossValidate(learn.FitClassifier, train, modelsel.Options{Splitter: modelsel.StratifiedKFold{}})
		if err != nil {
			return nil, err
		}
		return func() (float64, error) { return r.Mean(), nil }, nil
	}, nil
}

func oneByOne(train, test *mlcore.Dataset) (func() (scored, error), error) {
	m, err := ensemble.ForestConfig{}.FitClassifier(train)
	if err != nil {
		return nil, err
	}
	return func() (scored, error) {
		y := make([]int, singles)
		for i := range y {
			one, err := m.Predict(test.X.Slice(i, i+1, 0, test.NumFeatures()))
			if err != nil {
				return nil, err
			}
			y[i] = one[0]
		}
		return func() (float64, error) { return share(y, test.Y[:singles]), nil }, nil
	}, nil
}

func savingAndLoading(train, test *mlcore.Dataset) (func() (scored, error), error) {
	m, err := ensemble.ForestConfig{}.FitClassifier(train)
	if err != nil {
		return nil, err
	}
	return func() (scored, error) {
		dir, err := scratch.New("bench")
		if err != nil {
			return nil, err
		}
		defer dir.Remove()
		path := filepath.Join(dir.Path, "forest.model")
		if err := modelfile.Save(path, m); err != nil {
			return nil, err
		}
		loaded, err := modelfile.Load[*ensemble.Forest](path)
		if err != nil {
			return nil, err
		}
		return accuracy(loaded, test), nil
	}, nil
}
