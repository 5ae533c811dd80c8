package texmath

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/typst"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/typst/typsttest"
)

// compile sets formulas with Typst as one document in PDF/UA-1. Every message is an error.
func compile(t *testing.T, formulas map[string]string) {
	t.Helper()
	compiler := typsttest.Compiler(t)
	var src bytes.Buffer
	src.WriteString(`#set document(title: "Formulas")
#show math.equation: set text(font: "New Computer Modern Math")
`)
	for _, tex := range slices.Sorted(maps.Keys(formulas)) {
		fmt.Fprintf(&src, "#math.equation(block: true, alt: %s, $%s$)\n", Quote(tex), formulas[tex])
	}
	_, messages, err := compiler.Compile(t.Context(), map[string][]byte{"main.typ": src.Bytes()}, typst.Options{})
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

// Whatever is understood can be set: a single formula that cannot would cost the whole PDF.
func TestRandom(t *testing.T) {
	formulas := map[string]string{}
	random(10000, func(tex, src string) { formulas[tex] = src })
	r := rand.New(rand.NewPCG(3, 4))
	for range 1500 {
		tex := formula(r, 3)
		src, err := Typst(tex)
		if err != nil {
			t.Fatalf("%s: %v", tex, err)
		}
		formulas[tex] = src
	}
	compile(t, formulas)
}

// formula returns a random formula of LaTeX, with groups nested as deep as that.
func formula(r *rand.Rand, depth int) string {
	pick := func(m []string) string { return m[r.IntN(len(m))] }
	sub := func() string { return formula(r, depth-1) }
	var b strings.Builder
	for range r.IntN(4) {
		n := r.IntN(18)
		if depth == 0 {
			n = r.IntN(3)
		}
		switch n {
		case 0:
			b.WriteString(pick([]string{"x", "2", "3.5", "n", "A"}))
		case 1:
			b.WriteString(pick(slices.Sorted(maps.Keys(symbols))) + " ")
		case 2:
			b.WriteString("xy-")
		case 3:
			f := pick(slices.Sorted(maps.Keys(functions)))
			b.WriteString(f)
			for range functions[f].args {
				b.WriteString("{" + sub() + "}")
			}
		case 4:
			b.WriteString(pick(slices.Sorted(maps.Keys(fonts))) + "{" + sub() + "}")
		case 5:
			b.WriteString("{" + pick(slices.Concat(slices.Sorted(maps.Keys(fontSwitches)), slices.Sorted(maps.Keys(styles)))) + " " + sub() + "}")
		case 6:
			d := slices.Sorted(maps.Keys(delimiters))
			d = append(d, ".")
			b.WriteString(`\left` + pick(d) + " " + sub() + `\middle` + pick(d) + " " + sub() + `\right` + pick(d) + " ")
		case 7:
			name := pick(slices.Sorted(maps.Keys(environments)))
			columns := map[string]string{"array": "{l|cr}", "alignat": "{2}", "alignedat": "{2}"}[name]
			line := map[string]string{"array": `\hline `}[name]
			if name == "equation" {
				break
			}
			b.WriteString(`\begin{` + name + `}` + columns + sub() + "&" + sub() + `\\` + line + sub() + `\\ x\end{` + name + "}")
		case 8:
			b.WriteString("{" + sub() + "}^{" + sub() + "}_{" + sub() + "}")
		case 9:
			b.WriteString(pick(slices.Sorted(maps.Keys(texts))) + "{a b$" + sub() + "$}")
		case 10:
			b.WriteString(`\sum_{\substack{` + sub() + `\\` + sub() + ` x}}`)
		case 11:
			b.WriteString(pick([]string{`\overset`, `\underset`, `\stackrel`}) + "{" + sub() + "}{" + sub() + "}")
		case 12:
			b.WriteString(pick([]string{`\underbrace`, `\overbrace`}) + "{" + sub() + "}" + pick([]string{"_", "^"}) + "{" + sub() + "}")
		case 13:
			b.WriteString(pick([]string{`\xrightarrow`, `\xleftarrow`}) + pick([]string{"", "[]", "[x]"}) + "{" + sub() + "}")
		case 14:
			b.WriteString(pick([]string{`\operatorname`, `\operatorname*`, `\mathop`}) + "{" + sub() + `}\limits_{` + sub() + "}")
		case 15:
			b.WriteString(`\sqrt` + pick([]string{"", "[]", "[3]"}) + "{" + sub() + "}")
		case 16:
			b.WriteString(pick(slices.Sorted(maps.Keys(sizes))) + pick([]string{"", "l", "r", "m"}) + pick([]string{"(", "|", ".", "/", `\}`}) + " ")
		case 17:
			b.WriteString(pick(slices.Sorted(maps.Keys(accents))) + "{" + sub() + "}" + pick([]string{"'", "", "^2"}))
		}
	}
	return b.String() + "z"
}
