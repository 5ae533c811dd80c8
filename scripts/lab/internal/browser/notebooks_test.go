package browser

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/notebooks/peers"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/waits"
)

var recordAnswers = flag.Bool("record", false, "ask Python what no answer was recorded for, and record it")

// recordedOf is the folder of what was recorded of a notebook; kind is "" for what students'
// copies ask, and "worked" for what the worked notebook alone asks.
func recordedOf(name, kind string) string {
	return filepath.Join(root, filepath.FromSlash(recordedIn), filepath.FromSlash(name), kind)
}

// answered answers questions to Python that no site has an answer to: by what was recorded in
// a folder, and if -record says so by Python, whose answer it records there.
func answered(t *testing.T, folder string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/ask" {
			next.ServeHTTP(w, r)
			return
		}
		var question struct{ Key, Script, Request string }
		if err := json.NewDecoder(r.Body).Decode(&question); err != nil || !regexp.MustCompile("^[0-9a-f]{64}$").MatchString(question.Key) {
			http.Error(w, "no question", http.StatusBadRequest)
			return
		}
		file := filepath.Join(folder, question.Key+".txt")
		out, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) && !*recordAnswers {
			t.Errorf("a question to Python has no recorded answer (-record makes it): %.80q", question.Script)
			http.NotFound(w, r)
			return
		}
		if errors.Is(err, fs.ErrNotExist) {
			out, err = askPython(question.Script, question.Request)
			if err == nil {
				err = errors.Join(os.MkdirAll(folder, 0o755), atomicfile.Write(file, out))
			}
			t.Logf("an answer of %d bytes is recorded", len(out))
		}
		if err != nil {
			t.Error(err)
			http.Error(w, "no answer", http.StatusBadGateway)
			return
		}
		w.Write(out)
	})
}

func askPython(script, request string) ([]byte, error) {
	python, err := peers.Python()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(python, "-c", script)
	cmd.Stdin = strings.NewReader(request)
	return cmd.Output()
}

var whichNotebooks = flag.String("notebooks", "lab3/01_nearest_neighbours", "the notebooks that TestNotebook runs, by name or course, or all")

// others are cells whose outputs in a browser are others, with the reason.
var others = map[string]string{
	"00_go_notebooks#help":                  "the line begins with !, and a page has no commands to run",
	"co395/08c_densities#bandwidths-figure": exponential + ", which moves a point of a curve by less than a pixel",
}

const exponential = "math.Exp is assembly on amd64 and differs in the last bit from Go's own"

// A notebook runs whole in the page, with the outputs that the kernel gave: texts equal,
// figures byte for byte.
func TestNotebook(t *testing.T) {
	for _, nb := range resolved(t, *whichNotebooks) {
		worked, err := notebook.Read(nb.Path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(nb.Name(), func(t *testing.T) {
			runWhole(t, open(t, nb.Course, func(files http.Handler) http.Handler { return answered(t, recordedOf(nb.Name(), "worked"), files) }), nb.Name(), worked)
		})
	}
}

// resolved are notebooks by their names, or all.
func resolved(t *testing.T, names string) []project.Notebook {
	t.Helper()
	list := strings.Fields(names)
	if slices.Equal(list, []string{"all"}) {
		list = nil
	}
	nbs, err := project.Project{Root: root}.Resolve(list)
	if err != nil {
		t.Fatal(err)
	}
	return nbs
}

func runWhole(t *testing.T, p *tab, name string, worked *notebook.Notebook) {
	cells := cellsOf(worked)
	built := call[buildResult](p, "build", cells)
	if !built.OK || len(built.Omitted) > 0 {
		t.Fatalf("it was built with problems %v, left out were %v", built.Problems, built.Omitted)
	}
	t.Logf("built in %.1f s: %v", built.MS/1000, built.Times)
	fresh := &notebook.Notebook{}
	equal, figures := 0, 0
	for _, c := range worked.Cells {
		f := *c
		fresh.Cells = append(fresh.Cells, &f)
		if c.Type != "code" {
			continue
		}
		r := call[runResult](p, "run", c.ID, map[string]any{"seconds": waits.Long.Seconds()})
		if c.HasTag(notebook.TagRaises) {
			if r.Ended == "done" || r.Sentence == "" {
				t.Errorf("cell %s is meant to fail; it ended as %s, %q", c.ID, r.Ended, r.Sentence)
			}
			t.Logf("cell %s: %s, %s, at %v", c.ID, r.Ended, r.Sentence, r.At)
			continue
		}
		f.Outputs = outputsOf(r)
		if r.Ended != "done" {
			t.Errorf("cell %s ended as %s at %v: %s", c.ID, r.Ended, r.At, r.Sentence)
		}
		if points, graded := c.Points(); graded && (len(r.Scores) != 1 || r.Scores[0].Passed != r.Scores[0].Of || r.Scores[0].Of == 0) {
			t.Errorf("cell %s, %d points: the solution scores %v", c.ID, points, r.Scores)
		}
		if c.HasTag(notebook.TagVolatile) {
			continue
		}
		same, all := sameFigures(c.Outputs, f.Outputs)
		if figures += same; same != all && others[name+"#"+c.ID] == "" {
			t.Errorf("cell %s: %d of %d figures are the same bytes", c.ID, same, all)
		}
		equal++
	}
	for _, problem := range notebook.Compare(worked, fresh) {
		if reason := others[name+"#"+problem.ID]; reason != "" {
			t.Logf("%v: %s", problem, reason)
		} else if !worked.Cells[problem.Cell].HasTag(notebook.TagRaises) {
			t.Error(problem)
		}
	}
	t.Logf("%d cells were compared, %d figures", equal, figures)
	if equal == 0 {
		t.Error("no cell was compared")
	}
}

// In a page, the driver of lab 3 tests and draws what a student writes into the copy of its
// notebook. Here one function is right, one is wrong, one panics, and the others are missing,
// as are the exercises. The oracle is what the hand-out's script prints of such functions.
func TestTheHandOutsDriver(t *testing.T) {
	nb := resolved(t, "lab3/07_hand_out")[0]
	worked, err := notebook.Read(nb.Path)
	if err != nil {
		t.Fatal(err)
	}
	cells := cellsOf(exercise.Copy(nb.Name(), worked, exercise.Links{HasCopy: func(string) bool { return true }}))
	for function, body := range map[string]string{
		"NearestNeighboursPredict": "n, _ := testX.Dims()\n\treturn make([]int, n)",
		"Misclassification":        "return 1",
		"RandomForestTrain":        "return make([]*lab3.Tree, k)",
		"RandomForestPredict":      "return []int{forest[0].Class}",
	} {
		found := false
		for i, c := range cells {
			if before, after, ok := strings.Cut(c.Source, "func "+function+"("); ok {
				found = true
				cells[i].Source = before + "func " + function + "(" + strings.Replace(after, `panic("not implemented")`, body, 1)
			}
		}
		if !found {
			t.Fatalf("the copy has no place for %s", function)
		}
	}
	p := open(t, nb.Course, nil)
	if built := call[buildResult](p, "build", cells); !built.OK {
		t.Fatal(built.Problems)
	}
	r := call[runResult](p, "run", "yours-draw", map[string]any{"seconds": waits.Long.Seconds()})
	if r.Ended != "done" {
		t.Errorf("it ended as %s: %s", r.Ended, r.Sentence)
	}
	for _, want := range []string{
		"loading data from week_3_data.csv: 50 samples, seed 0\n", "Q1: plotted 3-Nearest Neighbours\n", " all right: 1 - wrong, should be 0\n",
		"Q2: DecisionTreeTrain, or a function that it calls, is not implemented yet\n", "Q3: RandomForestPredict: panic: runtime error: ",
		"Q4: AdaBoostTrain, or a function that it calls, is not implemented yet\n",
	} {
		if !strings.Contains(r.text(1), want) {
			t.Errorf("%q is not there:\n%s", want, r.text(1))
		}
	}
	if _, figures := sameFigures(outputsOf(r), nil); figures != 1 {
		t.Errorf("%d figures, want 1", figures)
	}
	if r := call[runResult](p, "run", "usage"); !strings.Contains(r.text(1), "--resolution") {
		t.Errorf("the help is %q", r.text(1))
	}
}

// What a site has of recorded answers is what the students' copy asks for, with its exercises
// undone: an answer that comes to be asked for by a solution might give its result away.
func TestRecordedAnswers(t *testing.T) {
	for _, nb := range resolved(t, *whichCopies) {
		t.Run(nb.Name(), func(t *testing.T) {
			worked, err := notebook.Read(nb.Path)
			if err != nil {
				t.Fatal(err)
			}
			copied := exercise.Copy(nb.Name(), worked, exercise.Links{HasCopy: func(string) bool { return true }})
			p := open(t, nb.Course, func(files http.Handler) http.Handler { return answered(t, recordedOf(nb.Name(), ""), files) })
			if built := call[buildResult](p, "build", cellsOf(copied)); !built.OK {
				t.Fatal(built.Problems)
			}
			asked := map[string]bool{}
			for _, c := range cellsOf(copied) {
				r := call[struct{ Recorded []string }](p, "run", c.ID, map[string]any{"seconds": waits.Long.Seconds()})
				for _, key := range r.Recorded {
					asked[key] = true
				}
			}
			given := answersIn(t, recordedOf(nb.Name(), ""))
			if len(given) == 0 {
				t.Error("no answer is recorded")
			}
			for key, text := range given {
				if !asked[key] {
					t.Errorf("%s is not asked for by the students' copy, so no site may have it; it belongs into folder worked: %.80q", key, text)
				}
			}
			t.Logf("%d answers are given out, and %d are not", len(given), len(answersIn(t, recordedOf(nb.Name(), "worked"))))
		})
	}
}

var whichCopies = flag.String("copies", "lab3/06_scikit_learn", "the notebooks with Python peers whose students' copies TestRecordedAnswers runs, by name")

// answersIn are the recorded answers in a folder, by key.
func answersIn(t *testing.T, folder string) map[string]string {
	t.Helper()
	answers := map[string]string{}
	files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		answers[strings.TrimSuffix(filepath.Base(file), ".txt")] = string(text)
	}
	return answers
}

// outputsOf are the outputs of a run as a notebook has them.
func outputsOf(r runResult) []*notebook.Output {
	var list []*notebook.Output
	for _, o := range r.Outputs {
		if o.Bundle == nil {
			list = append(list, &notebook.Output{Type: "stream", Name: []string{1: "stdout", 2: "stderr"}[o.FD], Text: o.Text})
			continue
		}
		list = append(list, &notebook.Output{Type: "display_data", Data: o.Bundle.Data, Metadata: o.Bundle.Metadata})
	}
	return list
}

// sameFigures counts the pictures that are the same bytes.
func sameFigures(a, b []*notebook.Output) (same, all int) {
	for i, o := range a {
		text, isFigure := o.Data["image/png"].(string)
		if !isFigure {
			continue
		}
		all++
		if i >= len(b) {
			continue
		}
		other, _ := b[i].Data["image/png"].(string)
		x, err1 := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
		y, err2 := base64.StdEncoding.DecodeString(other)
		if err1 == nil && err2 == nil && bytes.Equal(x, y) {
			same++
		}
	}
	return same, all
}

// With stubs every check is shown and gives nothing; what is not a check and needs an
// exercise says so and ends well. With a solution in its place the check gives full marks.
func TestExercises(t *testing.T) {
	const name = "lab3/01_nearest_neighbours"
	worked, err := notebook.Read(filepath.Join(root, "notebooks", name+".ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	exercises, _ := exercise.Find(worked)
	copied := exercise.Copy(name, worked, exercise.Links{HasCopy: func(string) bool { return false }})
	p := open(t, "lab3", nil)
	for _, c := range []struct{ text, want string }{{"mat.", "NewDense"}, {"nbkit.", "Check"}, {"m := mat.NewDense(2, 2, nil)\nm.", "At"}} {
		type completed struct{ Options []struct{ Label string } }
		if got := call[completed](p, "complete", c.text); !slices.ContainsFunc(got.Options, func(o struct{ Label string }) bool { return o.Label == c.want }) {
			t.Errorf("before anything is loaded, %q is completed by %v, without %s", c.text, got, c.want)
		}
	}
	cells := cellsOf(copied)
	if built := call[buildResult](p, "build", cells); !built.OK {
		t.Fatal(built.Problems)
	}
	for _, e := range exercises {
		r := call[runResult](p, "run", copied.Cells[e.Graded].ID, nil)
		if r.Ended != "done" || len(r.Scores) > 1 || len(r.Scores) == 1 && r.Scores[0].Passed > 0 || len(r.Outputs) == 0 {
			t.Errorf("exercise %d with a stub: %s %q, %v", e.Number, r.Ended, r.Sentence, r.Scores)
		}
	}
	first := exercises[0]
	for i := range cells {
		if cells[i].ID == copied.Cells[first.Solution].ID {
			cells[i].Source = worked.Cells[first.Solution].Source
		}
	}
	if built := call[buildResult](p, "build", cells); !built.OK {
		t.Fatal(built.Problems)
	}
	r := call[runResult](p, "run", copied.Cells[first.Graded].ID, nil)
	if r.Ended != "done" || len(r.Scores) != 1 || r.Scores[0].Passed != r.Scores[0].Of || r.Scores[0].Of == 0 {
		t.Errorf("exercise 1 with its solution: %s %q, %v", r.Ended, r.Sentence, r.Scores)
	}
}
