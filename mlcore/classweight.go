package mlcore

// A ClassWeight says by which factor the weights of the training rows of each
// class are multiplied. The zero value leaves them as they are:
//
//	svm.Config{ClassWeight: mlcore.ClassWeight{Balanced: true}}
//	tree.Config{ClassWeight: mlcore.ClassWeight{Weights: []float64{1, 5}}}
type ClassWeight struct {
	// Balanced gives all classes that have rows the same total weight, and leaves the
	// sum as it is: a class of weight W_k is multiplied by ΣW / (classes·W_k), where
	// classes are those of positive weight.
	Balanced bool
	// Weights holds K factors, positive and finite, one for each class code. It
	// cannot be combined with Balanced.
	Weights []float64
}
