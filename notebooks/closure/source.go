package closure

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/build/constraint"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A source is a package of the checkout, read.
type source struct {
	hash    string
	imports []string
	words   map[string]bool // the values of its strings, and its identifiers
}

// readSource reads the package in a folder: its Go files without comments and tests, every
// other file that a build may take from the folder, and what it embeds. Of the data package
// the embedded files are left out, because data count where they are named ([Tree.Data]).
func readSource(dir string, data bool) (*source, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	s := &source{words: map[string]bool{}}
	h := sha256.New()
	add := func(name, text string) { fmt.Fprintf(h, "%s %d\n%s\n", name, len(text), text) }
	var embedded []string
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || strings.HasSuffix(name, "_test.go") || !slices.Contains(compiled, filepath.Ext(name)) {
			continue
		}
		// A link counts as the file that it leads to; a pipe would never end.
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.Mode().IsRegular() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		if filepath.Ext(name) != ".go" {
			add(name, string(text))
			continue
		}
		f, err := readFile(filepath.Join(dir, name), text)
		if err != nil {
			return nil, err
		}
		if f.ignored {
			continue
		}
		add(name, f.text)
		s.imports = append(s.imports, f.imports...)
		embedded = append(embedded, f.embeds...)
		for _, w := range Words(string(text)) {
			s.words[w] = true
		}
	}
	slices.Sort(s.imports)
	s.imports = slices.Compact(s.imports)
	if !data {
		files, err := embeddedFiles(dir, embedded)
		if err != nil {
			return nil, err
		}
		for _, name := range files {
			text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
			if err != nil {
				return nil, err
			}
			add(name, string(text))
		}
	}
	s.hash = hex.EncodeToString(h.Sum(nil))
	return s, nil
}

// compiled are the endings of files from which the go command may build a package without C.
var compiled = []string{".go", ".s", ".h", ".syso"}

// A file is a Go file, read.
type file struct {
	text            string // its tokens, with the comments that Go's tools obey
	imports, embeds []string
	ignored         bool // no build takes it
}

func readFile(name string, text []byte) (*file, error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, name, text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	f := &file{}
	for _, spec := range parsed.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		f.imports = append(f.imports, path)
	}
	var b strings.Builder
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile(name, -1, len(text)), text, nil, scanner.ScanComments)
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			f.text = b.String()
			return f, nil
		case tok == token.COMMENT:
			if !isDirective(lit) {
				continue
			}
			if list, ok := strings.CutPrefix(lit, "//go:embed"); ok {
				f.embeds = append(f.embeds, patterns(list)...)
			}
			f.ignored = f.ignored || constraint.IsGoBuild(lit) && strings.TrimSpace(strings.TrimPrefix(lit, "//go:build")) == "ignore"
			lit += "\n"
		case tok == token.SEMICOLON: // also the one at the end of a line
			lit = ";"
		case lit == "":
			lit = tok.String()
		}
		b.WriteString(lit)
		b.WriteByte(' ')
	}
}

// Words returns the values of the strings in a piece of Go code, which need not be a file, and its
// identifiers.
func Words(code string) []string {
	var words []string
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(code)), []byte(code), nil, 0)
	for {
		switch _, tok, lit := s.Scan(); tok {
		case token.EOF:
			return words
		case token.IDENT:
			words = append(words, lit)
		case token.STRING:
			if value, err := strconv.Unquote(lit); err == nil {
				words = append(words, value)
			}
		}
	}
}

// isDirective reports whether Go's tools obey a comment: //go:build, //go:embed, //go:linkname
// and their like, and //line, by which messages name another place.
func isDirective(comment string) bool {
	return strings.HasPrefix(comment, "//go:") || strings.HasPrefix(comment, "//line ") || strings.HasPrefix(comment, "/*line ") ||
		strings.HasPrefix(comment, "//export ") || constraint.IsPlusBuild(comment)
}

// patterns splits the list of a directive, whose patterns may be quoted and then hold spaces.
func patterns(list string) []string {
	var all []string
	for list = strings.TrimSpace(list); list != ""; list = strings.TrimSpace(list) {
		word, err := strconv.QuotedPrefix(list)
		if err != nil {
			word = strings.Fields(list)[0]
		}
		list = list[len(word):]
		if value, err := strconv.Unquote(word); err == nil {
			word = value
		}
		all = append(all, word)
	}
	return all
}

// embeddedFiles lists the files that patterns of //go:embed stand for, relative to the folder.
func embeddedFiles(dir string, patterns []string) ([]string, error) {
	var names []string
	inside := os.DirFS(dir)
	for _, pattern := range patterns {
		pattern, all := strings.CutPrefix(pattern, "all:")
		found, err := fs.Glob(inside, pattern)
		if err != nil {
			return nil, fmt.Errorf("//go:embed %s: %w", pattern, err)
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("//go:embed %s: no file is called so", pattern)
		}
		for _, path := range found {
			err := fs.WalkDir(inside, path, func(name string, d fs.DirEntry, err error) error {
				switch hidden := strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_"); {
				case err != nil:
					return err
				case hidden && !all && name != path && d.IsDir():
					return fs.SkipDir
				case d.IsDir(), hidden && !all && name != path:
				default:
					names = append(names, name)
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}
