package cits5508

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

func TestSplit(t *testing.T) {
	d := FourCharacters()
	for _, c := range []struct {
		of       []int
		question int
		yes, no  []int
	}{
		{d.All(), 0, []int{0, 1}, []int{2, 3}},
		{d.All(), 2, []int{0}, []int{1, 2, 3}},
		{[]int{3, 2}, 1, []int{2}, []int{3}},
		{nil, 1, nil, nil},
	} {
		yes, no := d.Split(c.of, c.question)
		if !slices.Equal(yes, c.yes) || !slices.Equal(no, c.no) {
			t.Errorf("%v by question %d: %v and %v, want %v and %v", c.of, c.question, yes, no, c.yes, c.no)
		}
	}
}

func TestWriteAndDraw(t *testing.T) {
	d := FourCharacters()
	glasses := Ask(2, Name(0), Ask(0, Name(1), Ask(1, Name(2), Name(3))))
	const want = "(glasses? Brian : (man? John : (long hair? Aphra : Aoife)))"
	if got := d.Write(glasses); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	root := d.Draw(glasses)
	if root.Text != "glasses?" || len(root.Children) != 2 || root.Children[0].Text != "Brian" || root.Children[0].Edge != "yes" {
		t.Errorf("drawn as %+v", root)
	}
	if _, err := plotx.Tree("", root); err != nil {
		t.Error(err)
	}
}

func TestMakeDeckTellsAllApart(t *testing.T) {
	for _, c := range []struct{ n, questions int }{{1, 1}, {24, 10}, {16, 4}, {8, 3}} {
		d := MakeDeck(c.n, c.questions, 3)
		seen := map[string]bool{}
		for _, answers := range d.Answers {
			seen[fmt.Sprint(answers)] = true
		}
		if len(seen) != c.n || len(d.Names) != c.n || len(d.Questions) != c.questions {
			t.Errorf("%d by %d: %d different characters of %d, %d questions", c.n, c.questions, len(seen), len(d.Names), len(d.Questions))
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("9 characters by 3 questions: no panic")
		}
	}()
	MakeDeck(9, 3, 0)
}

// CITS5508: asking about glasses first takes (1+2+3+3)/4 = 2.25 questions on average,
// asking first whether it is a man 2. The library finds the second by itself, and with
// probabilities of 1/2, 1/4, 1/8, 1/8 the first, which takes 1.75 then: the entropy, so
// that no other can take less (Shannon, 1948).
func TestAverageQuestionsOfCITS5508(t *testing.T) {
	d := FourCharacters()
	for _, c := range []struct {
		p    []float64
		root string
		want float64
	}{
		{[]float64{.25, .25, .25, .25}, "man", 2},
		{[]float64{.5, .25, .125, .125}, "glasses", 1.75},
	} {
		ds := d.Dataset(c.p)
		m, err := tree.Config{Criterion: tree.Entropy}.FitClassifier(ds)
		if err != nil {
			t.Fatal(err)
		}
		paths, err := m.DecisionPath(ds.X)
		if err != nil {
			t.Fatal(err)
		}
		average := 0.0
		for who, path := range paths {
			average += c.p[who] * float64(len(path)-1)
		}
		if first := d.Questions[m.Node(0).Feature]; first != c.root || math.Abs(average-c.want) > 1e-12 {
			t.Errorf("p %v: asks %s first, %v questions on average; want %s and %v", c.p, first, average, c.root, c.want)
		}
	}
	if X := d.Dataset(nil).X; !mat.Equal(X, mat.NewDense(4, 3, []float64{1, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0})) {
		t.Errorf("answers as numbers: %v", mat.Formatted(X))
	}
}

func TestAsked(t *testing.T) {
	// The lecture: 1 question for Brian, 2 for John, 3 for each of the women.
	d := FourCharacters()
	glasses := Ask(2, Name(0), Ask(0, Name(1), Ask(1, Name(2), Name(3))))
	if got := d.Asked(glasses); !slices.Equal(got, []float64{1, 2, 3, 3}) {
		t.Errorf("%v questions, want 1 2 3 3", got)
	}
	if got := d.Asked(Name(2)); !slices.Equal(got, []float64{0, 0, 0, 0}) {
		t.Errorf("%v questions of a leaf", got)
	}
}

func TestTold(t *testing.T) {
	d := FourCharacters()
	for _, c := range []struct {
		p        []float64
		of       []int
		question int
		want     float64
	}{
		{[]float64{.25, .25, .25, .25}, d.All(), 0, 1},
		{[]float64{1, 1, 1, 1}, d.All(), 2, 2 - 0.75*math.Log2(3)},
		{[]float64{4, 2, 1, 1}, d.All(), 2, 1},
		{[]float64{1, 1, 1, 1}, []int{2, 3}, 0, 0},
		{[]float64{1, 0, 1, 1}, []int{0, 1}, 2, 0},
		{[]float64{9, 1, 1, 1}, []int{1, 2, 3}, 0, math.Log2(3) - 2.0/3},
	} {
		if got := d.Told(c.p, c.of, c.question); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("question %d about %v with %v tells %v, want %v", c.question, c.of, c.p, got, c.want)
		}
	}
}

// Every way to play has to find every character: walking by the answers of a
// character ends at its name.
func TestRandomPlayerFindsEverybody(t *testing.T) {
	d := MakeDeck(24, 10, 1)
	for seed := range uint64(20) {
		root := d.RandomPlayer(d.All(), seed)
		for who, answers := range d.Answers {
			at := root
			for !at.Leaf() {
				next := at.No
				if answers[at.Question] {
					next = at.Yes
				}
				at = next
			}
			if at.Who != who {
				t.Errorf("seed %d: %s is taken for %s", seed, d.Names[who], d.Names[at.Who])
			}
		}
	}
	if a, b := d.RandomPlayer(d.All(), 1), d.RandomPlayer(d.All(), 2); d.Write(a) == d.Write(b) {
		t.Error("two seeds play alike")
	}
}
