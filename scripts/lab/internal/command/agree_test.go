package command

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"
)

func TestAsk(t *testing.T) {
	for answer, want := range map[string]bool{
		"y\n": true, "Y\n": true, " yes \n": true, "yes": true,
		"": false, "\n": false, "n\n": false, "no\n": false, "yesterday\n": false, "sure\n": false,
	} {
		var out bytes.Buffer
		e := &env{out: &out, in: strings.NewReader(answer)}
		if got := e.ask(context.Background(), "Run it?"); got != want || out.String() != "Run it? [y/N] " {
			t.Errorf("answer %q: %v, want %v; asked %q", answer, got, want, out.String())
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	never, w := io.Pipe()
	defer w.Close()
	if (&env{out: io.Discard, in: never}).ask(ctx, "Run it?") {
		t.Error("Ctrl-C is a yes")
	}
}

// Where nobody can be asked, only --via apt agrees.
func TestAgree(t *testing.T) {
	e := &env{out: io.Discard, in: os.Stdin}
	if e.agree("auto") != nil || e.agree("pip") != nil {
		t.Error("somebody agrees without a terminal")
	}
	if agree := e.agree("apt"); agree == nil || !agree(context.Background(), "Run it?") {
		t.Error("--via apt does not agree")
	}
}
