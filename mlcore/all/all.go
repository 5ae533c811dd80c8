// Package all registers every kind of model of the library, for programs that load
// models from files without knowing what they are:
//
//	import _ "github.com/mllabs-go/mllabs/mlcore/all"
//
//	model, err := modelfile.Load[mlcore.Classifier]("income.model")
//
// Nothing flows in or out. A program that knows its kinds of models imports their
// packages instead, and is smaller.
package all

import (
	_ "github.com/mllabs-go/mllabs/mlcore/bayes"
	_ "github.com/mllabs-go/mllabs/mlcore/calibration"
	_ "github.com/mllabs-go/mllabs/mlcore/cluster"
	_ "github.com/mllabs-go/mllabs/mlcore/ensemble"
	_ "github.com/mllabs-go/mllabs/mlcore/id3"
	_ "github.com/mllabs-go/mllabs/mlcore/isotonic"
	_ "github.com/mllabs-go/mllabs/mlcore/linear"
	_ "github.com/mllabs-go/mllabs/mlcore/metrics"
	_ "github.com/mllabs-go/mllabs/mlcore/modelsel"
	_ "github.com/mllabs-go/mllabs/mlcore/neighbors"
	_ "github.com/mllabs-go/mllabs/mlcore/neural"
	_ "github.com/mllabs-go/mllabs/mlcore/preprocess"
	_ "github.com/mllabs-go/mllabs/mlcore/svm"
	_ "github.com/mllabs-go/mllabs/mlcore/tree"
)
