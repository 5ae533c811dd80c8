package main

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
)

// options are the hand-out's, with its defaults.
type options struct {
	seed       uint64
	samples    int
	neighbours int
	minSize    int
	weak       int
	forest     int
	resolution int
	data       string
	file       string
}

// maxEnsemble is how many classifiers may vote; the map does not change long
// before.
const maxEnsemble = 10_000

// parseOptions reads the command line. As in the hand-out's script, options and
// the output file may come in any order and every option has two names.
func parseOptions(args []string, stderr io.Writer) (options, error) {
	o := options{file: "week_3.pdf"}
	fs := flag.NewFlagSet("week3", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	var usage strings.Builder
	option := func(short, long, text string, register func(name string)) {
		register(short)
		register(long)
		fmt.Fprintf(&usage, "  -%s, --%-12s %s\n", short, long, text)
	}
	number := func(v *int, short, long string, def int, text string) {
		option(short, long, fmt.Sprintf("%s (%d)", text, def), func(name string) { fs.IntVar(v, name, def, "") })
	}
	option("s", "seed", "seed of the random numbers (a new one each time)", func(name string) { fs.Uint64Var(&o.seed, name, 0, "") })
	number(&o.samples, "n", "num_samples", 50, "how many samples to use, from the first")
	number(&o.neighbours, "k", "neighbours", 3, "neighbours that vote")
	number(&o.minSize, "m", "min_size", 3, "smallest tree node")
	number(&o.weak, "w", "weak", 10, "weak classifiers in the AdaBoost ensemble")
	number(&o.forest, "f", "forest", 10, "trees in the random forest")
	number(&o.resolution, "r", "resolution", 20, "cells along each side of a class map")
	option("d", "data", "CSV file with columns X1, X2, Binary, Multi (an embedded synthetic set)", func(name string) { fs.StringVar(&o.data, name, "", "") })

	files := []string{}
	for rest := args; len(rest) > 0; {
		if err := fs.Parse(rest); err == flag.ErrHelp {
			fmt.Fprintf(stderr, "usage: week3 [options] [file]\n\nChecks lab 3 and draws four class maps into file (week_3.pdf), a .pdf, .png or .svg.\n\n%s", usage.String())
			return o, err
		} else if err != nil {
			return o, err
		}
		if rest = fs.Args(); len(rest) > 0 {
			files, rest = append(files, rest[0]), rest[1:]
		}
	}
	return o, o.check(fs, files)
}

func (o *options) check(fs *flag.FlagSet, files []string) error {
	if len(files) > 1 {
		return fmt.Errorf("one output file, not %d: %q", len(files), files)
	}
	if len(files) == 1 {
		o.file = files[0]
	}
	if ext := filepath.Ext(o.file); !slices.Contains([]string{".pdf", ".png", ".svg"}, ext) {
		return fmt.Errorf("output file %q: the ending says the format and is .pdf, .png or .svg", o.file)
	}
	for _, v := range []struct {
		name       string
		value, min int
	}{
		{"num_samples", o.samples, 1},
		{"neighbours", o.neighbours, 1},
		{"min_size", o.minSize, 1},
		{"weak", o.weak, 1},
		{"forest", o.forest, 1},
		{"resolution", o.resolution, 2},
	} {
		if v.value < v.min {
			return fmt.Errorf("--%s is %d and must be at least %d", v.name, v.value, v.min)
		}
	}
	for _, v := range []struct {
		name  string
		value int
	}{{"weak", o.weak}, {"forest", o.forest}} {
		if v.value > maxEnsemble {
			return fmt.Errorf("--%s is %d; more than %d only take longer", v.name, v.value, maxEnsemble)
		}
	}
	if o.resolution > 2000 {
		return fmt.Errorf("--resolution is %d; beyond 2000 a map has more cells than a page has dots", o.resolution)
	}
	given := false
	fs.Visit(func(f *flag.Flag) { given = given || f.Name == "s" || f.Name == "seed" })
	if !given {
		o.seed = rand.Uint64()
	}
	return nil
}
