package grading

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"reflect"
	"slices"
)

// Digest stands for a value: values that look alike have equal digests, in every program.
// Numbers count to nine digits, so that another order of a sum makes no difference but
// where it lies on a border of rounding; 0 and -0 are one; functions and channels count by
// their types; a pointer counts as what it points to. What holds itself is looked into once.
func Digest(v any) string {
	d := digester{hash: sha256.New(), met: map[place]bool{}}
	d.add(reflect.ValueOf(v))
	return hex.EncodeToString(d.hash.Sum(nil)[:8])
}

type digester struct {
	hash hash.Hash
	met  map[place]bool // a value may hold itself
}

// A place is where a pointer, a map or a slice leads.
type place struct {
	at  uintptr
	len int
	of  reflect.Type
}

// again says whether a pointer, map or slice was met before.
func (d *digester) again(v reflect.Value) bool {
	p := place{at: v.Pointer(), of: v.Type()}
	switch v.Kind() {
	case reflect.Slice:
		if v.Len() == 0 || v.Type().Elem().Kind() <= reflect.Complex128 { // which hold no other value
			return false
		}
		p.len = v.Len()
	case reflect.Pointer:
		if v.IsNil() {
			return false
		}
	}
	if d.met[p] {
		d.printf("again;")
		return true
	}
	d.met[p] = true
	return false
}

func (d *digester) printf(format string, args ...any) { fmt.Fprintf(d.hash, format, args...) }

func (d *digester) add(v reflect.Value) {
	if !v.IsValid() {
		d.printf("nil;")
		return
	}
	d.printf("%s ", v.Type())
	switch v.Kind() {
	case reflect.Pointer:
		if !d.again(v) {
			d.add(v.Elem())
		}
	case reflect.Interface:
		d.add(v.Elem())
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && d.again(v) {
			return
		}
		d.printf("%d ", v.Len())
		for i := range v.Len() {
			d.add(v.Index(i))
		}
	case reflect.Map:
		if d.again(v) {
			return
		}
		var entries []string
		for it := v.MapRange(); it.Next(); {
			e := digester{hash: sha256.New(), met: maps.Clone(d.met)}
			e.add(it.Key())
			e.add(it.Value())
			entries = append(entries, string(e.hash.Sum(nil)))
		}
		slices.Sort(entries)
		d.printf("%d %q", len(entries), entries)
	case reflect.Struct:
		for i := range v.NumField() {
			d.add(v.Field(i))
		}
	case reflect.Float32, reflect.Float64:
		d.printf("%.9g;", v.Float()+0) // -0 + 0 is 0
	case reflect.Complex64, reflect.Complex128:
		d.printf("%.9g;", v.Complex()+0)
	case reflect.String:
		d.printf("%q;", v.String())
	case reflect.Bool:
		d.printf("%t;", v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		d.printf("%d;", v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		d.printf("%d;", v.Uint())
	default:
		d.printf(";")
	}
}
