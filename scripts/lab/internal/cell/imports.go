package cell

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// standard are packages that cells use without importing them; the kernel's goimports
// adds them. It finds those of the standard library, and in the same way gonum's, which
// the notebooks' module requires: an answer that calls stat.Mean runs in JupyterLab
// whether or not the notebook imports stat.
var standard = func() map[string]string {
	m := map[string]string{}
	for _, p := range strings.Fields(`bufio bytes cmp container/heap container/list container/ring context crypto/sha256
		encoding/base64 encoding/binary encoding/csv encoding/gob encoding/hex encoding/json errors flag fmt hash/crc32
		hash/fnv html image image/color image/png io io/fs iter log maps math math/big math/bits math/cmplx net/url os
		os/exec path path/filepath reflect regexp runtime runtime/debug slices sort strconv strings sync sync/atomic testing
		text/tabwriter text/template time unicode unicode/utf8
		gonum.org/v1/gonum/floats gonum.org/v1/gonum/mat gonum.org/v1/gonum/stat`) {
		m[path.Base(p)] = p
	}
	return m
}()

// Standard are the packages that cells use without importing them.
func Standard() []string {
	return append(slices.Sorted(maps.Values(standard)), "math/rand", "math/rand/v2")
}

// newRand are names that math/rand/v2 has and math/rand has not.
var newRand = []string{"NewPCG", "PCG", "NewChaCha8", "ChaCha8", "N", "IntN", "Int32N", "Int64N", "UintN", "Uint32N", "Uint64N"}

var majorVersion = regexp.MustCompile(`^v\d+$`)

// neededImports are the imports that the code needs: of those that its cells have made,
// the ones that it uses, and standard packages, as goimports would add them for the
// kernel. declared are names that other files of the program declare.
func neededImports(specs []string, code string, declared map[string]bool) ([]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "main.go", header+code, 0)
	if err != nil {
		return nil, err
	}
	// What a name stands for that no declaration explains: a package, if something is
	// selected from it.
	unknown := map[*ast.Ident]bool{}
	for _, id := range file.Unresolved {
		unknown[id] = true
	}
	selected := map[string][]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && unknown[id] && !declared[id.Name] {
				selected[id.Name] = append(selected[id.Name], s.Sel.Name)
			}
		}
		return true
	})
	var needed []string
	for _, spec := range specs {
		name := packageName(spec)
		if _, used := selected[name]; used || name == "_" || name == "." {
			needed = append(needed, spec)
			delete(selected, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(selected)) {
		switch {
		case name == "rand" && slices.ContainsFunc(selected[name], func(s string) bool { return slices.Contains(newRand, s) }):
			needed = append(needed, `"math/rand/v2"`)
		case name == "rand":
			needed = append(needed, `"math/rand"`)
		case standard[name] != "":
			needed = append(needed, `"`+standard[name]+`"`)
		}
		// What is left, the compiler will name.
	}
	return needed, nil
}
