package peers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore"
)

// ask runs a Python script on a request and returns what it prints, and the
// interpreter that ran it.
func ask(ctx context.Context, script string, request []byte) (out []byte, python string, err error) {
	if python, err = Python(); err != nil {
		return nil, "", err
	}
	cmd := exec.CommandContext(ctx, python, "-c", script)
	cmd.Stdin = bytes.NewReader(request)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err = cmd.Output()
	if ctx.Err() != nil {
		return nil, python, fmt.Errorf("peers: %w", ctx.Err())
	}
	if err != nil {
		var missing *exec.Error
		if errors.As(err, &missing) {
			return nil, python, fmt.Errorf("%w: %v", ErrUnavailable, err)
		}
		return nil, python, fmt.Errorf("peers: %s: %w: %s", python, err, lastLine(stderr.String()))
	}
	return out, python, nil
}

// unavailable is the error of an interpreter that lacks a package.
func unavailable(why, python string) error {
	return fmt.Errorf("%w: %s in %s; \"go run ./scripts/lab setup --peers\" installs it privately", ErrUnavailable, why, python)
}

// A table is a data set as the scripts read it.
type table struct {
	X [][]float64 `json:"X"`
	Y any         `json:"y"` // []int for classes, []float64 for numbers
}

type tables struct {
	Train table `json:"train"`
	Test  table `json:"test"`
}

func encodeTables(train, test *mlcore.Dataset) (tables, error) {
	a, err := encodeTable("train", train)
	if err != nil {
		return tables{}, err
	}
	b, err := encodeTable("test", test)
	return tables{a, b}, err
}

func encodeTable(name string, ds *mlcore.Dataset) (table, error) {
	if ds == nil || ds.Len() == 0 || ds.Y == nil && ds.Target == nil {
		return table{}, fmt.Errorf("peers: %s: %w: rows with class labels or a numeric target are needed", name, mlcore.ErrEmpty)
	}
	if err := mlcore.CheckMatrix(ds.X, false); err != nil {
		return table{}, fmt.Errorf("peers: %s: %w", name, err)
	}
	t := table{Y: ds.Y}
	if ds.Y == nil {
		t.Y = ds.Target
	}
	for i := range ds.Len() {
		t.X = append(t.X, ds.X.RawRowView(i))
	}
	return t, nil
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}
