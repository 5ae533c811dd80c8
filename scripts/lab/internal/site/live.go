package site

import (
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"path"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/live"
)

// A LiveModule is what computes live figures in a page: the module of package live, and
// Go's own script that starts it.
type LiveModule struct{ Wasm, Exec []byte }

// A liveFigure is a figure of a page. Settings are those that differ from the first values
// of the kind's controls.
type liveFigure struct {
	Kind, Sample, Text string
	Settings           live.Settings
}

// Data is the settings as the page's script reads them.
func (f liveFigure) Data() (template.JS, error) {
	text, err := json.Marshal(f.Settings)
	return template.JS(text), err
}

// handOut is how the hand-out of course lab3 grows trees and forests.
var handOut = live.Settings{Rule: "at-least", Criterion: "misclassification", Voting: "hard", MaxFeatures: "all"}

// frontFigure stands on the front page.
var frontFigure = liveFigure{Kind: "forest", Sample: "multi", Text: "Move a point, and the forest is trained again, in your browser."}

// liveFigures are those of the notebooks' pages, on the notebooks' own data.
var liveFigures = map[string][]liveFigure{
	"lab3/01_nearest_neighbours":                 {{Kind: "neighbors", Sample: "multi", Text: "The map of all predictions. Let k grow from 1, and drag a point into another class."}},
	"lab3/02_decision_trees":                     {{Kind: "tree", Sample: "multi", Text: "Let the tree grow level by level. Which points get boxes of their own?", Settings: handOut}},
	"lab3/03_random_forests":                     {{Kind: "forest", Sample: "multi", Text: "Let the vote take shape tree by tree; then change the seed, and see what stays the same.", Settings: handOut}},
	"lab3/04_adaboost":                           {{Kind: "adaboost", Sample: "binary", Text: "Round by round: the points that were wrong grow, and the next question goes where they are.", Settings: handOut}},
	"lab3/05_1_losses":                           {{Kind: "tree", Sample: "multi", Text: "Change the criterion, at several depths.", Settings: handOut}},
	"cits5508/01_the_street":                     {{Kind: "svm", Sample: "clouds", Text: "Points with a ring are support vectors: only they determine the margin. What do C and gamma do to it?"}},
	"cits5508/03_iris_tree":                      {{Kind: "tree", Sample: "petals", Text: "The boxes by depth.", Settings: live.Settings{MaxDepth: 2}}},
	"cits5508/04_cart":                           {{Kind: "tree", Sample: "petals", Text: "Grow by Gini impurity or entropy, and prune."}},
	"cits5508/05_regularisation":                 {{Kind: "tree", Sample: "moons150", Text: "The settings of the rule book on the moons.", Settings: live.Settings{MaxDepth: 12}}},
	"cits5508/06_regression":                     {{Kind: "regression", Sample: "quadratic", Text: "A tree of numbers: change its depth, and drag a point away from the others."}},
	"cits5508/08b_small_changes":                 {{Kind: "tree", Sample: "petals", Text: "Move one flower a little. How much of the tree changes?", Settings: live.Settings{MaxDepth: 12}}},
	"ada511/02_classification_in_two_dimensions": {{Kind: "tree", Sample: "clouds200", Text: "Two clouds that overlap: from one question to a leaf for each sample."}},
	"ada511/03_regression_in_one_dimension":      {{Kind: "regression", Sample: "sine", Text: "The staircase of a tree. Drag an outlier, and change the error from squared to absolute."}},
	"ada511/04b_boosting":                        {{Kind: "regression", Sample: "sine", Text: "Boosting a number, round by round.", Settings: live.Settings{Rounds: 1, MaxDepth: 2, LearningRate: 1}}},
	"ada511/07_descent":                          {{Kind: "descent", Sample: "wave", Text: "The loss of a wave: the darker, the higher. Drag the star, where descent begins, and change the rate. From where does it reach the deepest valley?"}},
	"ada511/07b_better_steps":                    {{Kind: "descent", Sample: "wave", Text: "The loss of a wave: the darker, the higher. Drag the star, where descent begins, and change the rate and the momentum.", Settings: live.Settings{Momentum: 0.9}}},
	"ada511/09_classification_with_networks":     {{Kind: "network", Sample: "moons", Text: "Press Play and watch the border bend. With how many units does it begin to follow single points?"}},
	"co395/01_instance_based_learning":           {{Kind: "neighbors", Sample: "moons", Text: "The moons, by k, distance and weights."}},
	"co395/07_networks_in_one_sitting":           {{Kind: "network", Sample: "clouds", Text: "A network that learns while you look."}},
	"co395/08_unsupervised_learning":             {{Kind: "kmeans", Sample: "groups", Text: "From the notebook's poor start: step, or drag a centre. Where does it end from another start?"}},
}

// liveAssets are what live figures need beside their scripts.
func (b *builder) liveAssets(ctx context.Context) ([]asset, error) {
	if b.Live == nil {
		return nil, nil
	}
	b.Log("building what moves the figures")
	module, err := b.Live(ctx)
	if err != nil {
		return nil, fmt.Errorf("what moves the figures: %w", err)
	}
	content, err := live.NewContent()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	return []asset{{path.Join("live", "live.wasm"), module.Wasm}, {path.Join("live", "wasm_exec.js"), module.Exec}, {path.Join("live", "content.json"), text}}, nil
}
