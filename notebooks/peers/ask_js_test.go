package peers

import (
	"context"
	"errors"
	"strings"
	"syscall/js"
	"testing"
)

// A page answers, or an error says what to do. Run it by node, as .ci/run does:
// GOOS=js GOARCH=wasm go test -exec ".../go_js_wasm_exec" -run TestAskPage ./notebooks/peers
func TestAskPage(t *testing.T) {
	promise := func(method string, value any) any {
		return js.FuncOf(func(js.Value, []js.Value) any { return js.Global().Get("Promise").Call(method, value) })
	}
	for _, c := range []struct {
		name string
		page any
		out  string
		says string // a part of the error
	}{
		{"no page", js.Undefined(), "", "run the notebook in Jupyter"},
		{"a page that cannot be asked", map[string]any{}, "", "reload it"},
		{"a page of another version", map[string]any{"ask": "a text"}, "", "reload it"},
		{"an answer", map[string]any{"ask": promise("resolve", "yes\n")}, "yes\n", ""},
		{"an answer at once", map[string]any{"ask": js.FuncOf(func(js.Value, []js.Value) any { return "yes\n" })}, "yes\n", ""},
		{"no answer", map[string]any{"ask": promise("resolve", js.Undefined())}, "", "not among those"},
		{"a page that fails", map[string]any{"ask": promise("reject", "no network")}, "", "not among those"},
	} {
		js.Global().Set("mllabsPage", c.page)
		out, _, err := ask(context.Background(), "print(1)", []byte("{}"))
		if string(out) != c.out || (err == nil) != (c.says == "") || err != nil && (!errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %q, %v; want %q, %q", c.name, out, err, c.out, c.says)
		}
	}
	js.Global().Set("mllabsPage", map[string]any{"ask": js.FuncOf(func(js.Value, []js.Value) any {
		return js.Global().Get("Promise").New(js.FuncOf(func(js.Value, []js.Value) any { return nil }))
	})})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := ask(ctx, "print(1)", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a question that was given up: %v", err)
	}
}
