package export

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"html"
	"regexp"
	"time"

	"github.com/dop251/goja"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
)

// mathjaxFiles are parts of MathJax as its own package has them, and the licence, which
// goes where they go; mathjax/README.md says which, and how to take a newer one.
//
//go:embed mathjax/es5 mathjax/LICENSE
var mathjaxFiles embed.FS

// mathjaxParts are the files in the order in which they build on each other.
var mathjaxParts = []string{"core.js", "loader.js", "adaptors/liteDOM.js", "input/tex-full.js", "output/svg.js", "output/svg/fonts/tex.js"}

// setupJS makes the function that sets a formula. MathJax's own document stands in for
// a browser's. The function forgets labels and equation numbers of the formulas before,
// so that a formula looks the same wherever it stands.
const setupJS = `(() => {
	const adaptor = MathJax._.adaptors.liteAdaptor.liteAdaptor();
	MathJax._.handlers.html_ts.RegisterHTMLHandler(adaptor);
	const html = MathJax._.mathjax.mathjax.document('', {
		InputJax: new MathJax._.input.tex_ts.TeX({
			packages: ['base', 'mathtools', 'ams', 'amscd', 'braket', 'cancel', 'cases', 'color', 'gensymb', 'mhchem', 'physics'],
		}),
		OutputJax: new MathJax._.output.svg_ts.SVG({fontCache: 'none', font: new MathJax._.output.svg.fonts.tex_ts.TeXFont()}),
	});
	return (tex) => {
		html.inputJax.forEach((jax) => jax.reset());
		return adaptor.innerHTML(html.convert(tex, {em: 16, ex: 8}));
	};
})()`

// A mathjax is MathJax at work.
type mathjax struct {
	vm      *goja.Runtime
	convert goja.Callable
}

func startMathJax() (*mathjax, error) {
	vm := goja.New()
	for _, part := range mathjaxParts {
		program, err := mathjaxFiles.ReadFile("mathjax/es5/" + part)
		if err != nil {
			return nil, fmt.Errorf("MathJax does not start: %w", err)
		}
		if _, err := vm.RunScript(part, string(program)); err != nil {
			return nil, fmt.Errorf("MathJax does not start: %w", err)
		}
	}
	v, err := vm.RunString(setupJS)
	if err != nil {
		return nil, fmt.Errorf("MathJax does not start: %w", err)
	}
	convert, ok := goja.AssertFunction(v)
	if !ok {
		return nil, errors.New("MathJax does not start: its function is none")
	}
	return &mathjax{vm: vm, convert: convert}, nil
}

// idle keeps the engine that is not at work; starting one takes half a second.
var idle = make(chan *mathjax, 1)

// mathTime is the longest that a formula may take, on the wall and of this process's
// processor time: on a busy machine it takes longer, but no more work.
var mathTime = 10 * time.Second

var mathError = regexp.MustCompile(`data-mjx-error="([^"]*)"`)

// typeset sets a formula as SVG. It returns soon after the end of ctx.
func typeset(ctx context.Context, tex string) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	var m *mathjax
	select {
	case m = <-idle:
	default:
		var err error
		if m, err = startMathJax(); err != nil {
			return "", err
		}
	}
	start := time.Now()
	before, _ := process.Own()
	tick := time.NewTicker(min(mathTime, time.Second) / 4)
	defer tick.Stop()
	type result struct {
		svg string
		err error
	}
	done := make(chan result, 1)
	go func() {
		v, err := m.convert(goja.Undefined(), m.vm.ToValue(tex))
		if err != nil {
			done <- result{err: err}
			return
		}
		done <- result{svg: v.String()}
	}()
	for {
		select {
		case <-ctx.Done():
			// What was interrupted is not used again.
			m.vm.Interrupt("interrupted")
			return "", ctx.Err()
		case <-tick.C:
			if now, known := process.Own(); time.Since(start) > mathTime && (!known || now-before > mathTime) {
				m.vm.Interrupt("too slow")
				return "", fmt.Errorf("takes longer than %v to set; split it", mathTime)
			}
		case r := <-done:
			select {
			case idle <- m:
			default:
			}
			if r.err != nil {
				return "", r.err
			}
			if e := mathError.FindStringSubmatch(r.svg); e != nil {
				return "", errors.New(html.UnescapeString(e[1]))
			}
			return r.svg, nil
		}
	}
}
