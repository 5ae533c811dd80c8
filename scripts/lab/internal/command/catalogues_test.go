//go:build !handout && !light

package command

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/grade"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/gradebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/mistakes"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// All of them take a quarter of an hour: go test ./scripts/lab/internal/command -run
// TestGradeCatalogues -timeout 2h -catalogues all
var catalogues = flag.String("catalogues", "lab3/02_decision_trees", "the notebooks whose known answers are graded, separated by commas")

// What the catalogue knows as right gets full marks from lab grade, and what it knows as a
// mistake gets less and is told which one it is.
func TestGradeCatalogues(t *testing.T) {
	needsSandbox(t)
	if testing.Short() {
		t.Skip("grades a class")
	}
	const notebooks = "../../../../notebooks"
	names := strings.Split(*catalogues, ",")
	if *catalogues == "all" {
		names = nil
		all, err := filepath.Glob(notebooks + "/*/mistakes/*.txtar")
		if err != nil || len(all) == 0 {
			t.Fatal(err, all)
		}
		for _, file := range all {
			names = append(names, filepath.Base(filepath.Dir(filepath.Dir(file)))+"/"+strings.TrimSuffix(filepath.Base(file), ".txtar"))
		}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			at := filepath.Join(notebooks, filepath.FromSlash(name)+".ipynb")
			worked, err := notebook.Read(at)
			if err != nil {
				t.Fatal(err)
			}
			catalogue, err := mistakes.Read(mistakes.Path(at))
			if err != nil {
				if errors.Is(err, fs.ErrNotExist) {
					t.Fatalf("%s has no catalogue", name)
				}
				t.Fatal(err)
			}
			exercises, problems := exercise.Find(worked)
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			// The student with number k hands in the k-th known answer to each exercise.
			dir, results := t.TempDir(), t.TempDir()
			known := map[string]map[int]mistakes.Body{}
			for k := 0; ; k++ {
				copied := exercise.Copy(name, worked, exercise.Links{HasCopy: func(string) bool { return true }})
				bodies := map[int]mistakes.Body{}
				for _, e := range exercises {
					if of := catalogue.Of(e.Number); k < len(of) {
						bodies[e.Number] = of[k]
						source, err := of[k].Answer(worked.Cells[e.Solution].Source)
						if err != nil {
							t.Fatal(err)
						}
						copied.Cells[e.Solution].Source = source
					} else {
						copied.Cells[e.Solution].Source = worked.Cells[e.Solution].Source
					}
				}
				if len(bodies) == 0 {
					break
				}
				student := fmt.Sprintf("s%02d", k)
				known[student] = bodies
				data, err := copied.Encode()
				if err == nil {
					err = os.Mkdir(filepath.Join(dir, student), 0o755)
				}
				if err == nil {
					err = os.WriteFile(filepath.Join(dir, student, path.Base(name)+".ipynb"), data, 0o644)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			out := filepath.Join(results, "grades.json")
			if code, said := gradeInto(t, dir, "--out", out, "--notebooks", name); code != OK {
				t.Fatalf("exit code %d:\n%s", code, said)
			}
			book := readBook(t, out)
			if len(book.Students) != len(known) {
				t.Fatalf("%d students were graded, want %d", len(book.Students), len(known))
			}
			for _, s := range book.Students {
				for _, m := range s.Notebooks[0].Marks {
					if b, ok := known[s.Name][m.Exercise]; ok {
						if !b.Right && m.Points == m.Of && m.With == grade.Own {
							// By the student's other answers, which may hide a mistake from a check:
							// lab exercises tries each with the worked ones.
							t.Logf("exercise %d, %s: not noticed beside %s's other answers", m.Exercise, b.Name, s.Name)
							continue
						}
						for _, wrong := range disagrees(b, m) {
							t.Errorf("exercise %d, %s: %s\n%v %q", m.Exercise, b.Name, wrong, m.Why, m.Errors)
						}
					}
				}
			}
		})
	}
}

// disagrees is how a mark is another one than an answer's that the catalogue knows.
func disagrees(b mistakes.Body, m gradebook.Question) (how []string) {
	switch {
	case b.Right && m.Points != m.Of:
		how = append(how, fmt.Sprintf("the answer is right and gets %v of %v points", m.Points, m.Of))
	case !b.Right && m.Points == m.Of:
		how = append(how, "the answer is wrong and gets all points")
	case !b.Right && !strings.Contains(m.Mistake, b.Says):
		how = append(how, fmt.Sprintf("the mistake is told as %q", m.Mistake))
	}
	return how
}
