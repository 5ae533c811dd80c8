package export

import (
	_ "embed"
	"fmt"
	"html"
	"strings"
	"sync"

	"github.com/dop251/goja"
)

//go:embed katex/katex.min.js
var katexJS string

// A typesetter sets formulas; it is safe for concurrent use and slow to start.
type typesetter struct {
	mu     sync.Mutex
	render func(tex string, options map[string]any) (string, error)
	cache  map[formula]string
}

type formula struct {
	tex     string
	display bool
}

var newTypesetter = sync.OnceValues(func() (*typesetter, error) {
	vm := goja.New()
	if _, err := vm.RunScript("katex.min.js", katexJS); err != nil {
		return nil, fmt.Errorf("start KaTeX: %w", err)
	}
	t := &typesetter{cache: map[formula]string{}}
	katex := vm.Get("katex").ToObject(vm)
	call, ok := goja.AssertFunction(katex.Get("renderToString"))
	if !ok {
		return nil, fmt.Errorf("start KaTeX: no renderToString")
	}
	t.render = func(tex string, options map[string]any) (string, error) {
		v, err := call(katex, vm.ToValue(tex), vm.ToValue(options))
		if err != nil {
			return "", err
		}
		return v.String(), nil
	}
	return t, nil
})

// set returns the HTML of a formula, with MathML for readers that want it. A
// formula that KaTeX does not understand is an error, and shown as it was typed.
func (t *typesetter) set(tex string, display bool) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := formula{tex, display}
	if s, ok := t.cache[f]; ok {
		return s, nil
	}
	s, err := t.render(tex, map[string]any{"displayMode": display, "throwOnError": true, "strict": "ignore", "output": "htmlAndMathml"})
	if err != nil {
		msg, _, _ := strings.Cut(err.Error(), " at katex")
		return `<code class="badmath">` + html.EscapeString(tex) + `</code>`, fmt.Errorf("formula %q: %s", tex, strings.TrimPrefix(msg, "ParseError: "))
	}
	t.cache[f] = s
	return s, nil
}
