package archive

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
)

// jsonReader looks fields up by name in an object. A field that is missing, or is
// there and never asked for, makes the Coder fail.
type jsonReader struct {
	at  *jsonObject
	c   *Coder
	why string // the path to at, for errors
}

// jsonObject is an object whose values are decoded when they are asked for.
type jsonObject struct {
	fields map[string]json.RawMessage
	asked  int
}

func (*jsonReader) named() {}

func decodeObject(raw json.RawMessage) (*jsonObject, error) {
	o := &jsonObject{}
	return o, json.Unmarshal(raw, &o.fields)
}

// raw returns the value of a field.
func (r *jsonReader) raw(name string) json.RawMessage {
	raw, ok := r.at.fields[name]
	r.c.Check(ok, "no field %s%s", r.why, name)
	r.at.asked++
	return raw
}

func (r *jsonReader) wrong(name string, err error) {
	if err != nil {
		r.c.Fail("field %s%s: %v", r.why, name, err)
	}
}

func jsonField[T any](r *jsonReader, name string, v *T) {
	if raw := r.raw(name); r.c.err == nil {
		r.wrong(name, json.Unmarshal(raw, v))
	}
}

// jsonSlice leaves an empty slice nil, as the binary form does.
func jsonSlice[T any](r *jsonReader, name string, v *[]T) {
	if jsonField(r, name, v); len(*v) == 0 {
		*v = nil
	}
}

// real is a number, or one of the strings that stand for NaN and the infinities.
type real float64

func (v *real) UnmarshalJSON(raw []byte) error {
	text := string(raw)
	switch text {
	case `"NaN"`, `"+Inf"`, `"-Inf"`:
		text = text[1 : len(text)-1]
	}
	x, err := strconv.ParseFloat(text, 64)
	*v = real(x)
	return err
}

func (r *jsonReader) uint64(name string, v *uint64) { jsonField(r, name, v) }
func (r *jsonReader) int(name string, v *int)       { jsonField(r, name, v) }
func (r *jsonReader) bool(name string, v *bool)     { jsonField(r, name, v) }
func (r *jsonReader) string(name string, v *string) { jsonField(r, name, v) }

func (r *jsonReader) float64(name string, v *float64) { jsonField(r, name, (*real)(v)) }

func (r *jsonReader) bytes(name string, v *[]byte) {
	var text string
	if jsonField(r, name, &text); r.c.err == nil {
		var err error
		*v, err = base64.StdEncoding.DecodeString(text)
		r.wrong(name, err)
	}
}

func (r *jsonReader) ints(name string, v *[]int)       { jsonSlice(r, name, v) }
func (r *jsonReader) int32s(name string, v *[]int32)   { jsonSlice(r, name, v) }
func (r *jsonReader) uint64s(name string, v *[]uint64) { jsonSlice(r, name, v) }
func (r *jsonReader) bools(name string, v *[]bool)     { jsonSlice(r, name, v) }
func (r *jsonReader) strings(name string, v *[]string) { jsonSlice(r, name, v) }

func (r *jsonReader) float64s(name string, v *[]float64) {
	var numbers []real
	jsonSlice(r, name, &numbers)
	*v = nil
	for _, x := range numbers {
		*v = append(*v, float64(x))
	}
}

// within reads the fields of the object raw.
func (r *jsonReader) within(name string, raw json.RawMessage, fields func()) {
	o, err := decodeObject(raw)
	if err != nil {
		r.wrong(name, err)
		return
	}
	at, why := r.at, r.why
	if r.at = o; name != "" {
		r.why = why + name + "."
	}
	if fields(); r.c.err == nil && o.asked != len(o.fields) {
		r.c.Fail("%s%s has fields that do not belong there", why, name)
	}
	r.at, r.why = at, why
}

func (r *jsonReader) group(name string, fields func()) {
	if raw := r.raw(name); r.c.err == nil {
		r.within(name, raw, fields)
	}
}

func (r *jsonReader) list(name string, n *int, fields func(i int)) {
	var elements []json.RawMessage
	jsonField(r, name, &elements)
	*n = len(elements)
	for i := 0; i < *n && r.c.err == nil; i++ {
		r.within(name+"["+strconv.Itoa(i)+"]", elements[i], func() { fields(i) })
	}
}
