package bench

import "slices"

// BesideIntel reports whether the other side is Intel's extension.
func (w Workload) BesideIntel() bool { return w.library == "intelex" }

// besideIntel are the rows of algorithms that Intel's extension has too, beside it.
func besideIntel() (rows []Workload) {
	has := []string{
		"random forest 100 fit, Letter", "ExtraTrees 100 fit, Letter", "forest predict, Letter", "k-NN k = 5 Euclid, Letter",
		"k-means from 26 given centres, Letter", "logistic regression, Adult one-hot",
		svcRow, svrRow, ridgeRow, elasticNetRow, pcaRow,
	}
	for _, w := range slices.Concat(theClassics(), margins(), linearModels()) {
		if slices.Contains(has, w.Name) {
			w.Name += ", beside Intel's extension"
			w.Peer, w.library, w.Bar, w.Aim = "scikit-learn with Intel's extension", "intelex", 1, 2.5
			rows = append(rows, w)
		}
	}
	return rows
}
