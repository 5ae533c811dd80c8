package command

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
)

// markName is an environment variable by which whatever this process starts is
// known.
const markName = "MLLABS_LAB"

// Run is [Main] as a process: it takes the process's arguments, heeds its signals and
// ends it.
func Run() {
	mark := fmt.Sprintf("%d-%d", os.Getpid(), time.Now().UnixNano())
	os.Setenv(markName, mark)
	ctx, cancel := context.WithCancel(context.Background())
	var end sync.Once // by a second signal or by the command, whichever is first
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel() // in order: children end, files are whole
		<-signals
		end.Do(func() {
			process.KillMarked(markName + "=" + mark)
			os.Exit(Failed)
		})
	}()
	code := Main(ctx, os.Args[1:], os.Stdout, os.Stderr)
	end.Do(func() { os.Exit(code) })
}
