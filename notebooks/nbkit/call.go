package nbkit

import (
	"fmt"
	"reflect"
)

// callTol is the tolerance of a case made by [Call]: far above the rounding of a
// sum of some thousand numbers, far below a wrong answer.
const callTol = 1e-9

// Call is a case on one line: what is tried, the right answer, the function and
// its arguments.
//
//	nbkit.Check("Misclassification",
//		nbkit.Call("all right", 0.0, Misclassification, []int{1, 1, 1}, 1, nil),
//		nbkit.Call("all wrong", 1.0, Misclassification, []int{1, 1, 1}, 0, nil))
//
// The function is called when the case is tried, so that a panic fails its own
// case only, and on copies of its slices, maps and matrices, so that changing them
// spoils no other case. Arguments are converted where Go would convert a constant, and nil
// stands for the zero value of a slice, map, pointer, function or interface. A function
// with several results is compared with a list of them, made by [Values].
// Numbers may differ by 1e-9, whole ones not at all; [Case.Within] sets another
// tolerance.
func Call(name string, want, f any, args ...any) Case {
	return Case{Name: name, Want: want, Tol: callTol, Got: func() any { return call(f, args) }}
}

// Within returns the case with another tolerance for numbers; 0: none. Less
// than 1 does not loosen whole numbers; a count of random events may have more.
func (c Case) Within(tol float64) Case {
	c.Tol = tol
	return c
}

// WithHint returns the case with a hint for whoever fails it.
func (c Case) WithHint(hint string) Case {
	c.Hint = hint
	return c
}

// A miswritten case is the fault of the notebook's author, not of the student.
type miswritten string

func (why miswritten) Error() string { return "this case cannot be tried: " + string(why) }

func call(f any, args []any) any {
	fn := reflect.ValueOf(f)
	if fn.Kind() != reflect.Func || fn.IsNil() {
		panic(miswritten(fmt.Sprintf("it calls a %T, not a function", f)))
	}
	in, err := arguments(fn.Type(), args)
	if err != nil {
		panic(miswritten(err.Error()))
	}
	out := fn.Call(in)
	if len(out) == 1 {
		return out[0].Interface()
	}
	results := make([]any, len(out))
	for i, v := range out {
		results[i] = v.Interface()
	}
	return results
}

// arguments converts args to what the function takes.
func arguments(f reflect.Type, args []any) ([]reflect.Value, error) {
	fixed := f.NumIn()
	if f.IsVariadic() {
		fixed--
	}
	if len(args) < fixed || len(args) > fixed && !f.IsVariadic() {
		return nil, fmt.Errorf("%d arguments are given, %v takes %d", len(args), f, f.NumIn())
	}
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		want := f.In(min(i, f.NumIn()-1))
		if i >= fixed {
			want = want.Elem()
		}
		v, ok := argument(a, want)
		if !ok {
			return nil, fmt.Errorf("argument %d is %T, %v wants %v", i+1, a, f, want)
		}
		in[i] = copied(v)
	}
	return in, nil
}

// argument converts a to the type, where that loses nothing.
func argument(a any, to reflect.Type) (v reflect.Value, ok bool) {
	if a == nil {
		switch to.Kind() {
		case reflect.Slice, reflect.Map, reflect.Pointer, reflect.Func, reflect.Interface, reflect.Chan:
			return reflect.Zero(to), true
		}
		return v, false
	}
	v = reflect.ValueOf(a)
	switch {
	case v.Type().AssignableTo(to):
		return v, true
	case !v.CanConvert(to) || (to.Kind() == reflect.String) != (v.Kind() == reflect.String):
		return v, false // a number would become the character of that code
	}
	c := v.Convert(to)
	if from, isNumber := number(v); isNumber {
		if there, _ := number(c); there != from {
			return v, false // 0.5 is no int
		}
	}
	return c, true
}

func number(v reflect.Value) (float64, bool) {
	switch {
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	case v.CanFloat():
		return v.Float(), true
	}
	return 0, false
}
