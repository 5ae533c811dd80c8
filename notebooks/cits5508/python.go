package cits5508

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

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

// PythonNumbers is [Python] for a script that prints numbers with spaces or line
// breaks between them. It returns nil where there is no scikit-learn.
func PythonNumbers(script string, train, test *mlcore.Dataset) []float64 {
	out, err := peers.Run(context.Background(), script, train, test)
	if errors.Is(err, peers.ErrUnavailable) {
		return nil
	}
	if err != nil {
		panic(err)
	}
	numbers, err := parseNumbers(out)
	if err != nil {
		panic(err)
	}
	return numbers
}

func parseNumbers(text string) ([]float64, error) {
	words := strings.Fields(text)
	numbers := make([]float64, len(words))
	for i, word := range words {
		v, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, fmt.Errorf("cits5508: the script printed %q where a number should be", word)
		}
		numbers[i] = v
	}
	return numbers, nil
}
