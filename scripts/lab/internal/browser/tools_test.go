package browser

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// The installed Go's sources look as what is laid over them expects it.
func TestLaidOver(t *testing.T) {
	g, version, err := newGoCommand(context.Background(), root)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		path   string
		change func(string) (string, error)
	}{
		{"compile/internal/ssa/config.go", wasmOnly},
		{"internal/bio/buf_nommap.go", mapped},
	} {
		path := filepath.Join(g.goroot, "src", "cmd", test.path)
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := test.change(path)
		if err != nil {
			t.Fatal(err)
		}
		if text == string(source) {
			t.Errorf("%s of %s is as it was: nothing in it looks as expected", test.path, version)
		}
	}
}
