package mistakes

import (
	"go/format"
	"strings"
	"testing"
)

// A switch takes what the function takes, and hands it on.
func TestSwitchOf(t *testing.T) {
	for _, c := range []struct{ name, fn, want string }{
		{"grouped parameters and named results", "func F(a, b int, c []string) (n int, err error) { return 0, nil }",
			"func F(a0 int, a1 int, a2 []string) (int, error) {\n\tswitch catalogueBody {\n\tcase 7:\n\t\treturn F_body7(a0, a1, a2)\n\tdefault:\n\t\treturn F_reference(a0, a1, a2)\n\t}\n}\n"},
		{"variadic", "func F(xs ...float64) float64 { return 0 }", "\t\treturn F_body7(a0...)\n"},
		{"no result", "func F(x *int) { *x = 1 }", "\t\tF_body7(a0)\n\t\treturn\n"},
		{"a method", "func (r *T) F(int, string) bool { return true }", "func (self *T) F(a0 int, a1 string) bool {"},
		{"a method's call", "func (T) F() bool { return true }", "\t\treturn self.F_body7()\n"},
		{"generic", "func F[K comparable, V any](m map[K]V) []K { return nil }", "func F[K comparable, V any](a0 map[K]V) []K {"},
		{"generic's call", "func F[K comparable, V any](m map[K]V) []K { return nil }", "\t\treturn F_body7[K, V](a0)\n"},
	} {
		s, err := readSource(c.fn)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		for _, fn := range s.functions() {
			made, err := format.Source([]byte(s.switchOf(fn, []int{7})))
			if err != nil || !strings.Contains(string(made), c.want) {
				t.Errorf("%s: %v\n%s\nwant in it\n%s", c.name, err, made, c.want)
			}
		}
	}
}

// Helpers of two bodies may have the same name; fields, methods and what is after a dot
// keep theirs.
func TestRenameHelpers(t *testing.T) {
	s, err := readSource(`type count struct{ n, total int }

func total(c count) int { return c.total + count{n: 1, total: 2}.n }

func Rate(y []int) int { return total(count{n: len(y)}) + strings.total }
`)
	if err != nil {
		t.Fatal(err)
	}
	s.renameHelpers([]string{"Rate"}, "_body2")
	want := `type count_body2 struct{ n, total int }

func total_body2(c count_body2) int { return c.total + count_body2{n: 1, total: 2}.n }

func Rate(y []int) int { return total_body2(count_body2{n: len(y)}) + strings.total }
`
	if got := s.top(); got != want {
		t.Errorf("got\n%s", got)
	}
}
