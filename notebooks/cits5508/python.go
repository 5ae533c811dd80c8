package cits5508

import (
	"context"
	"errors"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/notebooks/peers"
)

// Python runs a script with scikit-learn on a training and a test set, as
// [peers.Run] does, and returns what it prints. Where there is no scikit-learn the
// text says so and how to get it; a script that fails panics, as a cell would.
func Python(script string, train, test *mlcore.Dataset) string {
	out, err := peers.Run(context.Background(), script, train, test)
	if errors.Is(err, peers.ErrUnavailable) {
		return "Without Python: " + err.Error() + "\n"
	}
	if err != nil {
		panic(err)
	}
	return out
}
