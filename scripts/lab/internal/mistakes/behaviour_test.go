package mistakes

import "testing"

// The forms are those of nbkit's TestStudentsProgram: a panic is the same mistake wherever in
// the student's cell it arose, and another one with another value.
func TestMatchesAsidePlaceOfPanic(t *testing.T) {
	const index = "last: panic: runtime error: index out of range [3] with length 3"
	body := Behaviour{failures: []string{"", index + ", in Last, line 8 of its cell"}}
	for _, tc := range []struct {
		failures []string
		want     bool
	}{
		{[]string{"", index + ", in Last, line 8 of its cell"}, true},
		{[]string{"", index + ", in Last, line 12 of its cell"}, true},
		{[]string{"", index + ", in Last, line 3 counted from its func"}, true},
		{[]string{"", index}, true},
		{[]string{"", "last: panic: runtime error: index out of range [4] with length 3, in Last, line 8 of its cell"}, false},
		{[]string{index + ", in Last, line 8 of its cell", ""}, false},
		{[]string{"", ""}, false},
	} {
		if got := body.Matches(tc.failures); got != tc.want {
			t.Errorf("%q matches: %v", tc.failures, got)
		}
	}
}
