package mistakes

import (
	"errors"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"
)

// A Catalogue is the known answers to the exercises of a notebook.
type Catalogue struct {
	file   string
	bodies []Body
}

// A Body is one answer to one exercise.
type Body struct {
	Exercise int    // its number, from 1
	Name     string // "off-by-one"
	Right    bool
	// Source is declarations as a cell has them: the functions of the exercise and what
	// they need.
	Source string
	// CaughtBy is the name of the visible case that a wrong body fails, and Says the
	// sentences that tell a student what was done: "This is what one gets when ...".
	CaughtBy, Says string
}

// part is the name of the body's file in the archive.
func (b Body) part() string {
	kind := "wrong"
	if b.Right {
		kind = "right"
	}
	return fmt.Sprintf("%d/%s/%s.go", b.Exercise, kind, b.Name)
}

// Path is where the catalogue of a notebook is, by the notebook's own path.
func Path(notebook string) string {
	dir, name := filepath.Split(notebook)
	return filepath.Join(dir, "mistakes", strings.TrimSuffix(name, ".ipynb")+".txtar")
}

// Read reads a catalogue. Where there is none, the error is fs.ErrNotExist; other errors
// name the file, the part and the line in it, from 1.
func Read(path string) (*Catalogue, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parse(filepath.Base(path), data)
}

// Of returns the bodies of an exercise, by its number, in the order of the file.
func (c *Catalogue) Of(exercise int) []Body {
	var of []Body
	for _, b := range c.bodies {
		if b.Exercise == exercise {
			of = append(of, b)
		}
	}
	return of
}

var partName = regexp.MustCompile(`^([1-9]\d?)/(right|wrong)/([a-z0-9]+(?:-[a-z0-9]+)*)\.go$`)

func parse(file string, data []byte) (*Catalogue, error) {
	c := &Catalogue{file: file}
	var errs []error
	seen := map[string]bool{}
	for _, f := range txtar.Parse(data).Files {
		m := partName.FindStringSubmatch(f.Name)
		switch {
		case m == nil:
			errs = append(errs, fmt.Errorf("%s: a part is called %q; call it like 3/right/outer-loop.go or 3/wrong/off-by-one.go", file, f.Name))
			continue
		case seen[f.Name]:
			errs = append(errs, fmt.Errorf("%s: there are two parts %s", file, f.Name))
			continue
		}
		seen[f.Name] = true
		b := Body{Name: m[3], Right: m[2] == "right", Source: string(f.Data)}
		b.Exercise, _ = strconv.Atoi(m[1])
		if line, err := b.read(); err != nil {
			errs = append(errs, fmt.Errorf("%s: %s, line %d: %w", file, f.Name, line, err))
			continue
		}
		c.bodies = append(c.bodies, b)
	}
	if len(c.bodies) == 0 && len(errs) == 0 {
		errs = append(errs, fmt.Errorf("%s: holds no answer; a part begins with a line -- 1/wrong/off-by-one.go --", file))
	}
	return c, errors.Join(errs...)
}

const (
	caughtBy = "Caught by: "
	saysWhat = "This is what one gets when "
)

// read takes the comment of a body, and looks whether the rest is Go. The line is that of
// an error.
func (b *Body) read() (line int, err error) {
	lines := strings.Split(b.Source, "\n")
	n := slices.IndexFunc(lines, func(s string) bool { return !strings.HasPrefix(s, "//") })
	if !b.Right {
		if n < 1 || !strings.HasPrefix(lines[0], "// "+caughtBy) {
			return 1, fmt.Errorf("a wrong answer begins with // %sNAME OF A VISIBLE CASE", caughtBy)
		}
		b.CaughtBy = strings.TrimSpace(strings.TrimPrefix(lines[0], "// "+caughtBy))
		var words []string
		for _, s := range lines[1:n] {
			words = append(words, strings.Fields(strings.TrimPrefix(s, "//"))...)
		}
		b.Says = strings.Join(words, " ")
		if !strings.HasPrefix(b.Says, saysWhat) || !strings.HasSuffix(b.Says, ".") {
			return 2, fmt.Errorf("after the case comes what grading says, whole sentences that begin with %q", saysWhat+"...")
		}
		// The comment stays as empty lines, so that lines keep their numbers.
		b.Source = strings.Repeat("\n", n) + strings.Join(lines[n:], "\n")
	}
	_, err = parser.ParseFile(token.NewFileSet(), "", header+b.Source, parser.SkipObjectResolution)
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return list[0].Pos.Line - 1, fmt.Errorf("%s", list[0].Msg)
	}
	return 1, err
}

// header makes a file of a cell's declarations.
const header = "package main\n"
