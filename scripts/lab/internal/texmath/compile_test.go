package texmath

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/typst"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/typst/typsttest"
)

// compile sets formulas with Typst as one document in PDF/UA-1. Every warning is an error.
func compile(t *testing.T, formulas map[string]string) {
	t.Helper()
	var src bytes.Buffer
	src.WriteString(`#set document(title: "Formulas")
#show math.equation: set text(font: "New Computer Modern Math")
`)
	for _, tex := range slices.Sorted(maps.Keys(formulas)) {
		fmt.Fprintf(&src, "#math.equation(block: true, alt: %s, $%s$)\n", Quote(tex), formulas[tex])
	}
	_, messages, err := typsttest.Compiler(t).Compile(t.Context(), map[string][]byte{"main.typ": src.Bytes()}, typst.Options{})
	if err != nil || messages != "" {
		t.Errorf("%v\n%.2000s", err, messages)
	}
}

// Typst knows every name in the tables and does not call it deprecated.
func TestNames(t *testing.T) {
	formulas := map[string]string{}
	add := func(tex string) {
		src, err := Typst(tex)
		if err != nil {
			t.Errorf("%s: %v", tex, err)
		}
		formulas[tex] = src
	}
	for c := range symbols {
		add("a" + c + " b")
		add(`\mathbf{` + c + ` }`)
	}
	for d := range delimiters {
		add(d + " x")
		add(`\left` + d + ` \frac12\middle` + d + ` x\right.`)
		for size := range sizes {
			add(size + "l" + d + ` x` + size + d)
		}
	}
	for c := range negated {
		add(`a\not` + c + " b")
	}
	for c := range accents {
		add(c + "{x}" + c + "{xy}" + c + " i")
	}
	for c, f := range functions {
		add(c + strings.Repeat("{x}", f.args))
	}
	for c := range fonts {
		add(c + "{AB}" + c + "{x1}" + c + " 1")
	}
	for c := range fontSwitches {
		add("{" + c + " AB 1 x}")
	}
	for c := range styles {
		add(c + ` \sum_i\frac12`)
	}
	for c := range texts {
		add("a" + c + "{ if $x$ }b")
	}
	for c := range classes {
		add("a" + c + "{x}b")
	}
	for name := range environments {
		columns := map[string]string{"array": "{l|c}", "alignat": "{2}", "alignedat": "{2}"}[name]
		if name == "equation" {
			add(`\begin{equation}\frac12\end{equation}`)
			continue
		}
		for _, rows := range []string{`x`, `a&b`, `a&\frac12\\c\\&d`} {
			add(`\begin{` + name + `}` + columns + rows + `\end{` + name + `}`)
		}
	}
	for _, tex := range []string{
		`x''^2_i`, `\sqrt[3]{x}`, `\cfrac{1}{1+\cfrac12}`, `\underbrace{x}_{y}\overbrace{x}^{y}\underbrace x`, `\overset{a}{=}\underset{a}{b}\stackrel{a}{=}`,
		`\xrightarrow[b]{a}\xleftarrow{}`, `\operatorname*{arg\,max}_x\operatorname{a-b}\mathop{x}`, `\sum_{\substack{i\\j}}`, `\sum\limits_i\sum\nolimits_i`, `\big/\Bigg/`,
		`\begin{array}{c|c|c}a\\\hline b\\\hline c\end{array}`, `%`, `{}`, `{}^2`, `\frac{}{}`, `\left.\right.`, `^{}_{}`, `'`, `\text{}`, `-`, `\,`,
		strings.Repeat(`\frac{1}{1+`, 39) + strings.Repeat("}", 39), strings.Repeat(`\left(`, 79) + strings.Repeat(`\right)`, 79), strings.Repeat(`x^{`, 39) + strings.Repeat("}", 39),
		strings.Repeat(`\begin{matrix}`, 70) + "a" + strings.Repeat(`\end{matrix}`, 70), strings.Repeat(`\hat`, 79) + " x", strings.Repeat("x+", 4000),
	} {
		add(tex)
	}
	compile(t, formulas)
}
