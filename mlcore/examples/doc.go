// Package examples is a folder of whole programs, as one writes them who imports the
// library, to be read, run and changed. They are run from the top of the checkout:
//
//	go run ./mlcore/examples/train     # a table with gaps and categories becomes a model
//	go run ./mlcore/examples/predict   # the model's answers for other rows
//	go run ./mlcore/examples/serve     # the same over HTTP
//	go run ./mlcore/examples/search    # settings chosen, probabilities calibrated, a ROC curve
//	go run ./mlcore/examples/clusters  # groups found, and drawn in a plane
//	go run ./mlcore/examples/compare   # do two models differ?
package examples
