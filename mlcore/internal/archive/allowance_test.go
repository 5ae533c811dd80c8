package archive

import (
	"errors"
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
)

// greedy claims memory for n values of a size, or says that it has so many classes or
// columns.
type greedy struct {
	n, size          int
	classes, columns int
	parts            []any
}

func (m *greedy) NumClasses() int  { return m.classes }
func (m *greedy) NumFeatures() int { return m.columns }

var _ = Register("archive.greedy", 1, func(c *Coder, m *greedy) {
	c.Int("n", &m.n)
	c.Int("size", &m.size)
	c.Int("classes", &m.classes)
	c.Int("columns", &m.columns)
	c.Claim(m.n, m.size)
	Parts(c, "parts", &m.parts)
})

// The claims of all parts are added up, and what is too much when read is too much when
// written. The bounds are those of the constants: 64 MiB, 2^14 classes, 2^20 columns.
func TestClaims(t *testing.T) {
	for _, tc := range []struct {
		name string
		m    greedy
		ok   bool
	}{
		{"all that is granted", greedy{n: 1 << 23, size: 8, classes: 1 << 14, columns: 1 << 20}, true},
		{"twice the memory", greedy{n: 1 << 24, size: 8, columns: 1}, false},
		{"a product that overflows", greedy{n: math.MaxInt/4 + 1, size: 8, columns: 1}, false},
		{"a sum that overflows", greedy{n: 1, size: 1 << 20, columns: 1, parts: []any{&greedy{n: math.MaxInt, size: 1, columns: 1}}}, false},
		{"twice the classes", greedy{classes: 1 << 15, columns: 1}, false},
		{"twice the columns", greedy{columns: 1 << 21}, false},
		{"two parts with half the memory", greedy{columns: 1, parts: []any{&greedy{n: 1 << 22, size: 8, columns: 1}, &greedy{n: 1 << 22, size: 8, columns: 1}}}, true},
		{"three parts with half the memory", greedy{columns: 1, parts: []any{&greedy{n: 1 << 22, size: 8, columns: 1}, &greedy{n: 1 << 22, size: 8, columns: 1}, &greedy{n: 1 << 22, size: 8, columns: 1}}}, false},
		{"two parts with half the classes", greedy{columns: 1, classes: 1 << 14, parts: []any{&greedy{columns: 1, classes: 1 << 14}}}, false},
		{"two parts with all the columns", greedy{columns: 1 << 20, parts: []any{&greedy{columns: 1 << 20}}}, true},
	} {
		for form, marshal := range map[string]func(any) ([]byte, error){"binary": Marshal, "JSON": MarshalJSON} {
			if _, err := marshal(&tc.m); (err == nil) != tc.ok || err != nil && !errors.Is(err, mlcore.ErrConfig) {
				t.Errorf("%s: writing %s: %v", tc.name, form, err)
			}
		}
		if got := unchecked(t, &tc.m); (got == nil) != tc.ok || got != nil && !errors.Is(got, mlcore.ErrCorrupt) {
			t.Errorf("%s: reading: %v", tc.name, got)
		}
	}
}

// unchecked writes m without looking at what it claims, and returns the error of reading
// that.
func unchecked(t *testing.T, m any) error {
	t.Helper()
	w := &binaryWriter{buf: []byte(magic)}
	c := &Coder{form: w}
	head(c)
	schemas(c, &c.schemas)
	if body(c, &m); c.err != nil {
		t.Fatal(c.err)
	}
	_, err := Unmarshal[any](Seal(w.buf))
	return err
}
