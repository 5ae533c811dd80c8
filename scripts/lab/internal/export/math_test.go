package export

import (
	"strings"
	"testing"
)

func TestTypeset(t *testing.T) {
	ts, err := newTypesetter()
	if err != nil {
		t.Fatal(err)
	}
	// What must be in the MathML, by the meaning of the LaTeX.
	for _, c := range []struct{ tex, want string }{
		{`L(\mathbf{y}, \hat{\mathbf{y}}, \mathbf{w}) = \sum_{i} w_{i} \mathbf{1}(y_{i} \neq \hat{y}_{i})`, "<mo>∑</mo>"},
		{`\alpha_t = \log\left(\frac{1-\epsilon}{\epsilon}\right)`, "<mfrac>"},
		{`w_i \leftarrow \frac{w_i e^{\alpha \mathbf{1}(y_i \ne h(x_i))}}{\sum_j w_j}`, "<mo>←</mo>"},
		{`f(x) = \begin{cases} 1 & \text{if } x \geq \theta \\ 0 & \text{otherwise} \end{cases}`, "<mtable"},
		{`\hat{c} = \operatorname*{arg\,max}_{c} \sum_{j} \mathbf{1}(y_j = c)`, "arg"},
		{`\arg\max_{c} N_c`, "arg"},
		{`\lVert \mathbf{a} - \mathbf{b} \rVert_2 = \sqrt{\sum_{j=1}^{p} (a_j - b_j)^2}`, "<msqrt>"},
		{`\tfrac12 \|\mathbf{w}\|^2 + C \sum_i \xi_i`, "<mfrac>"},
		{`\lfloor x \rfloor`, "⌊"},
		{`\texttt{min\_size}`, "<mtext"},
		{`\mathbb{R}^{n \times p}`, "×"},
	} {
		for _, display := range []bool{true, false} {
			got, err := ts.set(c.tex, display)
			if err != nil {
				t.Errorf("%s: %v", c.tex, err)
			}
			if !strings.Contains(got, c.want) {
				t.Errorf("%s: no %q in %s", c.tex, c.want, got)
			}
		}
	}
	if s, err := ts.set(`\nosuchcommand{x}`, false); err == nil || !strings.Contains(s, "nosuchcommand") {
		t.Errorf("an unknown command gave %q, error %v", s, err)
	}
}

func TestLiftMath(t *testing.T) {
	for _, c := range []struct {
		name, src, out string
		spans          []mathSpan
	}{
		{"in line", "a $x_i*y*$ b", "a \uE0000\uE001 b", []mathSpan{{"x_i*y*", false}}},
		{"display", "$$\n- a\n= b\n$$", "\uE0000\uE001", []mathSpan{{"- a\n= b", true}}},
		{"prices", "from $5 to $10", "from $5 to $10", nil},
		{"escaped", `\$x\$ and $y$`, "\\$x\\$ and \uE0000\uE001", []mathSpan{{"y", false}}},
		{"code span", "`$x$` and ``a`$y$``", "`$x$` and ``a`$y$``", nil},
		{"fence", "```go\na := \"$x$\"\n```\n$z$", "```go\na := \"$x$\"\n```\n\uE0000\uE001", []mathSpan{{"z", false}}},
		{"environment", `\begin{align} a &= b \end{align}`, "\uE0000\uE001", []mathSpan{{`\begin{align} a &= b \end{align}`, true}}},
		{"two paragraphs", "$a\n\nb$", "$a\n\nb$", nil},
		{"unclosed", "$$ a", "$$ a", nil},
		{"lone backquote", "a ` $x$", "a ` \uE0000\uE001", []mathSpan{{"x", false}}},
	} {
		out, spans := liftMath(c.src)
		if out != c.out || len(spans) != len(c.spans) {
			t.Errorf("%s: got %q and %v", c.name, out, spans)
			continue
		}
		for i := range spans {
			if spans[i] != c.spans[i] {
				t.Errorf("%s: formula %d is %+v", c.name, i, spans[i])
			}
		}
	}
}
