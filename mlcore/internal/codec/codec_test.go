package codec

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
)

func message() []byte {
	w := NewWriter("demo", 2)
	w.Int(-7)
	w.Float64(math.Copysign(0, -1))
	w.Bool(true)
	w.Ints([]int{1, -2})
	w.OptionalInts(nil)
	w.OptionalInts([]int{})
	w.OptionalInts([]int{3})
	w.Uint64s([]uint64{1 << 63, 5})
	w.Bools([]bool{true, false})
	w.Int32s([]int32{-3, 4})
	w.Float64s([]float64{math.Inf(1), math.Pi})
	w.Strings([]string{"a", "", "ß"})
	return w.Finish()
}

func TestRoundTrip(t *testing.T) {
	r, version, err := NewReader(message(), "demo", 2)
	if err != nil {
		t.Fatal(err)
	}
	if version != 2 {
		t.Errorf("version %d, want 2", version)
	}
	got := []any{r.Int(), math.Signbit(r.Float64()), r.Bool(), r.Ints(), r.OptionalInts(), r.OptionalInts(), r.OptionalInts(), r.Uint64s(), r.Bools(), r.Int32s(), r.Float64s(), r.Strings()}
	want := []any{-7, true, true, []int{1, -2}, []int(nil), []int{}, []int{3}, []uint64{1 << 63, 5}, []bool{true, false}, []int32{-3, 4}, []float64{math.Inf(1), math.Pi}, []string{"a", "", "ß"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

func TestRefusesDamage(t *testing.T) {
	whole := message()
	for n := range whole {
		if _, _, err := NewReader(whole[:n], "demo", 2); !errors.Is(err, mlcore.ErrCorrupt) {
			t.Fatalf("%d of %d bytes: error %v, want ErrCorrupt", n, len(whole), err)
		}
		bad := append([]byte(nil), whole...)
		bad[n] ^= 1
		if _, _, err := NewReader(bad, "demo", 2); !errors.Is(err, mlcore.ErrCorrupt) {
			t.Fatalf("bit flipped in byte %d: error %v, want ErrCorrupt", n, err)
		}
	}
	if _, _, err := NewReader(whole, "other", 2); !errors.Is(err, mlcore.ErrCorrupt) {
		t.Errorf("other kind: error %v, want ErrCorrupt", err)
	}
	if _, _, err := NewReader(whole, "demo", 1); !errors.Is(err, mlcore.ErrVersion) {
		t.Errorf("newer version: error %v, want ErrVersion", err)
	}
}

// What is decoded is kept whole or not at all, and an error names the package.
func TestDecode(t *testing.T) {
	message := func(kind string, version int, lists ...[]int) []byte {
		w := NewWriter(kind, version)
		for _, list := range lists {
			w.Ints(list)
		}
		return w.Finish()
	}
	for _, tc := range []struct {
		name string
		data []byte
		want error
	}{
		{"good", message("demo.Model", 1, []int{1, 2}), nil},
		{"no message", []byte("MLLB"), mlcore.ErrCorrupt},
		{"other kind", message("demo.Other", 1, []int{1, 2}), mlcore.ErrCorrupt},
		{"newer version", message("demo.Model", 2, []int{1, 2}), mlcore.ErrVersion},
		{"refused by read", message("demo.Model", 1, []int{1, -2}), mlcore.ErrCorrupt},
		{"cut short", message("demo.Model", 1), mlcore.ErrCorrupt},
		{"left over", message("demo.Model", 1, []int{1, 2}, []int{3}), mlcore.ErrCorrupt},
	} {
		type model struct{ numbers []int }
		m := model{[]int{7}}
		err := Decode(&m, tc.data, "demo.Model", 1, func(r *Reader, m *model) {
			if m.numbers != nil {
				t.Errorf("%s: reading starts from %v", tc.name, m.numbers)
			}
			m.numbers = r.Ints()
			for _, v := range m.numbers {
				if v < 0 {
					r.Fail("number %d", v)
				}
			}
		})
		if !errors.Is(err, tc.want) {
			t.Errorf("%s: error %v, want %v", tc.name, err, tc.want)
		}
		want := []int{1, 2}
		if tc.want != nil {
			want = []int{7}
			if !strings.HasPrefix(err.Error(), "demo: ") {
				t.Errorf("%s: error %q does not begin with the package", tc.name, err)
			}
		}
		if !slices.Equal(m.numbers, want) {
			t.Errorf("%s: the model holds %v, want %v", tc.name, m.numbers, want)
		}
	}
}

func TestLengthsAreNotTrusted(t *testing.T) {
	w := NewWriter("demo", 1)
	w.Int(1 << 60)
	data := w.Finish()
	for name, read := range map[string]func(*Reader){
		"Ints":     func(r *Reader) { r.Ints() },
		"Int32s":   func(r *Reader) { r.Int32s() },
		"Float64s": func(r *Reader) { r.Float64s() },
		"Strings":  func(r *Reader) { r.Strings() },
		"Bytes":    func(r *Reader) { r.Bytes() },
		"Uint64s":  func(r *Reader) { r.Uint64s() },
		"Bools":    func(r *Reader) { r.Bools() },
	} {
		r, _, err := NewReader(data, "demo", 1)
		if err != nil {
			t.Fatal(err)
		}
		read(r)
		if err := r.Close(); !errors.Is(err, mlcore.ErrCorrupt) {
			t.Errorf("%s of a length of 2^60: error %v, want ErrCorrupt", name, err)
		}
	}
}
