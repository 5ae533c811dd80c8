package cell

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// Blind is the source of a cell with a check whose cases say what to call and nothing else:
// names, expected values, tolerances, hints and comments are gone, and the variables that were
// made for these. A program of it answers, and cannot know what is right.
//
// Each case has to be a call of nbkit.Call in the call of nbkit.Check.
func Blind(source string) (string, error) {
	c := Split(source)
	b := readBody(c.Main)
	if !c.HasMain || b == nil {
		return "", errors.New("the check has no body that can be read")
	}
	if strings.Contains(c.Top, "nbkit.Call(") || strings.Contains(c.Top, "nbkit.Case") {
		return "", errors.New("cases are made outside of nbkit.Check, so that what they expect cannot be kept from the answers; write nbkit.Call where it is checked")
	}
	var cuts []cut
	for _, group := range b.file.Comments {
		cuts = append(cuts, cut{group.Pos(), group.End(), ""})
	}
	checks := 0
	var wrong error
	ast.Inspect(b.file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !ofNbkit(call, "Check") {
			return true
		}
		checks++
		for i, arg := range call.Args {
			if i == 0 {
				cuts = append(cuts, cut{arg.Pos(), arg.End(), `""`})
				continue
			}
			of, err := blindCase(arg)
			if err != nil || call.Ellipsis.IsValid() {
				wrong = fmt.Errorf("line %d: a case that is no nbkit.Call(name, expected, function, ...) in the call of nbkit.Check: what it expects cannot be kept from the answers", c.MainLine+b.line(arg.Pos())+1)
				return false
			}
			cuts = append(cuts, of...)
		}
		return false
	})
	switch {
	case wrong != nil:
		return "", wrong
	case checks == 0:
		return "", errors.New("nothing calls nbkit.Check")
	}
	lines := strings.Split(source, "\n")
	return DropUnused(strings.Join(lines[:c.MainLine], "\n") + "\n" + b.cut(cuts)), nil
}

// blindCase is what has to go from a case.
func blindCase(arg ast.Expr) ([]cut, error) {
	outer := arg
	for {
		call, ok := arg.(*ast.CallExpr)
		if !ok {
			return nil, errors.New("no call")
		}
		if ofNbkit(call, "Call") && len(call.Args) > 2 {
			return []cut{{call.Args[0].Pos(), call.Args[0].End(), `""`}, {call.Args[1].Pos(), call.Args[1].End(), `""`}, {call.End(), outer.End(), ""}}, nil
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "WithHint" && sel.Sel.Name != "Within" {
			return nil, errors.New("another call")
		}
		arg = sel.X
	}
}

// ofNbkit says whether a call is one of that function of package nbkit.
func ofNbkit(call *ast.CallExpr, name string) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	return ok && id.Name == "nbkit"
}

// A cut is a piece of a body, and what stands in its place.
type cut struct {
	from, to token.Pos
	instead  string
}

// cut is the body without the pieces.
func (b *body) cut(cuts []cut) string {
	slices.SortFunc(cuts, func(x, y cut) int { return int(x.from - y.from) })
	var text strings.Builder
	at := len(bodyHeader)
	for _, c := range cuts {
		from, to := b.set.Position(c.from).Offset, b.set.Position(c.to).Offset
		if from < at { // a comment inside of what is gone
			continue
		}
		text.WriteString(b.source[at:from] + c.instead)
		at = to
	}
	return text.String() + strings.TrimSuffix(b.source[at:], "\n}\n")
}
