package export

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/waits"
)

func TestTypeset(t *testing.T) {
	ts := newTypesetter(t.TempDir())
	// What must be in the picture, by the meaning of the LaTeX: MathJax marks each
	// part with the name of its MathML element and of its code point.
	for _, c := range []struct{ tex, want string }{
		{`L(\mathbf{y}, \hat{\mathbf{y}}, \mathbf{w}) = \sum_{i} w_{i} \mathbf{1}(y_{i} \neq \hat{y}_{i})`, `data-c="2211"`},
		{`\alpha_t = \log\left(\frac{1-\epsilon}{\epsilon}\right)`, `"mfrac"`},
		{`w_i \leftarrow w_i`, `data-c="2190"`},
		{`f(x) = \begin{cases} 1 & \text{if } x \geq \theta \\ 0 & \text{otherwise} \end{cases}`, `"mtable"`},
		{`\hat{c} = \operatorname*{arg\,max}_{c} \sum_{j} \mathbf{1}(y_j = c)`, `"munder"`},
		{`\lVert \mathbf{a} - \mathbf{b} \rVert_2 = \sqrt{\sum_{j=1}^{p} (a_j - b_j)^2}`, `"msqrt"`},
		{`\lfloor x \rfloor`, `data-c="230A"`},
		{`\mathbb{R}^{n \times p}`, `data-c="211D"`},
	} {
		got, err := ts.set(context.Background(), c.tex, true)
		if err != nil {
			t.Errorf("%s: %v", c.tex, err)
		}
		if !strings.Contains(got, c.want) || !strings.Contains(got, "aria-label=") {
			t.Errorf("%s: no %q in %s", c.tex, c.want, got)
		}
	}
	for _, bad := range []string{`\nosuchcommand{x}`, `\frac{1}{`, strings.Repeat("x", maxFormula+1)} {
		if s, err := ts.set(context.Background(), bad, false); err == nil || !strings.Contains(s, "badmath") {
			t.Errorf("%s gave %q, error %v", bad, s, err)
		}
	}
}

// A formula that would take minutes is given up, and the next one is set.
func TestTypesetStops(t *testing.T) {
	long := strings.Repeat("x+", 4000) + "x"
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := typeset(ctx, long); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	_, err := Single(ctx, Source{Course: "lab3", Topic: "01_x", Notebook: &notebook.Notebook{Cells: []*notebook.Cell{markdownCell("$x$")}}, Folder: root, Root: root})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a page that was interrupted: %v", err)
	}
	defer func(old time.Duration) { mathTime = old }(mathTime)
	mathTime = 20 * time.Millisecond
	if _, err := typeset(context.Background(), long); err == nil || !strings.Contains(err.Error(), "takes longer than 20ms") {
		t.Errorf("out of time: %v", err)
	}
	mathTime = waits.Long
	if _, err := typeset(context.Background(), "x"); err != nil {
		t.Errorf("the next formula: %v", err)
	}
}

// A formula looks the same wherever it stands, also one with a number.
func TestFormulasAreApart(t *testing.T) {
	const labelled = `\begin{align}a \tag{1}\label{a}\end{align}`
	first, err := typeset(context.Background(), labelled)
	if err != nil {
		t.Fatal(err)
	}
	again, err := typeset(context.Background(), labelled)
	if err != nil || again != first {
		t.Errorf("a second time %v:\n%s\n%s", err, first, again)
	}
}

func TestFormulasAreKept(t *testing.T) {
	folder := t.TempDir()
	first, err := newTypesetter(folder).set(context.Background(), "x^2", false)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.svg"))
	if err != nil || len(files) != 1 {
		t.Fatalf("kept %v (%v), want one file", files, err)
	}
	if err := os.WriteFile(files[0], []byte(sumOf("<svg>kept</svg>")+"\n<svg>kept</svg>"), 0o644); err != nil {
		t.Fatal(err)
	}
	again, err := newTypesetter(folder).set(context.Background(), "x^2", false)
	if err != nil || !strings.Contains(again, "<svg>kept</svg>") || !strings.Contains(first, "<svg") {
		t.Errorf("first %q, then %q (%v)", first, again, err)
	}
	if display, err := newTypesetter(folder).set(context.Background(), "x^2", true); err != nil || strings.Contains(display, "kept") {
		t.Errorf("a displayed formula took the kept one of running text: %q (%v)", display, err)
	}
}

// What is a formula is what JupyterLab takes for one (removeMath in its latex.ts).
func TestLiftMath(t *testing.T) {
	type formula struct {
		tex     string
		display bool
	}
	for _, c := range []struct {
		name, src, out string
		spans          []formula
	}{
		{"in line", "a $x_i*y*$ b", "a \uE0000\uE001 b", []formula{{"x_i*y*", false}}},
		{"display", "$$\n- a\n= b\n$$", "\uE0000\uE001", []formula{{"- a\n= b", true}}},
		{"prices", "from $5 to $10", "from $5 to $10", nil},
		{"escaped", `\$x\$ and $y$`, "\\$x\\$ and \uE0000\uE001", []formula{{"y", false}}},
		{"code span", "`$x$` and ``a`$y$``", "`$x$` and ``a`$y$``", nil},
		{"fence", "```go\na := \"$x$\"\n```\n$z$", "```go\na := \"$x$\"\n```\n\uE0000\uE001", []formula{{"z", false}}},
		{"environment", `\begin{align} a &= b \end{align}`, "\uE0000\uE001", []formula{{`\begin{align} a &= b \end{align}`, true}}},
		{"parentheses with two backslashes", `a \\(x_i*y*\\) b`, "a \uE0000\uE001 b", []formula{{"x_i*y*", false}}},
		{"brackets with two backslashes", `\\[x\\]`, "\uE0000\uE001", []formula{{"x", true}}},
		{"parentheses with one", `\(x\) \[y\]`, `\(x\) \[y\]`, nil},
		{"an environment of a matrix", "\\begin{pmatrix}\n1 \\\\\n2\n\\end{pmatrix}", "\uE0000\uE001", []formula{{"\\begin{pmatrix}\n1 \\\\\n2\n\\end{pmatrix}", true}}},
		{"an environment that never ends", `\begin{pmatrix} 1`, `\begin{pmatrix} 1`, nil},
		{"a display over two paragraphs", "$$ here.\n\n# H\n\n$$ there", "$$ here.\n\n# H\n\n$$ there", nil},
		{"an environment over two paragraphs", "\\begin{align}\n \n\\end{align}", "\\begin{align}\n \n\\end{align}", nil},
		{"a dollar in a formula", `$\$5$`, "\uE0000\uE001", []formula{{`\$5`, false}}},
		{"a display in a quotation", "> $$\n> x > 1\n> $$", "> \uE0000\uE001", []formula{{"x > 1", true}}},
		{"one in a quotation of a quotation", "> > $$\n> > x\n>> > y\n> > $$", "> > \uE0000\uE001", []formula{{"x\n > y", true}}},
		{"greater in no quotation", "$$\n> x\n$$", "\uE0000\uE001", []formula{{"> x", true}}},
		{"two paragraphs", "$a\n\nb$", "$a\n\nb$", nil},
		{"unclosed", "$$ a", "$$ a", nil},
		{"lone backquote", "a ` $x$", "a ` \uE0000\uE001", []formula{{"x", false}}},
	} {
		out, spans := liftMath(c.src)
		if out != c.out || len(spans) != len(c.spans) {
			t.Errorf("%s: got %q and %v", c.name, out, spans)
			continue
		}
		for i := range spans {
			if (formula{spans[i].tex, spans[i].display}) != c.spans[i] {
				t.Errorf("%s: formula %d is %+v", c.name, i, spans[i])
			}
		}
	}
}

// An entity can write the character that marks a formula. A formula that is asked
// for again and again would fill the memory from a few bytes each.
func TestForgedMarks(t *testing.T) {
	_, body := render(t, markdownCell("$x$ "+strings.Repeat("&#xE000;0&#xE001; &#xE000;00&#xE001; ", 100)))
	if n := strings.Count(body, `role="math"`); n != 1 {
		t.Errorf("%d formulas, want 1", n)
	}
}
