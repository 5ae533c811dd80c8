// Command compose is the part of the engine that knows what cells are: package cell in
// the browser. It gives the page's worker two functions and waits to be called: compose
// makes source files of cells, diagnose takes what the compiler says of these.
package main

import (
	"encoding/json"
	"slices"
	"strconv"
	"syscall/js"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
)

// An answer is what both functions return, as JSON.
type answer struct {
	Files    map[string]string  `json:"files"`
	Key      string             `json:"key"` // equal programs have equal keys
	Bodies   []int              `json:"bodies"`
	Own      []int              `json:"own"` // cells that run in programs of their own
	Omitted  map[string]omitted `json:"omitted"`
	Problems []problem          `json:"problems"`
	Rest     string             `json:"rest"` // what the compiler said of no cell
	Fewer    bool               `json:"fewer"`
}

// A problem counts lines and columns from 1, and cells from 0.
type problem struct {
	Cell   int    `json:"cell"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Text   string `json:"text"`
}

type omitted struct {
	Body  bool   `json:"body"`
	Needs string `json:"needs"`
	From  int    `json:"from"`
}

var page *cell.Page

func main() {
	js.Global().Set("mllabsCompose", js.ValueOf(map[string]any{
		"compose":  js.FuncOf(func(_ js.Value, args []js.Value) any { return compose(args[0].String(), args[1].Int()) }),
		"diagnose": js.FuncOf(func(_ js.Value, args []js.Value) any { return diagnose(args[0].String()) }),
	}))
	select {}
}

// compose takes the cells, as JSON, and the one that is to run in a program of its own; -1
// for none.
func compose(text string, own int) string {
	var cells []cell.PageCell
	if err := json.Unmarshal([]byte(text), &cells); err != nil {
		panic(err) // the worker wrote it
	}
	page = cell.NewPage(cells, own)
	return encode(answer{})
}

// diagnose takes the output of the compiler: the cells that it complains of are left out.
func diagnose(text string) string { return encode(answer{Fewer: page.Said([]byte(text))}) }

func encode(a answer) string {
	program := page.Program()
	a.Files, a.Key, a.Bodies, a.Own, a.Rest = program.Files(), program.Key(), page.Bodies(), page.Own(), page.Rest
	a.Omitted, a.Problems = map[string]omitted{}, []problem{}
	for cell, l := range page.Left() {
		a.Omitted[strconv.Itoa(cell)] = omitted{l.BodyOnly, l.Needs, l.From}
	}
	for _, e := range page.Errors {
		a.Problems = append(a.Problems, problem{e.Cell, e.Line + 1, e.Column, e.Text})
	}
	slices.SortStableFunc(a.Problems, func(x, y problem) int { return x.Cell - y.Cell })
	b, err := json.Marshal(a)
	if err != nil {
		panic(err)
	}
	return string(b)
}
