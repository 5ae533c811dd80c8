//go:build !js

package cell

import (
	"context"
	"slices"
	"testing"
)

// What is left of a check, and its constants. Oracle: written out by hand. That the sealed check
// does what it did is shown by every notebook: package grade runs it with the worked answers.
func TestSeal(t *testing.T) {
	const given = harnessName + ".Given[" + harnessName + "."
	for _, c := range []struct {
		name, body, want string
		constants        []string
	}{
		{"numbers and texts", "f(1, 2.5, -3, \"x\\xff\", 'a', true)", "f(" + given + "Int](0), " + given + "Float64](1), " + given + "Int](2), " + given + "String](3), " + given + "Int32](4), true)",
			[]string{"1", "2.5", "-3", `"x\xff"`, "97"}},
		{"as what they are used for", "x := []float64{1, 1.0 / 3}\nf(2*x[0])", "x := []float64{" + given + "Float64](0), " + given + "Float64](1)}\nf(" + given + "Float64](2)*x[" + given + "Int](3)])",
			[]string{"1", "0.3333333333333333", "2", "0"}},
		{"conversions", "f(uint64(8), math.MaxInt64-1)", "f(" + given + "Uint64](0), " + given + "Int](1))", []string{"8", "9223372036854775806"}},
		{"types of cells and packages", "f(kind(3), time.Second*2)", "f(" + harnessName + ".Given[kind](0), " + harnessName + ".Given[time.Duration](1))", []string{"3", "2000000000"}},
		{"what has to be constant", "const k = 5\nvar a [3]int\nf(a, [...]int{2: k}, k+1)", "const k = 5\nvar a [3]int\nf(a, [...]int{2: k}, " + given + "Int](0))", []string{"6"}},
		{"keys of maps, not of lists", "f(map[string]int{\"a\": 1}, []int{4: 2})", "f(map[string]int{" + given + "String](0): " + given + "Int](1)}, []int{4: " + given + "Int](2)})", []string{`"a"`, "1", "2"}},
		{"a function on the spot", "f(func() int { return 7 })", "f(func() int { return " + given + "Int](0) })", []string{"7"}},
		{"complex numbers stay", "f(2i)", "f(2i)", nil},
	} {
		source := "%%\n" + c.body
		nb := cells("type kind int\n\nfunc f(...any) {}", source)
		units, err := ReadAll(nb)
		if err != nil {
			t.Fatal(err)
		}
		program, err := Assemble([]*Unit{units[0], units[1]}, Rules{})
		if err != nil {
			t.Fatal(err)
		}
		chain, err := Prepare(context.Background(), root, program.Imports())
		if err != nil {
			t.Fatal(err)
		}
		sealer, err := chain.Sealer(context.Background(), program)
		if err != nil {
			t.Fatal(err)
		}
		got, constants, err := sealer.Seal(1, source)
		if err != nil || got != "%%\n"+c.want || !slices.Equal(constants, c.constants) {
			t.Errorf("%s: %q, %q, %v\nwant %q, %q", c.name, got, constants, err, "%%\n"+c.want, c.constants)
		}
		if _, _, err := sealer.Seal(1, "%%\nf(1, 2, 3, 4, 5, 6, 7, 8)"); err == nil {
			t.Errorf("%s: another body was sealed by it", c.name)
		}
	}
}
