package onnx

import "github.com/mllabs-go/mllabs/mlcore/internal/archive"

// surface is intercept + coef·x.
func surface(g *graph, r *archive.Record, x string, d int) (answer, error) {
	return numbers(g.affine(g.finite(x, d, false), d, 1, r.Float64s("coef"), []float64{r.Float64("intercept")}), 1), nil
}

// discriminants are the linear functions of classifiers, n×classes; of two classes the
// first has the constant 0.
func (g *graph) discriminants(r *archive.Record, x string, d int) (scores string, classes int) {
	classes = r.Int("classes")
	coef, intercept := r.Float64s("coef"), r.Float64s("intercept")
	W, b := make([]float64, d*classes), make([]float64, classes)
	at := classes - len(intercept)
	for k, v := range intercept {
		b[at+k] = v
		for j := range d {
			W[j*classes+at+k] = coef[k*d+j]
		}
	}
	return g.affine(g.finite(x, d, false), d, classes, W, b), classes
}

func logistic(g *graph, r *archive.Record, x string, d int) (answer, error) {
	scores, classes := g.discriminants(r, x, d)
	return g.deciding(answer{codes: g.argmax(scores), proba: g.softmax(scores), classes: classes}, scores), nil
}

func perceptron(g *graph, r *archive.Record, x string, d int) (answer, error) {
	scores, classes := g.discriminants(r, x, d)
	return g.deciding(answer{codes: g.argmax(scores), classes: classes}, scores), nil
}
