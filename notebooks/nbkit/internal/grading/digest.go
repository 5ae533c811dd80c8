package grading

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"reflect"
	"slices"
)

// deepest is how deep a value is looked into: one that holds itself has no end.
const deepest = 50

// Digest stands for a value: values that look alike have equal digests, in every program.
// Numbers count to nine digits, so that another order of a sum makes no difference;
// functions and channels count by their types.
func Digest(v any) string {
	h := sha256.New()
	digest(h, reflect.ValueOf(v), 0)
	return hex.EncodeToString(h.Sum(nil)[:8])
}

func digest(h hash.Hash, v reflect.Value, depth int) {
	if !v.IsValid() || depth > deepest {
		fmt.Fprint(h, "nil;")
		return
	}
	fmt.Fprintf(h, "%s ", v.Type())
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		digest(h, v.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		fmt.Fprintf(h, "%d ", v.Len())
		for i := range v.Len() {
			digest(h, v.Index(i), depth+1)
		}
	case reflect.Map:
		var entries []string
		for it := v.MapRange(); it.Next(); {
			e := sha256.New()
			digest(e, it.Key(), depth+1)
			digest(e, it.Value(), depth+1)
			entries = append(entries, string(e.Sum(nil)))
		}
		slices.Sort(entries)
		fmt.Fprintf(h, "%d %q", len(entries), entries)
	case reflect.Struct:
		for i := range v.NumField() {
			digest(h, v.Field(i), depth+1)
		}
	case reflect.Float32, reflect.Float64:
		fmt.Fprintf(h, "%.9g;", v.Float())
	case reflect.Complex64, reflect.Complex128:
		fmt.Fprintf(h, "%.9g;", v.Complex())
	case reflect.String:
		fmt.Fprintf(h, "%q;", v.String())
	case reflect.Bool:
		fmt.Fprintf(h, "%t;", v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		fmt.Fprintf(h, "%d;", v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		fmt.Fprintf(h, "%d;", v.Uint())
	default:
		fmt.Fprint(h, ";")
	}
}
