package cits5508

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/mat"
)

// A Deck holds the characters of a game of Guess Who and the questions that may be
// asked about them.
type Deck struct {
	Names     []string
	Questions []string
	// Answers holds a row for each character with its answer to each question.
	Answers [][]bool
}

// FourCharacters is the deck of the lecture, table 4.1 of Kelleher, Mac Namee and
// D'Arcy (2015).
func FourCharacters() *Deck {
	return &Deck{
		Names:     []string{"Brian", "John", "Aphra", "Aoife"},
		Questions: []string{"man", "long hair", "glasses"},
		Answers: [][]bool{
			{true, false, true},
			{true, false, false},
			{false, true, false},
			{false, false, false},
		},
	}
}

// MakeDeck draws n characters with a random answer to each question; question q is
// answered with yes by a share of the characters that is drawn between 0.1 and 0.5.
// No two characters give the same answers throughout. It panics where the questions
// are too few for that.
func MakeDeck(n, questions int, seed uint64) *Deck {
	if questions < 63 && n > 1<<questions {
		panic(fmt.Sprintf("cits5508: %d questions cannot tell %d characters apart", questions, n))
	}
	rng, d := mlcore.NewRand(seed), &Deck{}
	share := make([]float64, questions)
	for q := range share {
		d.Questions = append(d.Questions, fmt.Sprint("q", q+1))
		share[q] = 0.1 + float64(0.4*rng.Float64())
	}
	seen := map[string]bool{}
	for len(d.Names) < n {
		answers := make([]bool, questions)
		for q := range answers {
			answers[q] = rng.Float64() < share[q]
		}
		if key := fmt.Sprint(answers); !seen[key] {
			seen[key] = true
			d.Names, d.Answers = append(d.Names, fmt.Sprint("c", len(d.Names)+1)), append(d.Answers, answers)
		}
	}
	return d
}

// All lists the numbers of all characters.
func (d *Deck) All() []int {
	all := make([]int, len(d.Names))
	for c := range all {
		all[c] = c
	}
	return all
}

// Split parts characters by their answer to a question.
func (d *Deck) Split(characters []int, question int) (yes, no []int) {
	for _, c := range characters {
		if d.Answers[c][question] {
			yes = append(yes, c)
		} else {
			no = append(no, c)
		}
	}
	return yes, no
}

// Dataset is the deck as a library learns from it: the answers as features, 1 for
// yes, and each character as a class of its own with a weight.
func (d *Deck) Dataset(weights []float64) *mlcore.Dataset {
	X := mat.NewDense(len(d.Names), len(d.Questions), nil)
	for c, answers := range d.Answers {
		for q, yes := range answers {
			if yes {
				X.Set(c, q, 1)
			}
		}
	}
	ds := mlcore.FromMatrix(X, d.All(), weights)
	ds.Name, ds.ClassNames = "Guess Who", d.Names
	for q := range ds.Columns {
		ds.Columns[q].Name = d.Questions[q]
	}
	return ds
}

// RandomPlayer is a way to play that asks questions in a random order and leaves out
// those that all characters left answer alike.
func (d *Deck) RandomPlayer(characters []int, seed uint64) *QuestionTree {
	rng := mlcore.NewRand(seed)
	var play func(left []int) *QuestionTree
	play = func(left []int) *QuestionTree {
		for _, q := range rng.Perm(len(d.Questions)) {
			if yes, no := d.Split(left, q); len(yes) > 0 && len(no) > 0 {
				return Ask(q, play(yes), play(no))
			}
		}
		return Name(left[0])
	}
	return play(characters)
}

// Asked plays one game for each character, by its own answers, and counts the questions
// that t asks.
func (d *Deck) Asked(t *QuestionTree) []float64 {
	counts := make([]float64, len(d.Names))
	for c, answers := range d.Answers {
		for node := t; !node.Leaf(); counts[c]++ {
			if answers[node.Question] {
				node = node.Yes
			} else {
				node = node.No
			}
		}
	}
	return counts
}

// Told is how many bits the answer to a question tells about some of the characters, of
// which character c has the weight p[c]. The answer is certain for each of them, so the
// information gain is the entropy of the answer itself, which two numbers give.
func (d *Deck) Told(p []float64, characters []int, question int) float64 {
	var weight, bits [2]float64 // of no and of yes
	for _, c := range characters {
		if d.Answers[c][question] {
			weight[1] += p[c]
		} else {
			weight[0] += p[c]
		}
	}
	total := weight[0] + weight[1]
	for i, w := range weight {
		if w > 0 {
			bits[i] = w / total * math.Log2(total/w)
		}
	}
	return bits[0] + bits[1]
}

// A QuestionTree is a way to play: a question with what to do after each answer, or,
// at a leaf, the character that is named.
type QuestionTree struct {
	// Question is asked where the node has children.
	Question int
	Yes, No  *QuestionTree
	// Who is the character of a leaf.
	Who int
}

// Ask is a node that asks a question.
func Ask(question int, yes, no *QuestionTree) *QuestionTree {
	return &QuestionTree{Question: question, Yes: yes, No: no}
}

// Name is a leaf that names a character.
func Name(who int) *QuestionTree { return &QuestionTree{Who: who} }

// Leaf says whether the node names a character.
func (t *QuestionTree) Leaf() bool { return t.Yes == nil && t.No == nil }

// Write is the tree on one line: (glasses? Brian : (man? John : Aphra)).
func (d *Deck) Write(t *QuestionTree) string {
	switch {
	case t == nil:
		return "nobody"
	case t.Leaf():
		return d.Names[t.Who]
	}
	return fmt.Sprintf("(%s? %s : %s)", d.Questions[t.Question], d.Write(t.Yes), d.Write(t.No))
}

// Draw is the tree as plotx.Tree draws it, yes to the left.
func (d *Deck) Draw(t *QuestionTree) *plotx.TreeNode {
	if t.Leaf() {
		return &plotx.TreeNode{Text: d.Names[t.Who], Class: 1, Strength: 0.4}
	}
	yes, no := d.Draw(t.Yes), d.Draw(t.No)
	yes.Edge, no.Edge = "yes", "no"
	return &plotx.TreeNode{
		Text:  d.Questions[t.Question] + "?",
		Class: 0, Strength: 0.15, Children: []*plotx.TreeNode{yes, no},
	}
}
