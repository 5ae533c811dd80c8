package archive

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
)

// sample has a field of every form.
type sample struct {
	count   int
	share   float64
	large   []uint64
	small   []int32
	flags   []bool
	words   []string
	columns []mlcore.Column
	parts   []any
	none    []int
}

var _ = Register("archive.sample", 1, func(c *Coder, m *sample) {
	c.Int("count", &m.count)
	c.Float64("share", &m.share)
	Enum(c, "side", &m.count, "left", "right", "top")
	c.Group("lists", func() {
		c.Uint64s("large", &m.large)
		c.Int32s("small", &m.small)
		c.Bools("flags", &m.flags)
	})
	c.OptionalStrings("words", &m.words)
	c.OptionalInts("none", &m.none)
	Columns(c, "columns", &m.columns)
	Parts(c, "parts", &m.parts)
})

func TestTakeApart(t *testing.T) {
	columns := []mlcore.Column{{Name: "x"}, {Name: "c", Levels: []string{"a", "caf\xe9"}, Unknown: mlcore.UnknownLevel}}
	inner := &sample{count: 1, columns: columns[:1]}
	r, err := TakeApart(&sample{2, 0.5, []uint64{1 << 63}, []int32{-1}, []bool{true}, []string{}, columns, []any{inner}, nil})
	if err != nil {
		t.Fatal(err)
	}
	lists, part := r.Group("lists"), r.List("parts")[0]
	for _, tc := range []struct {
		name      string
		got, want any
	}{
		{"kind", r.Kind(), "archive.sample"},
		{"schema", r.Schema(), (*mlcore.Schema)(nil)},
		{"int", r.Int("count"), 2},
		{"float64", r.Float64("share"), 0.5},
		{"enumeration", r.Text("side"), "top"},
		{"uint64s", lists.Uint64s("large"), []uint64{1 << 63}},
		{"int32s", lists.Int32s("small"), []int32{-1}},
		{"bools", lists.Bools("flags"), []bool{true}},
		{"strings", r.OptionalStrings("words"), []string{}},
		{"nil ints", r.OptionalInts("none"), []int(nil)},
		{"columns", r.Columns("columns"), columns},
		{"part", part.Kind(), "archive.sample"},
		{"field of a part", part.Text("side"), "right"},
	} {
		if !reflect.DeepEqual(tc.got, tc.want) {
			t.Errorf("%s: %#v, want %#v", tc.name, tc.got, tc.want)
		}
	}
	if err := r.Err(); err != nil {
		t.Error(err)
	}
	for name, asked := range map[string]bool{"lists.small": true, "words": true, "parts.side": true, "count": true, "parts.count": false, "parts.share": false} {
		if slices.Contains(r.Unasked(), name) == asked {
			t.Errorf("%s asked for: %v, and among those that are not %v", name, asked, r.Unasked())
		}
	}
	if v := part.Group("absent").Int("count"); v != 0 || r.Err() == nil || !strings.Contains(r.Err().Error(), "absent") {
		t.Errorf("a field that is not there is %d, error %v", v, r.Err())
	}
	if _, err := TakeApart((*sample)(nil)); !errors.Is(err, mlcore.ErrNotFitted) {
		t.Errorf("a nil model: %v", err)
	}
}
