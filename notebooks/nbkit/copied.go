package nbkit

import (
	"reflect"

	"gonum.org/v1/gonum/mat"
)

// copied returns a copy of an argument that shares no elements with it, so that a
// function which changes its arguments spoils neither the next case nor the expected
// value. Slices, arrays, maps and gonum's dense matrices and vectors are copied, also
// inside each other and in the exported fields of structs; what other pointers lead to
// is shared.
func copied(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Slice:
		if v.IsNil() || plain(v.Type().Elem()) {
			// Appending to an empty slice of no capacity copies at once.
			return reflect.AppendSlice(v.Slice3(0, 0, 0), v)
		}
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			c.Index(i).Set(copied(v.Index(i)))
		}
		return c
	case reflect.Array:
		if plain(v.Type().Elem()) {
			return v
		}
		c := reflect.New(v.Type()).Elem()
		for i := range v.Len() {
			c.Index(i).Set(copied(v.Index(i)))
		}
		return c
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		c := reflect.MakeMapWithSize(v.Type(), v.Len())
		for _, k := range v.MapKeys() {
			c.SetMapIndex(k, copied(v.MapIndex(k)))
		}
		return c
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		c := reflect.New(v.Type()).Elem()
		c.Set(copied(v.Elem()))
		return c
	case reflect.Struct:
		c := reflect.New(v.Type()).Elem()
		c.Set(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				c.Field(i).Set(copied(v.Field(i)))
			}
		}
		return c
	case reflect.Pointer:
		switch m := v.Interface().(type) {
		case *mat.Dense:
			if m != nil && !m.IsEmpty() {
				return reflect.ValueOf(mat.DenseCopyOf(m))
			}
		case *mat.VecDense:
			if m != nil && !m.IsEmpty() {
				return reflect.ValueOf(mat.VecDenseCopyOf(m))
			}
		}
	}
	return v
}

// plain reports whether values of the type lead to nothing else.
func plain(t reflect.Type) bool {
	return t.Kind() <= reflect.Complex128 || t.Kind() == reflect.String
}
