// Command module is package live in a page: it gives the page's worker one function, which
// takes a request and returns an answer, both as JSON, and waits to be called.
package main

import (
	"encoding/json"
	"syscall/js"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/live"
)

func main() {
	js.Global().Set("mllabsLive", js.FuncOf(func(_ js.Value, args []js.Value) any { return answer(args[0].String()) }))
	select {}
}

// answer never fails: what is wrong is said in the field error.
func answer(text string) string {
	var r live.Request
	err := json.Unmarshal([]byte(text), &r)
	var a *live.Answer
	if err == nil {
		a, err = live.Figure(r)
	}
	if err != nil {
		return tell(map[string]string{"error": err.Error()})
	}
	return tell(a)
}

func tell(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return `{"error": "the answer holds a number that is not finite"}`
	}
	return string(b)
}
