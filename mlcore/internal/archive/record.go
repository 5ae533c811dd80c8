package archive

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
)

// A Record is a model taken apart, or a group of values within one: its fields under
// the names that its kind gives them. Other formats than the two of this package are
// written from it, so that they need to know the names of fields, which are stable, and
// no package of models. It shares memory with the model and must not be changed.
//
// A field that is asked for and is not there, or is of another type, gives a zero value
// and is remembered; see [Record.Err].
type Record struct {
	fields map[string]any
	asked  map[string]bool // the fields that were asked for
	common *common
}

func newRecord(c *common) *Record { return &Record{map[string]any{}, map[string]bool{}, c} }

// common is what all records of a model share.
type common struct {
	schemas []*mlcore.Schema
	err     error
}

// TakeApart returns the record of a fitted model of a registered kind. A model that is
// not fitted is an error that wraps [mlcore.ErrNotFitted], one of a type that is not
// registered one that wraps [mlcore.ErrConfig].
func TakeApart(m any) (*Record, error) {
	r := newRecord(&common{})
	c := &Coder{form: &recorder{r}}
	if body(c, &m); c.err != nil {
		return nil, c.err
	}
	r.common.schemas = c.schemas
	return r, nil
}

// Unasked returns the names of the fields that nobody has asked for, those of parts and
// groups that were asked for behind their names: "kernel.degree". They are in order, and
// each is named once.
func (r *Record) Unasked() []string {
	names := map[string]bool{}
	r.unasked("", names)
	return slices.Sorted(maps.Keys(names))
}

func (r *Record) unasked(within string, names map[string]bool) {
	for name, v := range r.fields {
		if !r.asked[name] {
			names[within+name] = true
			continue
		}
		switch v := v.(type) {
		case *Record:
			v.unasked(within+name+".", names)
		case []*Record:
			for _, one := range v {
				one.unasked(within+name+".", names)
			}
		}
	}
}

// Kind is the name of a model's kind, such as "linear.Ridge".
func (r *Record) Kind() string { return field[string](r, "kind") }

// Schema is that of a model, nil where it has none.
func (r *Record) Schema() *mlcore.Schema {
	if place, ok := r.fields["schema"].(int); ok && place >= 0 {
		return r.common.schemas[place]
	}
	return nil
}

// Err is the first error of this record and of all others of the same model.
func (r *Record) Err() error { return r.common.err }

func (r *Record) Int(name string) int            { return field[int](r, name) }
func (r *Record) Float64(name string) float64    { return field[float64](r, name) }
func (r *Record) Bool(name string) bool          { return field[bool](r, name) }
func (r *Record) Ints(name string) []int         { return field[[]int](r, name) }
func (r *Record) Int32s(name string) []int32     { return field[[]int32](r, name) }
func (r *Record) Uint64s(name string) []uint64   { return field[[]uint64](r, name) }
func (r *Record) Float64s(name string) []float64 { return field[[]float64](r, name) }
func (r *Record) Bools(name string) []bool       { return field[[]bool](r, name) }
func (r *Record) Strings(name string) []string   { return field[[]string](r, name) }

// Text is a string, or the name of an enumeration's value.
func (r *Record) Text(name string) string { return field[string](r, name) }

// Group is a group of fields or, by [Part], a model within the model.
func (r *Record) Group(name string) *Record {
	if group := field[*Record](r, name); group != nil {
		return group
	}
	return newRecord(r.common)
}

// List is what [List] or [Parts] took.
func (r *Record) List(name string) []*Record { return field[[]*Record](r, name) }

// Optional is what [Coder.Optional] took, nil where it was not there.
func (r *Record) Optional(name string) *Record {
	if !r.Bool("has_" + name) {
		return nil
	}
	return r.Group(name)
}

// OptionalInts is what [Coder.OptionalInts] took.
func (r *Record) OptionalInts(name string) []int {
	if group := r.Optional(name); group != nil {
		return group.Ints("values")
	}
	return nil
}

// OptionalStrings is what [Coder.OptionalStrings] took.
func (r *Record) OptionalStrings(name string) []string {
	if group := r.Optional(name); group != nil {
		return group.Strings("values")
	}
	return nil
}

// Columns is what [Columns] took.
func (r *Record) Columns(name string) []mlcore.Column {
	var columns []mlcore.Column
	for _, c := range r.List(name) {
		column := mlcore.Column{Name: c.Text("name"), Levels: c.OptionalStrings("levels")}
		for u, name := range unknowns {
			if c.Text("unknown") == name {
				column.Unknown = mlcore.Unknown(u)
			}
		}
		columns = append(columns, column)
	}
	return columns
}

func field[T any](r *Record, name string) T {
	r.asked[name] = true
	v, ok := r.fields[name].(T)
	if !ok && r.common.err == nil {
		r.common.err = fmt.Errorf("archive: a record has no field %s of type %T", name, v)
	}
	return v
}

// recorder is the form that fills a Record.
type recorder struct{ at *Record }

func (*recorder) named() {}

func record[T any](w *recorder, name string, v *T) { w.at.fields[name] = *v }

func (w *recorder) uint64(name string, v *uint64)      { record(w, name, v) }
func (w *recorder) int(name string, v *int)            { record(w, name, v) }
func (w *recorder) float64(name string, v *float64)    { record(w, name, v) }
func (w *recorder) bool(name string, v *bool)          { record(w, name, v) }
func (w *recorder) string(name string, v *string)      { record(w, name, v) }
func (w *recorder) bytes(name string, v *[]byte)       { record(w, name, v) }
func (w *recorder) ints(name string, v *[]int)         { record(w, name, v) }
func (w *recorder) int32s(name string, v *[]int32)     { record(w, name, v) }
func (w *recorder) uint64s(name string, v *[]uint64)   { record(w, name, v) }
func (w *recorder) float64s(name string, v *[]float64) { record(w, name, v) }
func (w *recorder) bools(name string, v *[]bool)       { record(w, name, v) }
func (w *recorder) strings(name string, v *[]string)   { record(w, name, v) }
func (w *recorder) group(name string, fields func()) {
	group := w.within(fields)
	w.at.fields[name] = group
}
func (w *recorder) list(name string, n *int, fields func(i int)) {
	list := make([]*Record, *n)
	for i := range list {
		list[i] = w.within(func() { fields(i) })
	}
	w.at.fields[name] = list
}

// within returns what fields records.
func (w *recorder) within(fields func()) *Record {
	outer := w.at
	w.at = newRecord(outer.common)
	fields()
	inner := w.at
	w.at = outer
	return inner
}
