package nbkit

import (
	"runtime"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/notebooks/nbkit/judge"
)

// The points and words are worked by hand: of an exercise's points, the share of its
// cases that pass.
func TestCheckAll(t *testing.T) {
	shown := capture(t)
	one := func() int { return 1 }
	stub := func() int { panic(NotImplemented("Two")) }
	right, wrong := Call("one", 1, one), Call("two", 2, one).WithHint("one more than one")
	points := CheckAll(
		Exercise{"Exercise 1: One", 2, func() { Check("One", right, right) }},
		Exercise{"Exercise 2: Two", 4, func() { Check("Two", right, right, wrong, right) }},
		Exercise{"Exercise 3: Three", 3, func() { Check("Three", Call("stub", 2, stub), Call("stub", 2, stub)) }},
		Exercise{"Exercise 4: Four", 3, func() { Check("Four", Call("stub", stub(), one)) }},
		Exercise{"Exercise 5: Five", 1, func() { panic("no <file>") }},
		Exercise{"Exercise 6: Six", 1, func() { runtime.Goexit() }},
		Exercise{"Exercise 7: Seven", 1, func() {}},
		Exercise{"Exercise 9: Nine", 2, func() { Check("Nine", right); panic("later") }},
		Exercise{"Exercise 10: Ten", 2, func() { Check("Ten", right); Check("Ten", right) }},
		Exercise{"Exercise 8: Eight", 1, func() { Check("Eight", wrong, wrong, right) }},
	)
	if want := 2 + 3 + 2 + 1/3.0; points != want {
		t.Errorf("%g points, want %g", points, want)
	}
	if len(*shown) != 1 {
		t.Fatalf("%d outputs, want one", len(*shown))
	}
	o := (*shown)[0]
	if o.kind != kindFailed || o.score != "" {
		t.Errorf("kind %q, score %q: this is no single check", o.kind, o.score)
	}
	const want = `Points so far: 7.33 of 20
  Exercise 1: One: 2 of 2
  Exercise 2: Two: 3 of 4: 3 of 4 cases pass. two: expected 2, got 1
      Hint: one more than one
  Exercise 3: Three: 0 of 3: not implemented yet
  Exercise 4: Four: 0 of 3: not implemented yet
  Exercise 5: Five: 0 of 1: the check stops: panic: no <file>
  Exercise 6: Six: 0 of 1: the check stops: the function ended without returning
  Exercise 7: Seven: 0 of 1: nothing was checked
  Exercise 9: Nine: 2 of 2
  Exercise 10: Ten: 0 of 2: your function calls nbkit.Check itself: leave that to the check
  Exercise 8: Eight: 0.33 of 1: 1 of 3 cases pass. two: expected 2, got 1
      Hint: one more than one`
	if o.text != want {
		t.Errorf("it says\n%s\nwant\n%s", o.text, want)
	}
	if !strings.Contains(o.html, "no &lt;file&gt;") {
		t.Errorf("the page is\n%s", o.html)
	}
}

// The program is ended after an exercise that has outgrown it, however its check ends.
func TestCheckAllEnds(t *testing.T) {
	for _, c := range []struct {
		name   string
		scores int
		then   func()
		grown  bool
	}{
		{"one score", 1, func() {}, true},
		{"two", 2, func() {}, true},
		{"a panic after two", 2, func() { panic("later") }, true},
		{"a stub after two", 2, func() { panic(ErrNotImplemented) }, true},
		{"small ones", 2, func() {}, false},
	} {
		e := Exercise{"Exercise 1: One", 2, func() {
			for range c.scores {
				collected.scores = append(collected.scores, judge.Score{Of: 1})
			}
			collected.outgrown = c.grown
			c.then()
		}}
		if r := e.try(); r.ends != c.grown {
			t.Errorf("%s: ends is %v: %s", c.name, r.ends, r.missing)
		}
	}
}

func TestCheckAllDone(t *testing.T) {
	shown := capture(t)
	c := Call("one", 1, func() int { return 1 })
	if points := CheckAll(Exercise{"Exercise 1: One", 2, func() { Check("One", c) }}); points != 2 || (*shown)[0].kind != kindChecked {
		t.Errorf("%g points, kind %q", points, (*shown)[0].kind)
	}
	// A check that follows shows itself again.
	if Check("One", c); len(*shown) != 2 {
		t.Errorf("%d outputs after a further check, want 2", len(*shown))
	}
}
