package tree

// Test puts the test of inner node i into words, as it reads on the way to the
// left or to the right child: "petal width <= 0.8". It is "" at a leaf and
// panics where i is not in 0..NumNodes()-1.
func (m *Classifier) Test(i int, left bool, names Names) string {
	return m.printer(names).testOf(i, left)
}

// Test puts the test of inner node i into words; see [Classifier.Test].
func (m *Regressor) Test(i int, left bool, names Names) string {
	return m.printer(names).testOf(i, left)
}

func (p printer) testOf(i int, left bool) string {
	if p.nodes[i].feature < 0 {
		return ""
	}
	return p.test(i, left)
}
