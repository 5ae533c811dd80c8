package oracle

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// A double is a test that Load may end without ending the real one.
type double struct {
	testing.TB
	said string
}

func (d *double) Helper() {}

func (d *double) Fatal(args ...any) {
	d.said = fmt.Sprint(args...)
	runtime.Goexit()
}

func (d *double) Fatalf(format string, args ...any) { d.Fatal(fmt.Sprintf(format, args...)) }

func TestLoad(t *testing.T) {
	type answers struct{ Coef []float64 }
	for _, tc := range []struct {
		name, text string
		good       bool
	}{
		{"good.json", `{"Coef": [1, 0.1]}`, true},
		{"cut.json", `{"Coef": [1, 0`, false},
		{"other.json", `{"Coef": "none"}`, false},
		{"missing.json", "", false},
	} {
		path := filepath.Join(t.TempDir(), tc.name)
		if tc.text != "" {
			if err := os.WriteFile(path, []byte(tc.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var got answers
		d, ended := &double{TB: t}, make(chan struct{})
		go func() {
			defer close(ended)
			got = Load[answers](d, path)
		}()
		<-ended
		switch {
		case tc.good && (d.said != "" || len(got.Coef) != 2 || got.Coef[1] != 0.1):
			t.Errorf("%s: read %v, said %q", tc.name, got, d.said)
		case !tc.good && !strings.Contains(d.said, tc.name):
			t.Errorf("%s: said %q, which does not name the file", tc.name, d.said)
		}
	}
}

func TestMatrix(t *testing.T) {
	rows := [][]float64{{1, 2, 3}, {4, 5, 6}}
	m := Matrix(rows)
	rows[0][0] = 9
	if want := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6}); !mat.Equal(m, want) {
		t.Errorf("got %v, want %v", mat.Formatted(m), mat.Formatted(want))
	}
}
