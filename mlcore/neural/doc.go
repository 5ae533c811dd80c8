// Package neural trains feed-forward networks of dense layers by
// backpropagation. Rows and their classes or targets flow into a [Config]; a
// fitted [Classifier] or [Regressor] flows out, with the history of its training:
//
//	model, err := neural.Config{Hidden: []int{20}}.FitClassifier(ds)
//
// It is built on a [Network], which can be looked at and trained by hand, one
// step at a time:
//
//	net, err := neural.NewNetwork(2, []neural.Dense{{Units: 4, Activation: neural.Tanh}, {Units: 1, Activation: neural.Sigmoid}}, neural.CrossEntropy, seed)
//	optimizer := neural.Adam{}.Start(len(net.Params().Values))
//	for range 100 {
//		gradient, loss, err := net.Gradient(X, T, nil)
//		optimizer.Step(net.Params().Values, gradient.Values, 0.01)
//	}
//
// # Formulas
//
// With a⁽⁰⁾ = x a row of the input, layer l computes
//
//	z⁽ˡ⁾ = a⁽ˡ⁻¹⁾ W⁽ˡ⁾ + b⁽ˡ⁾       a⁽ˡ⁾ = h(z⁽ˡ⁾)
//
// where h is its [Activation]. The network's answer is a⁽ᴸ⁾. Training minimises
//
//	L = Σᵢ wᵢ ℓ(a⁽ᴸ⁾ᵢ, tᵢ) / Σᵢ wᵢ + L1 Σ|W| + ½ L2 Σ W²
//
// with ℓ one of [Loss], and no penalty on b. The penalties are not divided by the
// number of rows: scikit-learn's alpha is L2 times the rows of a batch. With
// δ⁽ˡ⁾ = ∂L/∂z⁽ˡ⁾ the chain rule gives (Rumelhart, Hinton & Williams, 1986,
// "Learning representations by back-propagating errors")
//
//	δ⁽ˡ⁻¹⁾ = δ⁽ˡ⁾ W⁽ˡ⁾ᵀ ∘ h'(z⁽ˡ⁻¹⁾)
//	∂L/∂W⁽ˡ⁾ = a⁽ˡ⁻¹⁾ᵀ δ⁽ˡ⁾       ∂L/∂b⁽ˡ⁾ = Σ rows of δ⁽ˡ⁾
//
// which is what file backprop.go does; [GradientCheck] checks it against finite
// differences.
//
// # What makes it quick
//
// Input in which at most a quarter of the values are not 0, such as one-hot
// columns, is kept as the non-zeros of each row, so that the first layer adds a
// few rows of W⁽¹⁾ instead of multiplying by all of them. Products run on the
// vector registers of the processor (package internal/kernel). A batch is cut
// into parts that depend only on its size; parts are worked on in parallel and
// their gradients added in order. Results have the same bits for any number of
// workers, with and without vector registers, and for sparse and dense input.
package neural
