package grading

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

type node struct {
	name string
	next *node
}

type twoWays struct {
	name       string
	next, back *twoWays
}

// Oracle: the pairs are written to look alike or not.
func TestDigest(t *testing.T) {
	// Each of a list's nodes leads to both of its neighbours: there are 2^50 ways of 50
	// steps in it.
	list := func(last string) *twoWays {
		first := &twoWays{name: "0"}
		n := first
		for i := 1; i < 60; i++ {
			n.next = &twoWays{name: "x", back: n}
			n = n.next
		}
		n.name = last
		return first
	}
	self := []any{nil, nil}
	self[0], self[1] = self, self
	holds := map[string]any{}
	holds["a"] = holds
	ring := &node{name: "a"}
	ring.next = ring
	two := &node{"a", &node{"b", nil}}
	x, y, z := 0.1, 0.2, 0.3
	for _, c := range []struct {
		name string
		a, b any
		same bool
	}{
		{"nothing", nil, nil, true},
		{"nothing and a zero", nil, 0, false},
		{"numbers", 1.5, 1.5, true},
		{"the order of a sum", (x + y) + z, x + (y + z), true},
		{"another number", 1.5, 1.500001, false},
		{"types", 1, 1.0, false},
		{"texts", "a", "b", false},
		{"texts that run together", []string{"a", "b"}, []string{"a;string \"b"}, false},
		{"slices", []int{1, 2}, []int{1, 2}, true},
		{"a longer slice", []int{1, 2}, []int{1, 2, 0}, false},
		{"order", []int{1, 2}, []int{2, 1}, false},
		{"maps", map[string]int{"a": 1, "b": 2}, map[string]int{"b": 2, "a": 1}, true},
		{"another entry", map[string]int{"a": 1}, map[string]int{"a": 2}, false},
		{"matrices", mat.NewDense(1, 2, []float64{1, 2}), mat.NewDense(1, 2, []float64{1, 2}), true},
		{"another element", mat.NewDense(1, 2, []float64{1, 2}), mat.NewDense(1, 2, []float64{1, 3}), false},
		{"pointers", &node{"a", nil}, &node{"a", nil}, true},
		{"below a pointer", two, &node{"a", &node{"c", nil}}, false},
		{"what holds itself", ring, ring, true},
		{"a list that leads both ways", list("a"), list("a"), true},
		{"its last element", list("a"), list("b"), false},
		{"zeros", 0.0, math.Copysign(0, -1), true},
		{"a map of lists", map[string]*twoWays{"a": list("a")}, map[string]*twoWays{"a": list("a")}, true},
		{"a slice that holds itself", self, self, true},
		{"a map that holds itself", holds, holds, true},
		{"a slice that holds itself, and another", self, []any{nil, nil}, false},
		{"errors", errors.New("a"), errors.New("a"), true},
		{"other errors", errors.New("a"), errors.New("b"), false},
		{"functions", func() {}, func() { panic(1) }, true},
		{"lists of values", []any{1, "a", nil}, []any{1, "a", nil}, true},
	} {
		if (Digest(c.a) == Digest(c.b)) != c.same {
			t.Errorf("%s: %s and %s", c.name, Digest(c.a), Digest(c.b))
		}
	}
}
