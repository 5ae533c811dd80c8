package command

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/apt"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
)

// agree is who may agree to a change of the whole system: whoever gave --via apt, or who
// sits at the terminal; else nobody.
func (e *env) agree(via string) apt.Agree {
	if setup.Via(via) == setup.Apt {
		return apt.Always
	}
	in, ok := e.in.(*os.File)
	if !ok || !isTerminal(in) || !isTerminal(e.out) || inCI() {
		return nil
	}
	return e.ask
}

// ask puts a question; what is not clearly a yes is a no.
func (e *env) ask(ctx context.Context, question string) bool {
	fmt.Fprintf(e.out, "%s [y/N] ", question)
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(e.in).ReadString('\n')
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case <-ctx.Done():
		return false
	case a := <-answer:
		return a == "y" || a == "yes"
	}
}
