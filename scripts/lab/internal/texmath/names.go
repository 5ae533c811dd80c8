package texmath

import "strings"

// The tables below hold all names of Typst that a formula can become.

// delimiters can be scaled. An escaped parenthesis opens no call and no group.
var delimiters = map[string]atom{
	"(": {`\(`, open}, ")": {`\)`, shut}, "[": {`\[`, open}, "]": {`\]`, shut},
	`\{`: {`\{`, open}, `\}`: {`\}`, shut}, `\lbrace`: {`\{`, open}, `\rbrace`: {`\}`, shut}, `\lbrack`: {`\[`, open}, `\rbrack`: {`\]`, shut},
	"|": {"bar.v", ord}, `\|`: {"bar.v.double", ord}, `\vert`: {"bar.v", ord}, `\Vert`: {"bar.v.double", ord},
	`\lvert`: {"bar.v", open}, `\rvert`: {"bar.v", shut}, `\lVert`: {"bar.v.double", open}, `\rVert`: {"bar.v.double", shut},
	`\lfloor`: {"floor.l", open}, `\rfloor`: {"floor.r", shut}, `\lceil`: {"ceil.l", open}, `\rceil`: {"ceil.r", shut},
	`\langle`: {"chevron.l", open}, `\rangle`: {"chevron.r", shut},
}

// symbols stand for themselves.
var symbols = func() map[string]atom {
	m := map[string]atom{}
	// Pairs of a token and its name in Typst.
	add := func(c class, pairs string) {
		list := strings.Fields(pairs)
		for i := 0; i < len(list); i += 2 {
			m[list[i]] = atom{list[i+1], c}
		}
	}
	add(ord, `. \. ! excl ? \? @ \@ \% \% \# \# \& \& \$ \$ \_ \_
		\infty infinity \partial partial \nabla nabla \ell ell \hbar planck \Re Re \Im Im \aleph aleph
		\forall forall \exists exists \nexists exists.not \neg not \lnot not \emptyset emptyset \varnothing diameter
		\top top \bot bot \prime prime \angle angle \square square.stroked \Box square.stroked \blacksquare square.filled
		/ \/ \imath dotless.i \jmath dotless.j \checkmark checkmark \complement complement
		\alpha alpha \beta beta \gamma gamma \delta delta \epsilon epsilon.alt \varepsilon epsilon \zeta zeta \eta eta
		\theta theta \vartheta theta.alt \iota iota \kappa kappa \varkappa kappa.alt \lambda lambda \mu mu \nu nu \xi xi \pi pi \varpi pi.alt
		\rho rho \varrho rho.alt \sigma sigma \varsigma sigma.alt \tau tau \upsilon upsilon \phi phi.alt \varphi phi \chi chi \psi psi \omega omega
		\Gamma Gamma \Delta Delta \Theta Theta \Lambda Lambda \Xi Xi \Pi Pi \Sigma Sigma \Upsilon Upsilon \Phi Phi \Psi Psi \Omega Omega`)
	add(op, `\sum sum \prod product \coprod product.co \int integral \iint integral.double \iiint integral.triple \oint integral.cont
		\bigcup union.big \bigcap inter.big \bigvee or.big \bigwedge and.big \bigoplus plus.o.big \bigotimes times.o.big \bigodot dot.o.big
		\sin sin \cos cos \tan tan \cot cot \sec sec \csc csc \arcsin arcsin \arccos arccos \arctan arctan \sinh sinh \cosh cosh \tanh tanh \coth coth
		\log log \ln ln \lg lg \exp exp \max max \min min \sup sup \inf inf \lim lim \limsup limsup \liminf liminf \arg arg
		\det det \dim dim \ker ker \gcd gcd \deg deg \hom hom \Pr Pr`)
	add(bin, `+ plus - minus * ast.op \cdot dot.op \times times \div div \pm plus.minus \mp minus.plus \ast ast.op \star star.op \circ compose
		\bullet bullet.op \cup union \cap inter \uplus union.plus \setminus without \smallsetminus without \land and \wedge and \lor or \vee or
		\oplus plus.o \ominus minus.o \otimes times.o \oslash slash.o \odot dot.o \dagger dagger \ddagger dagger.double`)
	add(rel, `= eq < lt > gt : colon \lt lt \gt gt \leq lt.eq \le lt.eq \geq gt.eq \ge gt.eq \leqslant lt.eq.slant \geqslant gt.eq.slant
		\neq eq.not \ne eq.not \approx approx \equiv equiv \sim tilde.op \simeq tilde.eq \cong tilde.equiv \propto prop \asymp asymp \doteq eq.dot
		\ll lt.double \gg gt.double \prec prec \succ succ \preceq prec.eq \succeq succ.eq \preccurlyeq prec.curly.eq \succcurlyeq succ.curly.eq
		\in in \notin in.not \ni in.rev \subset subset \subseteq subset.eq \subsetneq subset.neq \supset supset \supseteq supset.eq \supsetneq supset.neq
		\mid divides \nmid divides.not \parallel parallel \perp perp \vdash tack.r \models models \vDash tack.rr
		\to arrow.r \rightarrow arrow.r \leftarrow arrow.l \gets arrow.l \leftrightarrow arrow.l.r \Rightarrow arrow.r.double \Leftarrow arrow.l.double
		\Leftrightarrow arrow.l.r.double \longrightarrow arrow.r.long \longleftarrow arrow.l.long \longleftrightarrow arrow.l.r.long
		\Longrightarrow arrow.r.double.long \Longleftarrow arrow.l.double.long \Longleftrightarrow arrow.l.r.double.long
		\mapsto arrow.r.bar \longmapsto arrow.r.long.bar \hookrightarrow arrow.r.hook \rightsquigarrow arrow.r.squiggly \nearrow arrow.tr \searrow arrow.br
		\triangleq eq.delta \coloneqq colon.eq \lesssim lt.tilde \gtrsim gt.tilde \therefore therefore \because because \leadsto arrow.r.squiggly \uparrow arrow.t \downarrow arrow.b \updownarrow arrow.t.b \rightleftharpoons harpoons.rtlb`)
	add(punct, `, \, ; \;`)
	add(inner, `\dots dots.h \ldots dots.h \dotsc dots.h \cdots dots.h.c \dotsb dots.h.c \ddots dots.down`)
	add(ord, `\vdots dots.v`)
	add(space, `\, thin \thinspace thin \: med \> med \medspace med \; thick \thickspace thick \quad quad \qquad wide
		\! #h(-1em/6) \negthinspace #h(-1em/6) \enspace #h(0.5em) ~ #h(1em/3) \space #h(1em/3)`)
	m[`\ `] = atom{"#h(1em/3)", space}
	m["\\\n"] = m[`\ `]
	// Where Typst's class is not TeX's.
	m["?"] = atom{`class("closing",\?)`, shut}
	m[`\triangle`] = atom{`class("normal",triangle.stroked.t)`, ord}
	m[`\backslash`] = atom{`class("normal",backslash)`, ord}
	m[`\colon`] = atom{`class("punctuation",colon)`, punct}
	m[`\bmod`] = atom{`class("binary","mod")`, bin}
	m[`\implies`] = atom{"class(\"relation\",thick arrow.r.double.long thick)", rel}
	m[`\impliedby`] = atom{"class(\"relation\",thick arrow.l.double.long thick)", rel}
	m[`\iff`] = atom{"class(\"relation\",thick arrow.l.r.double.long thick)", rel}
	return m
}()

// capitalGreek are the symbols that \mathbf changes.
var capitalGreek = func() map[string]bool {
	m := map[string]bool{}
	for _, s := range strings.Fields(`\Gamma \Delta \Theta \Lambda \Xi \Pi \Sigma \Upsilon \Phi \Psi \Omega`) {
		m[s] = true
	}
	return m
}()

var negated = map[string]string{
	"=": "eq.not", `\in`: "in.not", `\ni`: "in.rev.not", "<": "lt.not", ">": "gt.not", `\le`: "lt.eq.not", `\leq`: "lt.eq.not", `\ge`: "gt.eq.not", `\geq`: "gt.eq.not",
	`\subset`: "subset.not", `\subseteq`: "subset.eq.not", `\supset`: "supset.not", `\supseteq`: "supset.eq.not", `\equiv`: "equiv.not",
	`\sim`: "tilde.not", `\approx`: "approx.not", `\mid`: "divides.not", `\parallel`: "parallel.not", `\exists`: "exists.not",
}

// functions have arguments. The format is what stands around the call.
var functions = map[string]struct {
	name   string
	args   int
	format string
}{
	`\frac`: {"frac", 2, "%s"}, `\dfrac`: {"frac", 2, "display(%s)"}, `\tfrac`: {"frac", 2, "inline(%s)"},
	`\binom`: {"binom", 2, "%s"}, `\dbinom`: {"binom", 2, "display(%s)"}, `\tbinom`: {"binom", 2, "inline(%s)"},
	`\boldsymbol`: {"bold", 1, "%s"}, `\bm`: {"bold", 1, "%s"}, `\pmb`: {"bold", 1, "%s"},
	`\widehat`: {"hat", 1, "%s"}, `\widetilde`: {"tilde", 1, "%s"}, `\overrightarrow`: {"arrow", 1, "%s"}, `\overleftarrow`: {"arrow.l", 1, "%s"},
	`\overline`: {"overline", 1, "%s"}, `\underline`: {"underline", 1, "%s"}, `\cancel`: {"cancel", 1, "%s"},
}

// accents are no wider than a letter; Typst would stretch them.
var accents = map[string]string{
	`\hat`: "hat", `\bar`: "macron", `\tilde`: "tilde", `\vec`: "arrow", `\dot`: "dot", `\ddot`: "dot.double",
	`\check`: "caron", `\breve`: "breve", `\acute`: "acute", `\grave`: "grave", `\mathring`: "circle",
}

// alphabets are what the commands in fonts set letters in. Where a word has no form, its
// letters are set one by one.
var alphabets = map[string]struct {
	letter, word string
	digits       bool
}{
	"upright": {"upright(%s)", "%s", false}, "bold": {"bold(upright(%s))", "bold(%s)", true}, "italic": {"%s", "italic(%s)", false},
	"sans": {"sans(upright(%s))", "sans(%s)", true}, "mono": {"mono(%s)", "mono(%s)", true},
	"cal": {"cal(%s)", "", false}, "scr": {"scr(%s)", "", false}, "bb": {"bb(%s)", "", true}, "frak": {"frak(%s)", "", false},
}

var fonts = map[string]string{
	`\mathrm`: "upright", `\mathup`: "upright", `\mathbf`: "bold", `\mathit`: "italic", `\mathsf`: "sans", `\mathtt`: "mono", `\mathnormal`: "",
	`\mathcal`: "cal", `\mathscr`: "scr", `\mathbb`: "bb", `\mathds`: "bb", `\mathbbm`: "bb", `\mathfrak`: "frak",
}

var fontSwitches = map[string]string{`\rm`: "upright", `\bf`: "bold", `\it`: "italic", `\sf`: "sans", `\tt`: "mono", `\cal`: "cal"}

var styles = map[string]string{`\displaystyle`: "display", `\textstyle`: "inline", `\scriptstyle`: "script", `\scriptscriptstyle`: "sscript"}

var texts = map[string]string{
	`\text`: "", `\textrm`: "", `\textnormal`: "", `\textup`: "", `\mbox`: "", `\textbf`: "bold", `\textit`: "italic", `\emph`: "italic", `\texttt`: "mono", `\textsf`: "sans",
}

var textEscapes = map[string]string{`\_`: "_", `\&`: "&", `\%`: "%", `\#`: "#", `\$`: "$", `\{`: "{", `\}`: "}", `\ `: " ", `\,`: "\u2009", `\ldots`: "…", `\dots`: "…", `\-`: ""}

var textMarks = strings.NewReplacer("---", "—", "--", "–", "``", "“", "''", "”", "`", "‘", "'", "’")

var classes = map[string]struct {
	name  string
	class class
}{
	`\mathrel`: {"relation", rel}, `\mathbin`: {"binary", bin}, `\mathopen`: {"opening", open}, `\mathclose`: {"closing", shut}, `\mathpunct`: {"punctuation", punct}, `\mathord`: {"normal", ord},
}

var classNames = map[class]string{ord: "normal", rel: "relation", open: "opening", shut: "closing"}

var sizes = map[string]string{`\big`: "1.2em", `\Big`: "1.8em", `\bigg`: "2.4em", `\Bigg`: "3em"}
