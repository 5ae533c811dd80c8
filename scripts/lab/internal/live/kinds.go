//go:build !js

package live

// A Kind is a kind of figure: what it shows, and what can be set.
type Kind struct {
	Title    string    `json:"title"`
	View     View      `json:"view"`
	Controls []Control `json:"controls"`
	// Play is what goes on by itself while one looks, if something does.
	Play *Play `json:"play,omitempty"`
}

// A View is how a figure is drawn.
type View string

const (
	ClassView   View = "classes"  // a map of classes, with points of them
	ClusterView View = "clusters" // points and centres
	CurveView   View = "curve"    // y over x
	SurfaceView View = "surface"  // the steps of descent
)

// A Play moves a range on, by as much at a time.
type Play struct {
	Name string  `json:"name"`
	By   float64 `json:"by"`
}

// A Control sets the setting of its name: a range or, with Options, a choice.
type Control struct {
	Name  string  `json:"name"` // as the JSON of Settings has it
	Label string  `json:"label"`
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
	Step  float64 `json:"step"`
	Value float64 `json:"value"`
	// Power says that the range is of exponents: the setting is 10 to the value.
	Power bool `json:"power,omitempty"`
	// Options are names of the setting's values and what the page calls them; the first one is
	// chosen.
	Options [][2]string `json:"options,omitempty"`
}

func slider(name, label string, least, greatest, step, value float64) Control {
	return Control{Name: name, Label: label, Min: least, Max: greatest, Step: step, Value: value}
}

// powers is a slider of exponents.
func powers(name, label string, least, greatest, value float64) Control {
	c := slider(name, label, least, greatest, 0.25, value)
	c.Power = true
	return c
}

func choice(name, label string, options ...[2]string) Control {
	return Control{Name: name, Label: label, Options: options}
}

func depth(greatest, value float64) Control {
	return slider("maxDepth", "Maximum depth", 1, greatest, 1, value)
}

// Kinds are those that there are, by the name of the figure in a [Request].
func Kinds() map[string]Kind {
	leaf := slider("minSamplesLeaf", "Minimum samples in a leaf", 1, 40, 1, 1)
	seed := slider("seed", "Seed", 0, 50, 1, 1)
	return map[string]Kind{
		"neighbors": {Title: "Nearest neighbours", View: ClassView, Controls: []Control{
			slider("neighbors", "Neighbours, k", 1, 151, 2, 5),
			choice("metric", "Distance", [2]string{"euclidean", "Euclidean"}, [2]string{"manhattan", "Manhattan"}, [2]string{"chebyshev", "Chebyshev"}),
			choice("weights", "A neighbour counts", [2]string{"uniform", "like any other"}, [2]string{"distance", "by 1 / distance"}, [2]string{"gaussian", "by a Gaussian"}),
		}},
		"tree": {Title: "A decision tree", View: ClassView, Controls: []Control{
			depth(12, 4), leaf,
			choice("criterion", "Criterion", [2]string{"gini", "Gini impurity"}, [2]string{"entropy", "entropy"}, [2]string{"misclassification", "misclassification"}),
			slider("alpha", "Pruning, alpha", 0, 0.05, 0.001, 0),
		}},
		"forest": {Title: "A random forest", View: ClassView, Play: &Play{"estimators", 1}, Controls: []Control{
			slider("estimators", "Trees", 1, 100, 1, 25), depth(12, 12), leaf, seed,
		}},
		"adaboost": {Title: "AdaBoost, round by round", View: ClassView, Play: &Play{"rounds", 1}, Controls: []Control{
			slider("rounds", "Rounds", 1, 100, 1, 1), depth(4, 1),
		}},
		"svm": {Title: "A support vector machine", View: ClassView, Controls: []Control{
			powers("c", "C", -2, 3, 0), powers("gamma", "Gamma", -2, 2, -0.5),
		}},
		"network": {Title: "A network that learns", View: ClassView, Play: &Play{"epochs", 5}, Controls: []Control{
			slider("epochs", "Epochs", 1, 300, 1, 1), slider("hidden", "Units in a hidden layer", 1, 50, 1, 10), slider("layers", "Hidden layers", 0, 3, 1, 2),
			powers("learningRate", "Learning rate", -3, -0.5, -2), seed,
		}},
		"kmeans": {Title: "k-means, step by step", View: ClusterView, Controls: []Control{
			slider("count", "Centres", 1, 9, 1, 3), seed,
		}},
		"regression": {Title: "Regression by trees", View: CurveView, Play: &Play{"rounds", 1}, Controls: []Control{
			slider("rounds", "Rounds of boosting (0 is one tree)", 0, 200, 1, 0), depth(10, 3), leaf,
			slider("learningRate", "Learning rate", 0.05, 1, 0.05, 0.1),
			choice("criterion", "Error", [2]string{"squared", "squared"}, [2]string{"absolute", "absolute"}),
		}},
		"descent": {Title: "Gradient descent", View: SurfaceView, Play: &Play{"steps", 1}, Controls: []Control{
			slider("steps", "Steps", 0, 300, 1, 50), slider("learningRate", "Learning rate", 0.001, 0.3, 0.001, 0.03), slider("momentum", "Momentum", 0, 0.95, 0.05, 0),
		}},
	}
}
