package notebook

import (
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// A Trap is code that spoils a run without an error.
type Trap struct {
	Kind string // "exit", "input" or "import"
	Name string // what the code calls, such as os.Exit
}

func (t Trap) String() string {
	switch t.Kind {
	case "import":
		return t.Name + " hides calls that end a cell's program or wait for input; import the package under its own name"
	case "exit":
		return t.Name + " ends the cell's program, and what follows is left out without an error; return, or panic"
	}
	return t.Name + " waits for input, and nobody can give any; put the value into a variable"
}

var (
	exits     = []string{"os.Exit", "syscall.Exit"}
	hiding    = []string{`"os"`, `"syscall"`, `"fmt"`} // packages with such functions
	inputs    = []string{"os.Stdin", "fmt.Scan", "fmt.Scanf", "fmt.Scanln"}
	askInputs = regexp.MustCompile(`(?m)^%with_(?:inputs|password)\b`)
)

// Trap finds a trap in a code cell, or returns nil. It reads the code, not what
// the code calls: an exit in a package is not found.
func (c *Cell) Trap() *Trap {
	if c.Type != "code" {
		return nil
	}
	if m := askInputs.FindString(c.Source); m != "" {
		return &Trap{"input", m}
	}
	lines := strings.Split(c.Source, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!") {
			lines[i] = ""
		}
	}
	source := []byte(strings.Join(lines, "\n"))
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", files.Base(), len(source)), source, func(token.Position, string) {}, 0)
	var name []string // the identifiers and dots just read
	importing := false
	for {
		_, tok, text := s.Scan()
		switch tok {
		case token.EOF:
			return nil
		case token.IMPORT:
			importing, name = true, nil
			continue
		case token.FUNC, token.VAR, token.CONST, token.TYPE:
			importing = false
		case token.STRING:
			if importing && len(name) > 0 && slices.Contains(hiding, text) {
				if as := name[len(name)-1]; as != "_" && as != strings.Trim(text, `"`) {
					return &Trap{"import", "import " + as + " " + text}
				}
			}
		case token.IDENT:
			name = append(name, text)
		case token.PERIOD:
			name = append(name, ".")
			continue
		default:
			name = nil
			continue
		}
		if n := len(name); n == 3 {
			switch call := strings.Join(name, ""); {
			case slices.Contains(exits, call):
				return &Trap{"exit", call}
			case slices.Contains(inputs, call):
				return &Trap{"input", call}
			}
		} else if n > 1 && name[n-2] != "." {
			name = name[n-1:]
		}
	}
}
