// Week3 is the test driver of lab 3: it checks the functions of package
// notebooks/lab3 and draws what they learn as a figure of four class maps.
//
//	go run ./scripts/week3 -s 0 -n 178 -r 100 week_3.pdf
//
// The options are those of the hand-out. A part that is not implemented yet is
// drawn as an empty panel that says so. Exit status: 0 all drawn, 1 something
// failed, 2 bad usage.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout, stderr io.Writer) int {
	opts, err := parseOptions(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "week3: %v; see week3 -h\n", err)
		return 2
	}
	err = checkPlace(opts.file)
	if err == nil {
		var s samples
		if s, err = loadSamples(opts); err == nil {
			err = draw(opts, handout, s, stdout)
		}
	}
	if err != nil {
		fmt.Fprintf(stderr, "week3: %v\n", err)
		return 1
	}
	return 0
}

// checkPlace finds out before the work whether the figure has a place.
func checkPlace(file string) error {
	folder := filepath.Dir(file)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("output file %s: there is no folder %s; make it, or name another", file, folder)
	}
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("output file %s: there is something that is no file; name another", file)
	}
	return nil
}
