//go:build !handout && !light

package command

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/mistakes"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

var (
	manyStudents = flag.Int("students", 6, "how many students TestLargeClass grades")
	onlyMake     = flag.Bool("make", false, "TestLargeClass only writes what is handed in, to the folder of -class, for instance for a cluster to grade")
)

// handInDrawn writes what a class hands in, a folder for each student. Every answer is
// drawn: right ones, known mistakes and stubs, from the catalogue, and of every fiftieth
// student an answer that never ends. It returns the points of each exercise, "less" for
// fewer than all.
func handInDrawn(t *testing.T, dir string, students int) (want map[string][]string, exercises []exercise.Exercise) {
	t.Helper()
	const name, path = "lab3/02_decision_trees", "../../../../notebooks/lab3/02_decision_trees.ipynb"
	worked, err := notebook.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	exercises, problems := exercise.Find(worked)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	catalogue, err := mistakes.Read(mistakes.Path(path))
	if err != nil {
		t.Fatal(err)
	}
	want = make(map[string][]string, students)
	for s := range students {
		rng := mlcore.NewRand(1, uint64(s))
		copied := exercise.Copy(name, worked, exercise.Links{HasCopy: func(string) bool { return true }})
		endless := -1
		if s%50 == 49 { // none of a small class, because one takes as long as all others together
			endless = rng.IntN(len(exercises))
		}
		var marks []string
		for i, x := range exercises {
			solution, mark := worked.Cells[x.Solution].Source, fmt.Sprint(x.Points)
			bodies := catalogue.Of(x.Number)
			switch draw := rng.IntN(20); {
			case i == endless:
				solution, mark = strings.Replace(solution, "// BEGIN SOLUTION\n", "for {\n}\n", 1), "0"
			case draw < 8: // the worked answer
			case draw < 17:
				b := bodies[rng.IntN(len(bodies))]
				if solution, err = b.Answer(worked.Cells[x.Solution].Source); err != nil {
					t.Fatal(err)
				}
				if !b.Right {
					mark = "less"
				}
			default:
				solution, mark = copied.Cells[x.Solution].Source, "0"
			}
			copied.Cells[x.Solution].Source = solution
			marks = append(marks, mark)
		}
		data, err := copied.Encode()
		if err != nil {
			t.Fatal(err)
		}
		student := fmt.Sprintf("student %04d", s)
		want[student] = marks
		if err := os.MkdirAll(filepath.Join(dir, student), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, student, "02.ipynb"), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return want, exercises
}

// Oracle: the catalogue, which says of each answer whether it is right. Several shards,
// merged, are the same as one run.
func TestLargeClass(t *testing.T) {
	if testing.Short() {
		t.Skip("grades a class")
	}
	if !*onlyMake {
		needsSandbox(t)
	}
	dir, results := cmp.Or(*classDir, t.TempDir()), t.TempDir()
	want, exercises := handInDrawn(t, dir, *manyStudents)
	if *onlyMake {
		return
	}

	whole := filepath.Join(results, "whole.json")
	code, said := gradeInto(t, dir, "--out", whole)
	if code != OK {
		t.Fatalf("exit code %d:\n%s", code, said)
	}
	t.Log(said)
	book := readBook(t, whole)
	if len(book.Students) != len(want) {
		t.Errorf("%d students were graded, want %d", len(book.Students), len(want))
	}
	for _, s := range book.Students {
		marks := s.Notebooks[0].Marks
		for i, mark := range want[s.Name] {
			full := fmt.Sprint(exercises[i].Points)
			if got := fmt.Sprint(marks[i].Points); got != mark && !(mark == "less" && got != full) {
				t.Errorf("%s, exercise %d: %s of %s points, want %s (%s)", s.Name, i+1, got, full, mark, marks[i].Why)
			}
		}
	}

	var parts []string
	for _, shard := range []string{"1/2", "2/2"} {
		part := filepath.Join(results, "part"+shard[:1]+".json")
		if err := os.Link(whole+".journal", part+".journal"); err != nil {
			t.Fatal(err)
		}
		if code, said := gradeInto(t, dir, "--out", part, "--shard", shard); code != OK {
			t.Fatalf("exit code %d:\n%s", code, said)
		}
		parts = append(parts, part)
	}
	merged := filepath.Join(results, "merged.json")
	if code, said := gradeInto(t, append(parts, "--merge", "--out", merged)...); code != OK {
		t.Fatalf("exit code %d:\n%s", code, said)
	}
	one, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	if both, err := os.ReadFile(merged); err != nil || string(both) != string(one) {
		t.Errorf("merged shards differ from one run (%v)", err)
	}
}
