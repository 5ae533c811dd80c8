package datasetstest

import (
	"fmt"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
)

// outcome records how a test was ended.
type outcome struct {
	testing.TB
	skipped, failed bool
}

func (o *outcome) Helper() {}
func (o *outcome) Skipf(string, ...any) {
	o.skipped = true
	runtime.Goexit()
}
func (o *outcome) Fatal(...any) {
	o.failed = true
	runtime.Goexit()
}

func TestMissingDataSkipOrFail(t *testing.T) {
	missing := fmt.Errorf("letter: %w", datasets.ErrNotFound)
	for _, tc := range []struct {
		name, ci        string
		err             error
		skipped, failed bool
	}{
		{"there", "", nil, false, false},
		{"missing", "", missing, true, false},
		{"missing in CI", "true", missing, false, true},
		{"damaged", "", datasets.ErrChecksum, false, true},
	} {
		t.Setenv("CI", tc.ci)
		o := &outcome{TB: t}
		done := make(chan struct{})
		go func() {
			defer close(done)
			need(o, tc.err)
		}()
		<-done
		if o.skipped != tc.skipped || o.failed != tc.failed {
			t.Errorf("%s: skipped %v, failed %v", tc.name, o.skipped, o.failed)
		}
	}
}

func TestEmbeddedData(t *testing.T) {
	t.Setenv(datasets.EnvFolder, filepath.Clean(t.TempDir()))
	if ds := Load(t, "iris"); ds.Len() != 150 {
		t.Errorf("%d flowers, want 150", ds.Len())
	}
	if rows := Fields(t, "car", "car.data"); len(rows) != 1728 || len(rows[0]) != 7 || rows[0][6] != "unacc" {
		t.Errorf("%d cars, first %q", len(rows), rows[0])
	}
}
