package cits5508

import (
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// CITS5508: the first question of the iris tree may be petal length <= 2.45 or petal
// width <= 0.8, an exact tie. Both part the 50 setosa from the 100 others, by hand:
// (50·0 + 100·0.5)/150 = 1/3. scikit-learn takes either, as its random_state says.
func TestFirstQuestionsOfIrisTie(t *testing.T) {
	iris, err := datasets.LoadDataset("iris")
	if err != nil {
		t.Fatal(err)
	}
	petals, err := iris.Select("petal_length", "petal_width")
	if err != nil {
		t.Fatal(err)
	}
	for feature, want := range []string{"petal_length <= 2.45", "petal_width <= 0.8"} {
		m, err := tree.Config{MaxDepth: 1, Features: []int{feature}}.FitClassifier(petals)
		if err != nil {
			t.Fatal(err)
		}
		left, right := m.Node(1), m.Node(2)
		if got := m.Test(0, true); got != want {
			t.Errorf("asks %s, want %s", got, want)
		}
		if left.Weight != 50 || left.Impurity != 0 || right.Weight != 100 || right.Impurity != 0.5 {
			t.Errorf("%s: %v of impurity %v and %v of %v, want 50 of 0 and 100 of 0.5", want, left.Weight, left.Impurity, right.Weight, right.Impurity)
		}
	}
}
