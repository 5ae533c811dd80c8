// Command lab sets up, runs, tests and prints the notebooks of mllabs.
//
//	go run ./scripts/lab help
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/command"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := command.Main(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
