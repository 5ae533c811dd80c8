package texmath

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// What is expected was compared, set by Typst, with MathJax's drawing of the same LaTeX.
func TestTypst(t *testing.T) {
	for _, test := range []struct{ tex, want string }{
		{`x`, `x`},
		{`2x`, `2 x`},
		{`3.14r`, `3.14 r`},
		{`-1`, `minus 1`},
		{`f(x)`, `f\(x\)`}, // no call, although the letters touch the parenthesis
		{`\alpha(x)`, `alpha\(x\)`},
		{`\sqrt{x}(y)`, `sqrt(x)\(y\)`},
		{`a/b`, `a\/b`}, // no fraction
		{`\frac12x`, `frac(1,2)x`},
		{`\dfrac{a,b}{c;d}`, `display(frac(a\,b,c\;d))`}, // no arguments of the call
		{`x^10`, `attach(x,t:1)0`},                       // as in TeX, one digit
		{`x^{10}_i`, `attach(x,t:10,b:i)`},
		{`x'`, `attach(x,tr:primes(#1))`},
		{`x''_i`, `attach(x,b:i,tr:primes(#2))`},
		{`x^{\prime}`, `attach(x,t:prime)`},
		{`{}_2F_1`, `attach("",b:2)attach(F,b:1)`},
		{`\hat y_i`, `attach(hat(y,size:#0pt),b:i)`},
		{`\widehat{xy}`, `hat(x y)`},
		{`3{,}200`, `3 class("normal",\,)200`},
		{`1{:}2`, `1 class("normal",colon)2`},
		{`a:b`, `a colon b`},
		{`|x|`, `class("normal",bar.v)x class("normal",bar.v)`},
		{`\lvert x\rvert`, `class("opening",bar.v)x class("closing",bar.v)`},
		{`\{x\}`, `\{x\}`},
		{`\left(x\right]`, `lr(\(x\])`},
		{`\left.x\right|_0`, `attach(lr(""x bar.v),b:0)`}, // the empty text keeps Typst from scaling x
		{`\left(x\middle|y\right)`, `lr(\(x class("normal",mid(bar.v))y\))`},
		{`\bigl(x\bigr)`, `class("opening",lr(size:#1.2em,\())x class("closing",lr(size:#1.2em,\)))`},
		{`\Big/`, `class("normal",stretch(\/,size:#1.8em))`},
		{`x\text{ if }y`, `x" if "y`}, // no space but that of the text
		{`\text{a\_b \& ~c -- ''}`, "\"a_b & \u00a0c – ”\""},
		{`\text{with $x_i$ in}`, `"with "inline(attach(x,b:i))" in"`},
		{`\text{a\textbf{b}}`, `"a"bold("b")`},
		{`a\textbf{ b}`, `a""bold(" b")`},
		{`\mathrm{MSE}_t`, `attach("MSE",b:t)`},
		{`\mathrm{d}x`, `upright(d)x`},
		{`\mathbf 12`, `bold(upright(1))2`},
		{`\mathbf{\Sigma}`, `bold(upright(Sigma))`},
		{`\mathbf{\sigma}`, `sigma`}, // TeX has no bold one
		{`\boldsymbol{\sigma}`, `bold(sigma)`},
		{`\mathcal{AB}`, `cal(A B)`},
		{`\mathbb E[X]`, `bb(E)\[X\]`},
		{`{\bf x}y`, `class("normal",bold(upright(x)))y`},
		{`\operatorname{log-loss}x`, `op("log-loss")x`},
		{`\operatorname*{arg\,max}_x`, `attach(op("arg"thin"max",limits:#true),b:x)`},
		{`\sum\limits_i\sum\nolimits_i`, `attach(limits(sum),b:i)attach(scripts(sum),b:i)`},
		{`\underbrace{x}_{y}z`, `underbrace(x,y)z`},
		{`\overset{!}{=}`, `attach(limits(eq),t:excl)`},
		{`\stackrel{d}{=}`, `class("relation",attach(limits(eq),t:d))`},
		{`\xrightarrow[b]{a}`, `class("relation",attach(limits(stretch(arrow.r,size:#(100%+1em))),t:a,b:b))`},
		{`a\not\in b`, `a in.not b`},
		{`\sqrt[3]{x}`, `root(3,x)`},
		{`\displaystyle\sum x`, `display(sum x)`},
		{`x{\textstyle y}z`, `x class("normal",inline(y))z`},
		// Space of TeX's that Typst leaves out: next to explicit space, and around dots.
		{`a\,=\,b`, `a thin thick eq thin thick b`},
		{`a\,-b`, `a thin med class("binary",minus)b`},
		{`a,\,-b`, `a\,thin thin minus b`},
		{`\,-b`, `thin minus b`},
		{`a\dots b`, `a thin dots.h thin b`},
		{`a,\dots,b`, `a\,thin dots.h thin\,b`},
		{`x_{a\dots b}`, `attach(x,b:a dots.h b)`}, // none in scripts
		{`a%b` + "\n" + `c`, `a c`},
		{`a\label{x}b\nonumber`, `a b`},
		{`\begin{cases}1&x\\-1\end{cases}`, `mat(delim:#("{",none),row-gap:#0.4em,column-gap:#1em,&inline(1),&inline(x);&inline(minus 1),&)`},
		{`\begin{pmatrix}1&\\[2pt]3&4\\\end{pmatrix}`, `mat(delim:"(",row-gap:#0.2em,column-gap:#1em,inline(1),"";inline(3),inline(4))`},
		{`\begin{array}{l|r}a&b\\\hline c&d\end{array}`, `mat(delim:#none,row-gap:#0.2em,column-gap:#1em,augment:#(hline:(1,),vline:(1,),stroke:0.04em),&inline(a),inline(b)&;&inline(c),inline(d)&)`},
		{`\begin{align*}a&=b\\&-c\end{align*}`, `mat(delim:#none,row-gap:#0.3em,display(a)&display(eq b);&display(class("binary",minus)c))`},
		{`\begin{aligned}a&=b&c&=d\end{aligned}`, `mat(delim:#none,row-gap:#0.3em,display(a)&display(eq b)#h(2em)&display(c)&display(eq d))`},
		{`\sum_{\substack{i\\j}}`, `attach(sum,b:mat(delim:#none,row-gap:#0.1em,script(i);script(j)))`},
	} {
		got, err := Typst(test.tex)
		if err != nil || got != test.want {
			t.Errorf("%s: %v\n got %s\nwant %s", test.tex, err, got, test.want)
		}
	}
}

func TestUnknown(t *testing.T) {
	for tex, want := range map[string]string{
		"":                                  `empty`,
		`\foo`:                              `\foo`,
		`\frac{1`:                           `ends before }`,
		`\frac1`:                            `argument`,
		`x}`:                                `} in the wrong place`,
		`a&b`:                               `& in the wrong place`,
		`a\\b`:                              `\\ in the wrong place`,
		`\newcommand{\R}{x}\R`:              `\newcommand`,
		`\def\R{x}`:                         `\def`,
		`\color{red}x`:                      `\color`,
		`x\tag{1}`:                          `\tag`,
		`x^2^3`:                             `two superscripts`,
		`x^2'`:                              `prime`,
		`x_2_3`:                             `two subscripts`,
		`x\limits_2`:                        `not an operator`,
		`\left(x`:                           `ends before \right`,
		`\left/x\right)`:                    `delimiter "/"`,
		`\text{a_b}`:                        `\_`,
		`\text{\foo}`:                       `\foo`,
		`\text{a`:                           `does not end`,
		`\begin{foo}\end{foo}`:              `foo`,
		`\begin{matrix}a\end{pmatrix}`:      `matrix`,
		`\begin{array}{p{2cm}}a\end{array}`: `name`,
		`\begin{array}{c}a&b\end{array}`:    `2 cells`,
		`\begin{matrix}` + strings.Repeat("&", 99) + strings.Repeat(`\\`, 99) + `x\end{matrix}`: `cells`,
		`\begin{matrix}\end{matrix}`:     `empty`,
		`é`:                              `é`,
		"\xff":                           `UTF-8`,
		`"`:                              `"`,
		`\`:                              `\`,
		strings.Repeat("{", 90):          `too deeply`,
		strings.Repeat(`\text{$`, 90):    `too deeply`,
		strings.Repeat(`\frac`, 90):      `too deeply`,
		strings.Repeat("x", maxLength+1): `longer`,
	} {
		if got, err := Typst(tex); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %q, %v; want an error with %q", tex, got, err, want)
		}
	}
}

// safe is all that may stand in a formula outside of literals, apart from names.
var (
	literal = regexp.MustCompile(`"(?:[^"\\\x00-\x1f\x7f-\x{9f}]|\\["\\nt])*"`)
	fixed   = regexp.MustCompile(`#(?:true|none|0pt|[0-9]+(?:\.[0-9]+)?em|[0-9]+|\(100%\+1em\)|\("\{",none\)|\(none,"\}"\)|h\((?:-1em/6|1em/3|0\.5em|2em)\)|\(hline:\((?:[0-9]+,)*\),vline:\((?:[0-9]+,)*\),stroke:0\.04em\))`)
	escape  = `\\[,;./()\[\]{}?@%#&$_]`
	whole   = regexp.MustCompile(literal.String() + "|" + fixed.String() + "|" + escape)
	plain   = regexp.MustCompile(`^(?:[0-9]+(?:\.[0-9]+)?|[(), :;&])*$`)
	name    = regexp.MustCompile(`[a-zA-Z]+(?:[.-][a-zA-Z]+)*`)
)

// known are the names of Typst in the tables, and those in the source.
var known = func() map[string]bool {
	m := map[string]bool{}
	add := func(s string) {
		for _, n := range name.FindAllString(whole.ReplaceAllString(s, " "), -1) {
			m[n] = true
		}
	}
	for _, a := range symbols {
		add(a.src)
	}
	for _, a := range delimiters {
		add(a.src)
	}
	for _, s := range negated {
		add(s)
	}
	for _, s := range accents {
		add(s)
	}
	for _, f := range functions {
		add(f.name + " " + strings.ReplaceAll(f.format, "%s", ""))
	}
	for _, f := range alphabets {
		add(strings.ReplaceAll(f.letter+" "+f.word, "%s", ""))
	}
	add("attach t b tr limits scripts primes class lr mid op stretch size sqrt root display inline script sscript frac underbrace overbrace mat delim row-gap column-gap augment thin med thick")
	return m
}()

// unsafe returns what must not stand in a formula.
func unsafe(src string) string {
	rest := whole.ReplaceAllString(src, " ")
	for _, n := range name.FindAllString(rest, -1) {
		if len(n) > 1 && !known[n] {
			return n
		}
	}
	if rest = name.ReplaceAllString(rest, ""); !plain.MatchString(rest) {
		return rest
	}
	return ""
}

// The oracle must itself find code.
func TestUnsafe(t *testing.T) {
	for _, src := range []string{`#read("x")`, `read("x")`, `x#y`, `a.b`, `"`, `"\u{23}"`, `\a`, `$`, `//`, `/* */`, `#(none,1)`, `@a`, `<a>`, `a_b`, `"a\`} {
		if unsafe(src) == "" {
			t.Errorf("%s passes", src)
		}
	}
}

// random calls do with formulas of random pieces that are understood.
func random(n int, do func(tex, src string)) {
	pieces := strings.Fields(`{ } { } { } [ ] ( ) ^ _ ' " # $ \\ \" \# \$ & , ; : / | * @ ~ % x y 1 2.5 read import eval #read("x") \u{23} é ∑ 漢 // /* */ <- => ... <lbl> \
		\begin{cases} \end{cases} \begin{pmatrix} \end{pmatrix} \begin{array}{c|c} \end{array} \begin{aligned} \end{aligned} \hline \left \right \middle \begin \end \foo \limits \nolimits \not \frac \sqrt \operatorname* \substack \xrightarrow \stackrel \mathop \big \Bigl \underbrace`)
	for c := range symbols {
		pieces = append(pieces, c)
	}
	for _, m := range []map[string]string{fonts, fontSwitches, texts, styles, accents} {
		for c := range m {
			pieces = append(pieces, c, c)
		}
	}
	slices.Sort(pieces) // the order of maps differs each time
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		var b strings.Builder
		for range 1 + r.IntN(9) {
			b.WriteString(pieces[r.IntN(len(pieces))])
			if r.IntN(3) > 0 {
				b.WriteByte(' ')
			}
		}
		if out, err := Typst(b.String()); err == nil {
			do(b.String(), out)
		}
	}
}

func TestSafe(t *testing.T) {
	understood := 0
	random(200000, func(tex, src string) {
		understood++
		if bad := unsafe(src); bad != "" {
			t.Fatalf("%q becomes %q, which has %q", tex, src, bad)
		}
	})
	if understood < 10000 {
		t.Errorf("only %d of 200000 formulas were understood", understood)
	}
}

func FuzzTypst(f *testing.F) {
	for _, s := range []string{`\frac{a}{b}`, `\text{a $b$}`, `\begin{array}{c|c}a&b\\\hline c\end{array}`, `\left(\big/\right.`, `x'_2^{3}`, `\operatorname*{a-b}`, `"#read(1)`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, tex string) {
		out, err := Typst(tex)
		if err != nil {
			if out != "" || !utf8.ValidString(err.Error()) && utf8.ValidString(tex) {
				t.Fatalf("%q, %v", out, err)
			}
			return
		}
		if bad := unsafe(out); bad != "" {
			t.Fatalf("%q becomes %q, which has %q", tex, out, bad)
		}
	})
}

func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", `"`, `\`, `\"`, "\n\t\r\x00", "\xff", "\u0085\u202e漢", `\u{23}`} {
		f.Add(s)
	}
	one := regexp.MustCompile(`^` + literal.String() + `$`)
	f.Fuzz(func(t *testing.T, s string) {
		q := Quote(s)
		if !one.MatchString(q) {
			t.Fatalf("%q becomes %s", s, q)
		}
		back := strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\n`, "\n", `\t`, "\t").Replace(q[1 : len(q)-1])
		want := strings.Map(func(r rune) rune {
			if r != '\n' && r != '\t' && (r < ' ' || r >= 0x7f && r < 0xa0) {
				return utf8.RuneError
			}
			return r
		}, s)
		if back != want {
			t.Fatalf("%q becomes %q", s, back)
		}
	})
}
