package mlcoretest

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"gonum.org/v1/gonum/mat"
)

// zeroOf returns a pointer to an empty model of the type that M points to.
func zeroOf[M any]() any {
	t := reflect.TypeFor[M]()
	if t.Kind() != reflect.Pointer {
		return nil
	}
	return reflect.New(t.Elem()).Interface()
}

// notFitted calls every exported method of a model that no Fit method made. None
// panics, and those that can say why they have no answer say that it is not fitted.
func (s subject[L]) notFitted(t *testing.T) {
	zero := s.zero()
	if zero == nil {
		t.Fatal("a fitted model has to be a pointer")
	}
	if _, err := modelfile.Marshal(zero); !errors.Is(err, mlcore.ErrNotFitted) {
		t.Errorf("saving: error %v, want ErrNotFitted", err)
	}
	v := reflect.ValueOf(zero)
	for i := range v.NumMethod() {
		method := v.Type().Method(i)
		if decodes[method.Name] {
			continue
		}
		args, ok := arguments(v.Method(i).Type())
		if !ok {
			continue
		}
		if err := call(v.Method(i), args); err != nil && !errors.Is(err, mlcore.ErrNotFitted) {
			t.Errorf("%s of a model that is not fitted: %v, want ErrNotFitted", method.Name, err)
		}
	}
}

// decodes are the methods that fill in a model.
var decodes = map[string]bool{"UnmarshalBinary": true, "UnmarshalJSON": true, "MarshalJSON": true}

var (
	matrixType = reflect.TypeFor[mat.Matrix]()
	errorType  = reflect.TypeFor[error]()
	writerType = reflect.TypeFor[io.Writer]()
)

// arguments makes up plausible arguments of a method: two rows of three columns, a writer,
// zero values of everything else. It reports whether it could.
func arguments(t reflect.Type) ([]reflect.Value, bool) {
	if t.IsVariadic() {
		return nil, false
	}
	var args []reflect.Value
	for i := range t.NumIn() {
		in := t.In(i)
		switch {
		case in == matrixType:
			args = append(args, reflect.ValueOf(mat.NewDense(2, 3, nil)))
		case in == writerType:
			args = append(args, reflect.ValueOf(io.Discard))
		case in.Kind() == reflect.Slice:
			args = append(args, reflect.MakeSlice(in, 2, 2))
		case in.Kind() == reflect.Func || in.Kind() == reflect.Interface || in.Kind() == reflect.Pointer:
			return nil, false
		default:
			args = append(args, reflect.Zero(in))
		}
	}
	return args, true
}

// call returns the error that a method returns as its last result, or what it
// panics with. Without an error result there is none, and a panic over an index is
// the caller's: a method that takes one cannot be asked without a model.
func call(method reflect.Value, args []reflect.Value) (err error) {
	defer func() {
		if r := recover(); r != nil && !(returnsNoError(method.Type()) && takesIndex(method.Type())) {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	results := method.Call(args)
	if returnsNoError(method.Type()) {
		return nil
	}
	if last := results[len(results)-1]; !last.IsNil() {
		return last.Interface().(error)
	}
	return errors.New("no error")
}

func returnsNoError(t reflect.Type) bool {
	return t.NumOut() == 0 || t.Out(t.NumOut()-1) != errorType
}

func takesIndex(t reflect.Type) bool {
	for i := range t.NumIn() {
		if t.In(i).Kind() == reflect.Int {
			return true
		}
	}
	return false
}
