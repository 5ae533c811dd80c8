package ada511

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/datasets/datasetstest"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
)

// The facts that the course states of the data.
func TestAdultIncome(t *testing.T) {
	train, test := datasetstest.LoadSplit(t, "income")
	if train.Len() != 11306 || test.Len() != 33915 || train.NumFeatures() != 8 {
		t.Errorf("%d training rows, %d test rows, %d attributes", train.Len(), test.Len(), train.NumFeatures())
	}
	for j, c := range train.Columns {
		if len(c.Levels) == 0 {
			t.Errorf("column %q is not nominal", c.Name)
		}
		seen := func(ds *mlcore.Dataset) (levels []string) {
			for i := range ds.Len() {
				if v := ds.X.At(i, j); !math.IsNaN(v) {
					levels = append(levels, ds.Columns[j].Levels[int(v)])
				}
			}
			slices.Sort(levels)
			return slices.Compact(levels)
		}
		known := seen(train)
		var unseen []string
		for _, level := range seen(test) {
			if !slices.Contains(known, level) {
				unseen = append(unseen, level)
			}
		}
		want := []string(nil)
		if c.Name == "native_country" {
			want = []string{"Holland-Netherlands"}
		}
		if !slices.Equal(unseen, want) {
			t.Errorf("%s: only the test file has %q, want %q", c.Name, unseen, want)
		}
	}
	if majority := float64(test.ClassCounts()[0]) / float64(test.Len()); math.Abs(majority-0.7519) > 0.00005 {
		t.Errorf("the majority class scores %.5f, want .7519", majority)
	}
}

// The settings that the notebooks choose stay within 0.2 points of the best that
// scikit-learn, LightGBM and XGBoost reached under the same protocol.
func TestChosenBesideThePeers(t *testing.T) {
	train, test := datasetstest.LoadSplit(t, "income")
	peers, _ := Peers()
	best := slices.MaxFunc(peers, func(a, b Peer) int {
		if a.Test < b.Test {
			return -1
		}
		return 1
	})
	onehot, err := preprocess.OneHotConfig{Unknown: preprocess.UnknownIgnore}.Fit(train)
	if err != nil {
		t.Fatal(err)
	}
	wide, err := onehot.Transform(train)
	if err != nil {
		t.Fatal(err)
	}
	wideTest, err := onehot.Transform(test)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name        string
		learn       mlcore.ClassifierLearner
		train, test *mlcore.Dataset
	}{
		{"histogram boosting", mlcore.LearnClassifier(Trees().TrainClassifier), train, test},
		{"network", mlcore.LearnClassifier(Network().TrainClassifier), wide, wideTest},
	} {
		m, err := tc.learn(tc.train)
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		predicted, err := m.Predict(tc.test.X)
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		got, err := metrics.Accuracy(tc.test.Y, predicted, nil)
		if err != nil || got < best.Test-0.002 {
			t.Errorf("%s: test accuracy %.4f (%v), more than 0.2 points below the %.4f of %s", tc.name, got, err, best.Test, best.Name)
		}
		t.Logf("%s %.4f, %s %.4f", tc.name, got, best.Name, best.Test)
	}
}

func TestPeersAreWhole(t *testing.T) {
	peers, versions := Peers()
	if len(peers) != 9 || versions["sklearn"] == "" || versions["lightgbm"] == "" || versions["xgboost"] == "" {
		t.Errorf("%d peers, versions %v", len(peers), versions)
	}
	for _, p := range peers {
		if p.Name == "" || p.Settings == "" || p.Tried < 2 {
			t.Errorf("peer %+v", p)
		}
		for _, share := range []float64{p.CrossValidation, p.Train, p.Test} {
			if share <= 0.7519 || share >= 1 {
				t.Errorf("%s: accuracy %v", p.Name, share)
			}
		}
	}
}
