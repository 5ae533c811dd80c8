// Package memo keeps what takes long to compute: a function and its parameters flow
// in, its value flows out, from a file where nothing that it depends on has changed.
// It is a package of its own because it reads Go source, and what reads Go source
// makes every cell that is linked with it slower to build.
package memo

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/notebooks/closure"
	"github.com/mllabs-go/mllabs/notebooks/nbkit/internal/checkout"
)

// ErrNotStorable says that a value does not come back whole from a file, so
// that [Of] will not keep it.
var ErrNotStorable = errors.New("value cannot be stored whole")

// Of returns f(params), computed once and kept in .lab/memo of the checkout.
// Declared variables of a notebook are computed again in every later cell; a
// slow one belongs here:
//
//	var scores, _ = memo.Of("scores by k", []int{1, 3, 5}, func(ks []int) ([]float64, error) {
//		return crossValidate(ks)
//	})
//
// A kept value is used only if nothing that it depends on has changed: the name,
// the parameters, the source of f and of everything in the notebook that f
// refers to, directly or not, the code of the packages that these import, as
// package closure hashes it, and the version of Go. What f cannot tell by its
// source it must not use: a function literal that reads a local variable around
// it is refused, since its value is no part of the key; pass it in params. Nor
// may f depend on the time, on chance without a seed, or on files other than
// those of package datasets, whose bytes are pinned.
//
// Outside a checkout, or where the source cannot be found, f is computed every
// time. An error of f is returned and not kept. T must come back whole from
// encoding/gob: a type with unexported fields must marshal itself, else the
// error wraps [ErrNotStorable]; the value is returned all the same.
func Of[P, T any](name string, params P, f func(P) (T, error)) (T, error) {
	key, err := keyOf(name, params, f)
	if err != nil {
		var zero T
		return zero, fmt.Errorf("memo.Of %q: %w", name, err)
	}
	path := ""
	if root, err := checkout.Root(); err == nil && key != "" {
		path = filepath.Join(root, ".lab", "memo", key+".gob")
		var kept T
		if read(path, &kept) == nil {
			return kept, nil
		}
	}
	v, err := f(params)
	if err != nil {
		return v, err
	}
	data, err := storable(v)
	if err != nil {
		return v, fmt.Errorf("memo.Of %q: %w", name, err)
	}
	if path != "" {
		if err := keep(path, data); err != nil {
			return v, fmt.Errorf("memo.Of %q: %w", name, err)
		}
	}
	return v, nil
}

// keep writes the file whole or not at all, in a folder that is made where it is
// missing.
func keep(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(path, data)
}

// read reads a kept value; a file that is cut short or damaged is none.
func read(path string, v any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if len(data) < sha256.Size {
		return errors.New("too short")
	}
	body := data[sha256.Size:]
	if sum := sha256.Sum256(body); !bytes.Equal(sum[:], data[:sha256.Size]) {
		return errors.New("damaged")
	}
	return gob.NewDecoder(bytes.NewReader(body)).Decode(v)
}

// storable encodes a value behind its checksum, and makes sure that it comes
// back the same.
func storable[T any](v T) ([]byte, error) {
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(&v); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotStorable, err)
	}
	var back T
	if err := gob.NewDecoder(bytes.NewReader(body.Bytes())).Decode(&back); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotStorable, err)
	}
	if where, why := unlike(reflect.ValueOf(&back).Elem(), reflect.ValueOf(&v).Elem(), 0); why != "" {
		return nil, fmt.Errorf("%w: %T%s %s", ErrNotStorable, v, where, why)
	}
	sum := sha256.Sum256(body.Bytes())
	return append(sum[:], body.Bytes()...), nil
}

// unlike finds where a value that was stored and read back is not what it was.
// Unlike difference it looks into unexported fields and compares numbers by
// their bits; nil and empty slices and maps are alike.
func unlike(back, was reflect.Value, depth int) (where, why string) {
	const lost = "is lost or changed on the way through a file"
	if depth > 1000 {
		return "", "is nested too deeply, or contains itself"
	}
	if !back.IsValid() || !was.IsValid() {
		if back.IsValid() != was.IsValid() {
			return "", lost
		}
		return "", ""
	}
	if back.Type() != was.Type() {
		return "", lost
	}
	switch was.Kind() {
	case reflect.Pointer, reflect.Interface:
		if back.IsNil() || was.IsNil() {
			if back.IsNil() != was.IsNil() {
				return "", lost
			}
			return "", ""
		}
		return unlike(back.Elem(), was.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		if back.Len() != was.Len() {
			return "", lost
		}
		for i := range was.Len() {
			if where, why := unlike(back.Index(i), was.Index(i), depth+1); why != "" {
				return fmt.Sprintf("[%d]%s", i, where), why
			}
		}
		return "", ""
	case reflect.Map:
		if back.Len() != was.Len() {
			return "", lost
		}
		for _, k := range was.MapKeys() {
			if where, why := unlike(back.MapIndex(k), was.MapIndex(k), depth+1); why != "" {
				return fmt.Sprintf("[%v]%s", k, where), why
			}
		}
		return "", ""
	case reflect.Struct:
		for i := range was.NumField() {
			if where, why := unlike(back.Field(i), was.Field(i), depth+1); why != "" {
				return "." + was.Type().Field(i).Name + where, why
			}
		}
		return "", ""
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if back.IsNil() && was.IsNil() {
			return "", ""
		}
		return "", lost
	case reflect.Float32, reflect.Float64:
		if back.Float() == was.Float() || back.Float() != back.Float() && was.Float() != was.Float() {
			return "", ""
		}
		return "", lost
	}
	if !back.Equal(was) {
		return "", lost
	}
	return "", ""
}

// keyOf is the name of the file for a call, or "" if what the value depends
// on cannot be told.
func keyOf[P any](name string, params P, f any) (string, error) {
	source, imports, err := sourceOf(f)
	if err != nil {
		return "", err
	}
	if source == "" {
		return "", nil
	}
	root, err := checkout.Root()
	if err != nil {
		return "", nil
	}
	code, err := closure.Open(root).Hash(imports...)
	if err != nil {
		return "", nil
	}
	p, err := storable(params)
	if err != nil {
		return "", fmt.Errorf("its parameters: %w", err)
	}
	h := sha256.New()
	for _, part := range []string{name, fmt.Sprintf("%T", params), reflect.TypeOf(f).String(), string(p), source, code, runtime.Version(), runtime.GOARCH, arithmetic} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}
