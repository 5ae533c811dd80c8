package submission

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// Answers are what a student wrote into a notebook.
type Answers struct {
	// ByID is the source of the cell that answers an exercise, by the id of the solution's
	// cell. What nobody answers is not in it.
	ByID map[string]string
	// Written counts the answers, written ones included, that are no stubs.
	Written int
	// Extra are declarations of other cells, of names that the notebook does not have.
	Extra []string
	// Texts are the written answers, by the id of the cell that has the worked one. What
	// nobody has written is not in it.
	Texts map[string]Text
	// Notes are what a grader should know, each a sentence.
	Notes []string
}

// A Course is a worked notebook by which what is handed in is read.
type Course struct {
	worked    *notebook.Notebook
	exercises []exercise.Exercise
	tasks     []exercise.Task
	ids       map[string]bool // of its cells
	given     map[string]bool // names that cells other than the answers declare
}

// NewCourse reads a worked notebook, whose exercises and tasks are given.
func NewCourse(worked *notebook.Notebook, exercises []exercise.Exercise, tasks []exercise.Task) *Course {
	c := &Course{worked, exercises, tasks, map[string]bool{}, map[string]bool{}}
	answers := map[int]bool{}
	for _, e := range exercises {
		answers[e.Solution] = true
	}
	for i, cell := range worked.Cells {
		c.ids[cell.ID] = true
		if cell.Type == "code" && !answers[i] {
			for _, n := range namesIn(cell.Source) {
				c.given[n] = true
			}
		}
	}
	return c
}

// Shares is how much of the notebook is in what was handed in: cells with ids of its own,
// of which other notebooks have some as well, and functions that its exercises ask for,
// which tell where ids were lost, as they are when cells are pasted.
func (c *Course) Shares(handed *notebook.Notebook) int {
	n := 0
	for _, cell := range handed.Cells {
		if cell.ID != "" && c.ids[cell.ID] {
			n++
		}
	}
	cells := codeOf(handed)
	for _, e := range c.exercises {
		if slices.ContainsFunc(cells, func(w written) bool { return w.declares(e.Names) }) {
			n++
		}
	}
	return n
}

// written is a code cell that was handed in.
type written struct {
	*notebook.Cell
	names []string
}

func (w written) declares(names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(w.names, n) })
}

// stub reports whether the cell is not filled in. A stub that was made a comment is gone.
func (w written) stub() bool {
	const call = "nbkit.NotImplemented("
	if !strings.Contains(w.Source, call) {
		return false
	}
	words, isGo := cell.Normal(w.Source)
	return !isGo || strings.Contains(strings.ReplaceAll(words, " ", ""), call)
}

// codeOf are the code cells of a notebook.
func codeOf(nb *notebook.Notebook) []written {
	var cells []written
	for _, cell := range nb.Cells {
		if cell.Type == "code" {
			cells = append(cells, written{cell, namesIn(cell.Source)})
		}
	}
	return cells
}

// namesIn are the names that a cell declares, none where it is not Go or longer than a
// cell may be: the parser needs a hundred times the memory of what it reads.
func namesIn(source string) []string {
	if len(source) > cell.MaxSource {
		return nil
	}
	declared, err := cell.Split(source).Declares()
	if err != nil {
		return nil
	}
	var names []string
	for _, n := range declared {
		names = append(names, n.Name)
	}
	return names
}

// Answers takes the answers from what was handed in. The answer to an exercise is the last
// cell that declares what it asks for and is no stub, as the last one counts in the
// kernel; else the cell with the solution's id, whatever it holds. What the exercise asks
// for and that cell lacks may stand in further ones.
func (c *Course) Answers(handed *notebook.Notebook) Answers {
	cells := codeOf(handed)
	a := Answers{ByID: map[string]string{}, Texts: c.texts(handed)}
	a.Written = len(a.Texts)
	used := map[*notebook.Cell]bool{}
	for _, e := range c.exercises {
		id := c.worked.Cells[e.Solution].ID
		var chosen *written
		times := map[string]int{} // that a function is written
		for i := range cells {
			w := &cells[i]
			switch {
			case !w.declares(e.Names):
				if w.ID == id && chosen == nil {
					chosen = w
				}
				continue
			case !w.stub():
				for _, n := range e.Names {
					if w.declares([]string{n}) {
						times[n]++
					}
				}
				chosen = w
			case chosen == nil || chosen.stub() || !chosen.declares(e.Names):
				chosen = w
			}
		}
		if chosen == nil {
			a.Notes = append(a.Notes, fmt.Sprintf("The cell of exercise %d, %s, is not there.", e.Number, strings.Join(e.Names, ", ")))
			continue
		}
		answers := 0
		for _, n := range times {
			answers = max(answers, n)
		}
		if answers > 1 {
			a.Notes = append(a.Notes, fmt.Sprintf("Exercise %d, %s, is answered %d times; the last answer counts.", e.Number, strings.Join(e.Names, ", "), answers))
		}
		used[chosen.Cell] = true
		a.ByID[id] = chosen.Source
		if !chosen.stub() {
			a.Written++
		}
	}
	taken := map[string]bool{}
	for _, w := range cells {
		if used[w.Cell] {
			for _, n := range w.names {
				taken[n] = true
			}
		}
	}
	for i := len(cells) - 1; i >= 0; i-- { // of two declarations the last counts
		w := cells[i]
		if used[w.Cell] || len(w.names) == 0 {
			continue
		}
		more := c.additions(w.Source, taken)
		slices.Reverse(more)
		a.Extra = append(a.Extra, more...)
	}
	slices.Reverse(a.Extra)
	return a
}

// additions are the declarations of a cell of which some name is neither given by the
// notebook nor taken by an answer or a later cell, each with the cell's imports. They stand
// apart, so that one that cannot be used leaves the others.
func (c *Course) additions(source string, taken map[string]bool) []string {
	const header = "package main\n"
	text := header + cell.Split(source).Top + "\n"
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	var imports, kept []string
	of := func(d ast.Decl) string {
		return text[files.PositionFor(d.Pos(), false).Offset:files.PositionFor(d.End(), false).Offset]
	}
	own := map[string]bool{}
	for _, d := range file.Decls {
		var names []string
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.Name == "init" && d.Recv == nil {
				continue
			}
			names = []string{cell.FuncName(d)}
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				imports = append(imports, of(d))
				continue
			}
			for _, id := range cell.Idents(d) {
				names = append(names, id.Name)
			}
		}
		isNew := func(n string) bool { return n == "_" || !c.given[n] && !taken[n] }
		if !slices.ContainsFunc(names, isNew) {
			continue
		}
		for _, n := range names {
			own[n] = n != "_"
		}
		kept = append(kept, of(d))
	}
	for n, named := range own {
		taken[n] = taken[n] || named
	}
	for i := range kept {
		kept[i] = strings.Join(append(slices.Clone(imports), kept[i]), "\n\n")
	}
	return kept
}
