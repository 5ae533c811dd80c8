package submission

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cellcode"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// Answers are what a student wrote into a notebook.
type Answers struct {
	// ByID is the source of the cell that answers an exercise, by the id of the solution's
	// cell. What nobody answers is not in it.
	ByID map[string]string
	// Extra are declarations of other cells, of names that the notebook does not have.
	Extra []string
	// Notes are what a grader should know, each a sentence.
	Notes []string
}

// A Course is a worked notebook by which what is handed in is read.
type Course struct {
	worked    *notebook.Notebook
	exercises []exercise.Exercise
	ids       map[string]bool // of its cells
	declared  map[string]bool // names
}

// NewCourse reads a worked notebook, whose exercises are given.
func NewCourse(worked *notebook.Notebook, exercises []exercise.Exercise) *Course {
	c := &Course{worked, exercises, map[string]bool{}, map[string]bool{}}
	for _, cell := range worked.Cells {
		c.ids[cell.ID] = true
		if cell.Type != "code" {
			continue
		}
		if names, err := cellcode.Split(cell.Source).Declares(); err == nil {
			for _, n := range names {
				c.declared[n.Name] = true
			}
		}
	}
	return c
}

// Shares is how much of the notebook is in what was handed in: cells with ids of its own,
// or answers to its exercises where ids were lost, as they are when cells are pasted.
func (c *Course) Shares(handed *notebook.Notebook) int {
	n := 0
	for _, cell := range handed.Cells {
		if cell.ID != "" && c.ids[cell.ID] {
			n++
		}
	}
	if n == 0 {
		n = len(c.Answers(handed).ByID)
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

// stub reports whether the cell is not filled in.
func (w written) stub() bool { return strings.Contains(w.Source, "nbkit.NotImplemented(") }

// Answers takes the answers from what was handed in. The answer to an exercise is the last
// cell that declares what it asks for and is no stub, as the last one counts in the
// kernel; else the cell with the solution's id, whatever it holds.
func (c *Course) Answers(handed *notebook.Notebook) Answers {
	var cells []written
	for _, cell := range handed.Cells {
		if cell.Type == "code" {
			w := written{Cell: cell}
			if names, err := cellcode.Split(cell.Source).Declares(); err == nil {
				for _, n := range names {
					w.names = append(w.names, n.Name)
				}
			}
			cells = append(cells, w)
		}
	}
	a := Answers{ByID: map[string]string{}}
	used := map[*notebook.Cell]bool{}
	for _, e := range c.exercises {
		id := c.worked.Cells[e.Solution].ID
		var chosen *written
		answers := 0
		for i := range cells {
			w := &cells[i]
			switch {
			case !w.declares(e.Names):
				if w.ID == id && chosen == nil {
					chosen = w
				}
				continue
			case !w.stub():
				answers++
				chosen = w
			case chosen == nil || chosen.stub() || !chosen.declares(e.Names):
				chosen = w
			}
		}
		if chosen == nil {
			a.Notes = append(a.Notes, fmt.Sprintf("The cell of exercise %d, %s, is not there.", e.Number, strings.Join(e.Names, ", ")))
			continue
		}
		if answers > 1 {
			a.Notes = append(a.Notes, fmt.Sprintf("Exercise %d, %s, is answered %d times; the last answer counts.", e.Number, strings.Join(e.Names, ", "), answers))
		}
		used[chosen.Cell] = true
		a.ByID[id] = chosen.Source
	}
	taken := map[string]bool{}
	for i := len(cells) - 1; i >= 0; i-- { // of two declarations the last counts
		w := cells[i]
		if used[w.Cell] || len(w.names) == 0 {
			continue
		}
		if text := c.additions(w.Source, taken); text != "" {
			a.Extra = append(a.Extra, text)
		}
	}
	slices.Reverse(a.Extra)
	return a
}

// additions are the declarations of a cell whose names neither the notebook nor a later
// cell has, with the cell's imports.
func (c *Course) additions(source string, taken map[string]bool) string {
	const header = "package main\n"
	text := header + cellcode.Split(source).Top + "\n"
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", text, parser.SkipObjectResolution)
	if err != nil {
		return ""
	}
	var imports, kept []string
	add := func(d ast.Decl) string {
		return text[files.Position(d.Pos()).Offset:files.Position(d.End()).Offset]
	}
	for _, d := range file.Decls {
		var names []string
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.Name == "init" && d.Recv == nil {
				continue
			}
			names = []string{cellcode.FuncName(d)}
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				imports = append(imports, add(d))
				continue
			}
			for _, id := range cellcode.Idents(d) {
				names = append(names, id.Name)
			}
		}
		if slices.ContainsFunc(names, func(n string) bool { return c.declared[n] || taken[n] }) {
			continue
		}
		for _, n := range names {
			if n != "_" {
				taken[n] = true
			}
		}
		kept = append(kept, add(d))
	}
	if len(kept) == 0 {
		return ""
	}
	return strings.Join(append(imports, kept...), "\n\n")
}
