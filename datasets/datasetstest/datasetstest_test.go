package datasetstest

import (
	"runtime"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
)

// outcome records whether a test has failed.
type outcome struct {
	testing.TB
	failed bool
}

func (o *outcome) Helper() {}
func (o *outcome) Fatal(...any) {
	o.failed = true
	runtime.Goexit()
}

func TestWhatIsNotThereFails(t *testing.T) {
	for _, tc := range []struct {
		name   string
		load   func(testing.TB)
		failed bool
	}{
		{"Load", func(tb testing.TB) { Load(tb, "iris") }, false},
		{"Load", func(tb testing.TB) { Load(tb, "irises") }, true},
		{"LoadSplit", func(tb testing.TB) { LoadSplit(tb, "letter") }, false},
		{"LoadSplit", func(tb testing.TB) { LoadSplit(tb, "iris") }, true},
		{"Fields", func(tb testing.TB) { Fields(tb, "car", "car.data") }, false},
		{"Fields", func(tb testing.TB) { Fields(tb, "car", "bus.data") }, true},
	} {
		o := &outcome{TB: t}
		done := make(chan struct{})
		go func() {
			defer close(done)
			tc.load(o)
		}()
		<-done
		if o.failed != tc.failed {
			t.Errorf("%s: failed %v, want %v", tc.name, o.failed, tc.failed)
		}
	}
}

func TestEmbeddedData(t *testing.T) {
	t.Setenv(datasets.EnvFolder, t.TempDir())
	if ds := Load(t, "iris"); ds.Len() != 150 {
		t.Errorf("%d flowers, want 150", ds.Len())
	}
	if rows := Fields(t, "car", "car.data"); len(rows) != 1728 || len(rows[0]) != 7 || rows[0][6] != "unacc" {
		t.Errorf("%d cars, first %q", len(rows), rows[0])
	}
}
