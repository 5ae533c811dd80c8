package export

import (
	"context"
	"errors"
	"fmt"
	"html"
	"regexp"
	"time"
	_ "unsafe" // go:linkname

	"github.com/dop251/goja"
	_ "oss.terrastruct.com/d2/d2renderers/d2latex" // carries MathJax along
)

// MathJax, what it needs of a browser, and its settings. Package d2latex starts a
// new JavaScript engine and reads MathJax again for each formula, which takes a
// third of a second and cannot be stopped. With its texts one engine sets a
// formula in some milliseconds and can be interrupted. The package does not export
// them, hence the directives; without these names the program does not link.
var (
	//go:linkname mathjaxJS oss.terrastruct.com/d2/d2renderers/d2latex.mathjaxJS
	mathjaxJS string
	//go:linkname polyfillsJS oss.terrastruct.com/d2/d2renderers/d2latex.polyfillsJS
	polyfillsJS string
	//go:linkname setupJS oss.terrastruct.com/d2/d2renderers/d2latex.setupJS
	setupJS string
)

// convertJS forgets labels and equation numbers of the formulas before, so that a
// formula looks the same wherever it stands.
const convertJS = `(tex) => {
	html.inputJax.forEach((jax) => jax.reset());
	return adaptor.innerHTML(html.convert(tex, {em: 16, ex: 8}));
}`

// A mathjax is MathJax at work.
type mathjax struct {
	vm      *goja.Runtime
	convert goja.Callable
}

func startMathJax() (*mathjax, error) {
	vm := goja.New()
	for _, program := range []string{polyfillsJS, mathjaxJS, setupJS} {
		if _, err := vm.RunString(program); err != nil {
			return nil, fmt.Errorf("MathJax does not start: %w", err)
		}
	}
	v, err := vm.RunString(convertJS)
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

// mathTime is the longest that a formula may take.
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
	limited, cancel := context.WithTimeout(ctx, mathTime)
	defer cancel()
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
	select {
	case <-limited.Done():
		// What was interrupted is not used again.
		m.vm.Interrupt("too slow")
		if err := ctx.Err(); err != nil {
			return "", err
		}
		return "", fmt.Errorf("takes longer than %v to set; split it", mathTime)
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
