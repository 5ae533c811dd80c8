package grade

import (
	"context"
	"strings"
	"sync"
	"testing"
)

// kept is a Store in memory.
type kept struct{ m sync.Map }

func (k *kept) Get(key string) ([]byte, bool) {
	v, ok := k.m.Load(key)
	if !ok {
		return nil, false
	}
	return v.([]byte), true
}

func (k *kept) Put(key string, verdict []byte) { k.m.Store(key, verdict) }

// Equal answers are tried once, also by several at a time, and by a later run of the tool
// not at all. What the case that fails says comes from one run more.
func TestEqualAnswersAreTriedOnce(t *testing.T) {
	shared, err := neighbours()
	if err != nil {
		t.Fatal(err)
	}
	later := func(store Store) *Grader {
		return &Grader{Kept: store, runner: shared.runner, chain: shared.chain, tries: shared.tries, questions: shared.questions, given: shared.given,
			imports: shared.imports, extra: shared.extra, memory: memory{known: map[string]*verdict{}, open: map[string]chan struct{}{}}}
	}
	store := &kept{}
	g := later(store)
	answers := Answers{ByID: with("standardise", strings.Replace(standardise, "/ sd", "* sd", 1))}
	const points = "2 3 5 0.6"
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			sheet, err := g.Grade(context.Background(), answers)
			if got, _, text := marks(sheet); err != nil || got != points {
				t.Errorf("%s, %v\n%s", got, err, text)
			}
		})
	}
	wait.Wait()
	if g.Built() != 1 || g.Ran() != 5 {
		t.Errorf("%d built, %d runs", g.Built(), g.Ran())
	}
	// The same answer beside other ones is the same program where it needs none of them.
	g = later(store)
	answers.ByID = with("standardise", answers.ByID["standardise"], "distances", "")
	sheet, err := g.Grade(context.Background(), answers)
	if got, _, text := marks(sheet); err != nil || got != "0 3 5 0.6" {
		t.Errorf("%s, %v\n%s", got, err, text)
	}
	if g.Built() != 1 || g.Ran() != 2 {
		t.Errorf("later: %d built, %d runs", g.Built(), g.Ran())
	}
}
