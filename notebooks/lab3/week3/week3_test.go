package week3

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"github.com/mllabs-go/mllabs/notebooks/lab3"
	"github.com/mllabs-go/mllabs/notebooks/lab3/solutions"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// handout holds the solutions, written out in Go, which are the oracle of what a finished
// assignment draws.
var handout = Lab{
	NearestNeighboursPredict: solutions.NearestNeighboursPredict,
	Misclassification:        solutions.Misclassification,
	DecisionTreeTrain:        solutions.DecisionTreeTrain,
	DecisionTreePredict:      solutions.DecisionTreePredict,
	RandomForestTrain:        solutions.RandomForestTrain,
	RandomForestPredict:      solutions.RandomForestPredict,
	AdaBoostTrain:            solutions.AdaBoostTrain,
	AdaBoostPredict:          solutions.AdaBoostPredict,
}

// The defaults of the hand-out's script.
func TestDefaults(t *testing.T) {
	o, err := CommandLine(nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Seed = 0 // drawn anew where none is given
	want := Options{Samples: 50, Neighbours: 3, MinSize: 3, Weak: 10, Forest: 10, Resolution: 20}
	if o != want {
		t.Errorf("defaults %+v, want %+v", o, want)
	}
}

func TestOptionsInAnyOrderAndBothNames(t *testing.T) {
	want := Options{Seed: 7, Samples: 178, Neighbours: 5, MinSize: 2, Weak: 20, Forest: 30, Resolution: 100, Data: "d.csv", File: "out.png"}
	for _, args := range []string{
		"-s 7 -n 178 -k 5 -m 2 -w 20 -f 30 -r 100 -d d.csv out.png",
		"out.png --seed 7 --num_samples 178 --neighbours 5 --min_size 2 --weak 20 --forest 30 --resolution 100 --data d.csv",
		"-s=7 --num_samples=178 out.png -k 5 -m 2 -w 20 -f 30 -r 100 -d d.csv",
	} {
		if o, err := CommandLine(strings.Fields(args)); err != nil || o != want {
			t.Errorf("%s: %+v, %v", args, o, err)
		}
	}
}

func TestHelpNamesEveryOption(t *testing.T) {
	var out bytes.Buffer
	if code := run(handout, []string{"-h"}, &out, &out); code != 0 {
		t.Errorf("exit status %d", code)
	}
	for _, name := range []string{"seed", "num_samples", "neighbours", "min_size", "weak", "forest", "resolution", "data", "help"} {
		if !strings.Contains(out.String(), "--"+name) {
			t.Errorf("help does not name --%s:\n%s", name, out.String())
		}
	}
}

func TestDrawsFourMaps(t *testing.T) {
	file := filepath.Join(t.TempDir(), "week_3.png")
	var out, errs bytes.Buffer
	if code := run(handout, []string{"-s", "0", "-n", "120", file}, &out, &errs); code != 0 {
		t.Fatalf("exit status %d: %s", code, &errs)
	}
	for _, want := range []string{
		"all right: 0 - correct", "all wrong: 1 - correct", "fifty-fifty: 0.5 - correct",
		"plotted 3-Nearest Neighbours", "plotted Decision Tree", "plotted Random Forest (10 Trees)", "plotted AdaBoost (10 Stumps)",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("output lacks %q:\n%s", want, &out)
		}
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.DecodeConfig(f)
	// Two rows of two square panels, over one legend.
	if err != nil || img.Width < 1000 || max(img.Width, img.Height)-min(img.Width, img.Height) > img.Width/20 {
		t.Errorf("picture of %d×%d (%v)", img.Width, img.Height, err)
	}
}

func TestSameSeedSameBytes(t *testing.T) {
	dir := t.TempDir()
	var pictures [3][]byte
	for i, seed := range []string{"1", "1", "2"} {
		file := filepath.Join(dir, "f.png")
		var errs bytes.Buffer
		if code := run(handout, []string{"-s", seed, file}, &bytes.Buffer{}, &errs); code != 0 {
			t.Fatal(errs.String())
		}
		var err error
		if pictures[i], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(pictures[0], pictures[1]) {
		t.Error("the same seed drew two different figures")
	}
	if bytes.Equal(pictures[0], pictures[2]) {
		t.Error("another seed drew the same forest")
	}
}

func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const head = "X1,X2,Binary,Multi\n"
	good := head + "1,2,0,0\n2,1,1,1\n3,3,0,2\n4,1,1,0\n"
	for _, tc := range []struct {
		name, args string
		code       int
		says       []string
	}{
		{"no such file", "-d " + filepath.Join(dir, "none.csv"), 1, []string{"none.csv"}},
		{"empty file", "-d " + file("empty.csv", ""), 1, []string{"empty.csv"}},
		{"header only", "-d " + file("head.csv", head), 1, []string{"head.csv"}},
		{"ragged", "-d " + file("ragged.csv", head+"1,2,0\n"), 1, []string{"ragged.csv", "line 2"}},
		{"no Multi", "-d " + file("column.csv", "X1,X2,Binary\n1,2,0\n"), 1, []string{"column.csv", "Multi"}},
		{"text", "-d " + file("text.csv", head+"1,2,0,0\n1,two,1,1\n"), 1, []string{"text.csv", "line 3", "X2", "two"}},
		{"NaN", "-d " + file("nan.csv", head+"1,NaN,0,0\n"), 1, []string{"nan.csv", "line 2", "X2"}},
		{"Inf", "-d " + file("inf.csv", head+"1,2,0,0\nInf,2,0,0\n"), 1, []string{"inf.csv", "line 3", "X1"}},
		{"one class", "-d " + file("one.csv", head+"1,2,0,0\n2,2,0,1\n3,1,0,1\n"), 1, []string{"one.csv", "Binary", "one class"}},
		{"three binary classes", "-k 1 -m 1 -d " + file("three.csv", head+"1,2,0,0\n2,2,1,1\n3,1,2,1\n"), 1, []string{"three.csv", "Binary", "3 classes"}},
		{"too many neighbours", "-k 5 -m 1 -d " + file("good.csv", good), 1, []string{"5 neighbours of only 4 samples"}},
		{"large min_size", "-k 1 -m 5 -d " + file("good.csv", good), 1, []string{"at least 5", "only 4"}},
		{"no samples", "-n 0", 2, []string{"--num_samples"}},
		{"flat resolution", "-r 1", 2, []string{"--resolution"}},
		{"unknown option", "--colour red", 2, []string{"colour"}},
		{"a forest for ever", "-f 10001", 2, []string{"--forest is 10001", "10000"}},
		{"boosting for ever", "-w 10001", 2, []string{"--weak is 10001", "10000"}},
		{"two files", "a.pdf b.pdf", 2, []string{"one output file"}},
		{"unknown format", "figure.bmp", 2, []string{"figure.bmp", ".pdf"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out.png")
			args := strings.Fields(tc.args)
			if tc.code == 1 {
				args = append(args, out)
			}
			var errs bytes.Buffer
			if code := run(handout, args, &bytes.Buffer{}, &errs); code != tc.code {
				t.Errorf("exit status %d, want %d", code, tc.code)
			}
			for _, s := range tc.says {
				if !strings.Contains(errs.String(), s) {
					t.Errorf("error %q does not say %q", errs.String(), s)
				}
			}
			if _, err := os.Stat(out); err == nil {
				t.Error("a figure was written all the same")
			}
		})
	}
}

// A figure without a place is told before the work, and no folder is made for it.
func TestNoPlaceForTheFigure(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(t.TempDir(), "f.png")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{filepath.Join(dir, "none", "f.png"), folder} {
		var out, errs bytes.Buffer
		if code := run(handout, []string{file}, &out, &errs); code != 1 || out.Len() > 0 || !strings.Contains(errs.String(), file) {
			t.Errorf("exit status %d, %q, %q", code, out.String(), errs.String())
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("made %v (%v)", entries, err)
	}
}

// What a student may hand in: each case changes the solutions, and names what is printed,
// what counts as failed, and how many panels are still drawn.
func TestWhatStudentsWrite(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(l *Lab)
		says   []string
		failed string
		drawn  int
	}{
		{"all right", func(*Lab) {}, []string{"all wrong: 1 - correct"}, "", 4},
		{"nothing yet", func(l *Lab) { *l = Lab{} }, []string{"NearestNeighboursPredict, or", "Misclassification, or", "DecisionTreeTrain, or", "RandomForestTrain, or", "AdaBoostTrain, or"}, "", 0},
		{"returns nil", func(l *Lab) {
			l.NearestNeighboursPredict = func(*mat.Dense, []int, *mat.Dense, int) []int { return nil }
		}, []string{"NearestNeighboursPredict, or a function that it calls, is not implemented yet"}, "", 3},
		{"no forest", func(l *Lab) {
			l.RandomForestTrain = func(*mat.Dense, []int, int, *rand.Rand, lab3.TreeOptions) []*lab3.Tree { return nil }
		}, []string{"RandomForestTrain, or"}, "", 3},
		{"a stub", func(l *Lab) {
			l.DecisionTreeTrain = func(*mat.Dense, []int, lab3.TreeOptions) *lab3.Tree { panic("not implemented") }
		}, []string{"DecisionTreeTrain, or"}, "", 3},
		{"predicts later", func(l *Lab) { l.AdaBoostPredict = nil }, []string{"AdaBoostPredict, or"}, "", 3},
		{"wrong errors", func(l *Lab) { l.Misclassification = func([]int, int, []float64) float64 { return 1 } },
			[]string{"all right: 1 - wrong, should be 0", "all wrong: 1 - correct", "fifty-fifty: 1 - wrong, should be 0.5"}, "Misclassification", 4},
		{"panics at one test", func(l *Lab) {
			l.Misclassification = func(y []int, _ int, _ []float64) float64 { return float64(y[3]) }
		}, []string{"all right: Misclassification: panic: runtime error: index out of range [3] with length 3"}, "Misclassification", 4},
		{"one prediction", func(l *Lab) { l.RandomForestPredict = func([]*lab3.Tree, *mat.Dense) []int { return []int{0} } },
			[]string{"RandomForestPredict returns 1 predictions for 100 rows"}, "Random Forest (10 Trees)", 3},
		{"an unknown class", func(l *Lab) {
			l.AdaBoostPredict = func(_ []*lab3.Tree, _ []float64, X *mat.Dense) []int {
				return slices.Repeat([]int{-1}, X.RawMatrix().Rows)
			}
		}, []string{"AdaBoostPredict returns class -1 for row 0; the classes are 0 to 1"}, "AdaBoost (10 Stumps)", 3},
		{"an alpha too many", func(l *Lab) {
			l.AdaBoostTrain = func(*mat.Dense, []int, int, lab3.AdaBoostOptions) ([]*lab3.Tree, []float64) {
				return []*lab3.Tree{{}}, []float64{1, 2}
			}
		}, []string{"AdaBoostTrain returns 1 trees and 2 alphas"}, "AdaBoost (10 Stumps)", 3},
		{"panics", func(l *Lab) {
			l.DecisionTreePredict = func(tree *lab3.Tree, _ *mat.Dense) []int { return []int{tree.Below.Below.Below.Below.Class} }
		}, []string{"DecisionTreePredict: panic: runtime error: invalid memory address"}, "Decision Tree", 3},
		{"panics with a value", func(l *Lab) {
			l.NearestNeighboursPredict = func(*mat.Dense, []int, *mat.Dense, int) []int { panic(lab3.Tree{}) }
		}, []string{"NearestNeighboursPredict: panic: {0"}, "3-Nearest Neighbours", 3},
		{"no tree", func(l *Lab) {
			l.DecisionTreeTrain = func(*mat.Dense, []int, lab3.TreeOptions) *lab3.Tree { return nil }
		}, []string{"DecisionTreeTrain, or"}, "", 3},
		{"no ensemble", func(l *Lab) {
			l.AdaBoostTrain = func(*mat.Dense, []int, int, lab3.AdaBoostOptions) ([]*lab3.Tree, []float64) { return nil, nil }
		}, []string{"AdaBoostTrain, or"}, "", 3},
		{"changes its arguments", func(l *Lab) {
			l.NearestNeighboursPredict = func(X *mat.Dense, y []int, Q *mat.Dense, k int) []int {
				said := solutions.NearestNeighboursPredict(X, y, Q, k)
				X.Zero()
				clear(y)
				Q.Zero()
				return said
			}
			l.DecisionTreeTrain = func(X *mat.Dense, y []int, opts lab3.TreeOptions) *lab3.Tree {
				if mat.Norm(X, 1) == 0 || slices.Max(y) == 0 {
					panic("the data have been changed")
				}
				return solutions.DecisionTreeTrain(X, y, opts)
			}
		}, []string{"plotted Decision Tree"}, "", 4},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := handout
			tc.change(&l)
			var out bytes.Buffer
			_, failed, err := draw(l, Options{Samples: 50, Neighbours: 3, MinSize: 3, Weak: 10, Forest: 10, Resolution: 10}, &out)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(failed, ", "); got != tc.failed {
				t.Errorf("failed: %q, want %q", got, tc.failed)
			}
			if n := strings.Count(out.String(), "plotted"); n != tc.drawn {
				t.Errorf("%d panels, want %d", n, tc.drawn)
			}
			for _, s := range tc.says {
				if !strings.Contains(out.String(), s) {
					t.Errorf("%q is not there:\n%s", s, &out)
				}
			}
		})
	}
}

// A function that never ends is named, and costs its own panel only. The other functions
// are missing, so that none depends on how fast the machine is.
func TestNeverEnds(t *testing.T) {
	defer func(d time.Duration) { patience = d }(patience)
	patience = time.Millisecond
	done := make(chan bool)
	defer close(done)
	for _, tc := range []struct {
		name   string
		lab    Lab
		says   string
		failed string
	}{
		{"misclassification", Lab{Misclassification: func([]int, int, []float64) float64 { <-done; return 0 }},
			"Q2: testing misclassification error\n all right: Misclassification: no answer after 1ms: does a loop never end? (if it is only slow, lower -n or -r)\nQ2: fitting decision tree\n",
			"Misclassification"},
		{"tree", Lab{DecisionTreeTrain: func(*mat.Dense, []int, lab3.TreeOptions) *lab3.Tree { <-done; return nil }},
			"Q2: DecisionTreeTrain: no answer after 1ms: does a loop never end? (if it is only slow, lower -n or -r)\nQ3: fitting random forest with 10 trees\n",
			"Decision Tree"},
		{"prediction", Lab{NearestNeighboursPredict: func(*mat.Dense, []int, *mat.Dense, int) []int { <-done; return nil }},
			"Q1: NearestNeighboursPredict: no answer after 1ms: does a loop never end? (if it is only slow, lower -n or -r)\nQ2: testing",
			"3-Nearest Neighbours"},
	} {
		var out bytes.Buffer
		_, failed, err := draw(tc.lab, Options{Samples: 50, Neighbours: 3, MinSize: 3, Weak: 10, Forest: 10, Resolution: 10}, &out)
		if err != nil || strings.Join(failed, ", ") != tc.failed || !strings.Contains(out.String(), tc.says) {
			t.Errorf("%s: failed %q (%v), want %q, and %q in\n%s", tc.name, failed, err, tc.failed, tc.says, &out)
		}
	}
}

func TestWrap(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "one": "one", "one two three": "one two\nthree", "one two4 5": "one\ntwo4 5", "longer than eight": "longer\nthan\neight", "1234567890 1": "1234567890\n1",
	} {
		if got := wrap(text, 7); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A title is the student's, and where that fails the model's name.
func TestTitles(t *testing.T) {
	o := Options{Samples: 50, Neighbours: 3, MinSize: 3, Weak: 10, Forest: 10, Resolution: 10}
	s, err := loadSamples(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name  string
		title func(name string, f assess.FitPredict, ds *mlcore.Dataset, n int) string
		want  string
	}{
		{"none", nil, "3-Nearest Neighbours"},
		{"panics", func(string, assess.FitPredict, *mlcore.Dataset, int) string { panic("not implemented") }, "3-Nearest Neighbours"},
		{"own", func(name string, f assess.FitPredict, ds *mlcore.Dataset, n int) string {
			return fmt.Sprintf("%s: %d of %d", name, len(f(ds.Subset(firstRows(n)), ds.X)), n)
		}, "3-Nearest Neighbours: 178 of 50"},
	} {
		l := handout
		l.Title = tc.title
		figure, err := l.panel(l.parts(o, s)[0], o)
		if err != nil {
			t.Fatal(err)
		}
		if got := figure.(*plotx.Panel).Title.Text; got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// One failing function is exit status 1, after the figure has been written.
func TestExitStatus(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f.png")
	l := handout
	l.AdaBoostTrain = func(*mat.Dense, []int, int, lab3.AdaBoostOptions) ([]*lab3.Tree, []float64) { panic("oh") }
	l.Misclassification = func([]int, int, []float64) float64 { return 0 }
	var errs bytes.Buffer
	code := run(l, []string{"-r", "5", file}, &bytes.Buffer{}, &errs)
	if want := "week3: failed: Misclassification, AdaBoost (10 Stumps); the reasons are above\n"; code != 1 || errs.String() != want {
		t.Errorf("exit status %d, %q, want 1, %q", code, errs.String(), want)
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}

// Without a name the figure is the hand-out's week_3.pdf.
func TestDefaultFile(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("d.csv", []byte("X1,X2,Binary,Multi\n1,2,0,0\n2,1,1,1\n3,3,0,2\n4,1,1,0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	if code := run(handout, strings.Fields("-k 1 -m 1 -r 2 -d d.csv"), &bytes.Buffer{}, &errs); code != 0 {
		t.Fatal(errs.String())
	}
	if b, err := os.ReadFile("week_3.pdf"); err != nil || !bytes.HasPrefix(b, []byte("%PDF")) {
		t.Errorf("%.10q (%v)", b, err)
	}
}

// The library's models predict what the solutions do, but for the forest's draws, which
// are the same from the same source.
func TestLibrary(t *testing.T) {
	o := Options{Samples: 100, Neighbours: 5, MinSize: 3, Weak: 5, Forest: 7, Seed: 3}
	s, err := loadSamples(o)
	if err != nil {
		t.Fatal(err)
	}
	theirs := Library().parts(o, s)
	for i, p := range handout.parts(o, s) {
		ours, err := p.fit(p.samples.train, p.samples.all.X)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := theirs[i].fit(p.samples.train, p.samples.all.X); err != nil || !slices.Equal(got, ours) {
			t.Errorf("%s: %v, want %v (%v)", p.title, got, ours, err)
		}
	}
	large := lab3.AdaBoostOptions{MinSize: 45, MaxDepth: 2}
	ours, alphas := handout.AdaBoostTrain(s.binary.train.X, s.binary.train.Y, 3, large)
	trees, votes := Library().AdaBoostTrain(s.binary.train.X, s.binary.train.Y, 3, large)
	if fmt.Sprint(trees) != fmt.Sprint(ours) || !floats.EqualApprox(votes, alphas, 1e-9) {
		t.Errorf("%+v: %v %v, want %v %v", large, trees, votes, ours, alphas)
	}
	for _, w := range [][]float64{nil, {.1, .4, .5}} {
		y := []int{1, 0, 1}
		if got, want := Library().Misclassification(y, 1, w), solutions.Misclassification(y, 1, w); math.Abs(got-want) > 1e-15 {
			t.Errorf("weights %v: %v, want %v", w, got, want)
		}
	}
}
