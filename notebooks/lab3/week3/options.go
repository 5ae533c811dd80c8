package week3

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
)

// Options are the hand-out's.
type Options struct {
	Seed                         uint64
	Samples, Neighbours, MinSize int
	Weak, Forest, Resolution     int
	Data, File                   string
}

// maxEnsemble is how many classifiers may vote; the map does not change long
// before.
const maxEnsemble = 10_000

// CommandLine reads the hand-out's options, with its defaults for those that args do not
// set. As in the hand-out's script, options and the output file may come in any order and
// every option has two names. The error of -h is flag.ErrHelp, and [Usage] is the help.
func CommandLine(args []string) (Options, error) {
	var o Options
	fs, _ := flags(&o)
	files := []string{}
	for rest := args; len(rest) > 0; {
		if err := fs.Parse(rest); err != nil {
			return o, err
		}
		if rest = fs.Args(); len(rest) > 0 {
			files, rest = append(files, rest[0]), rest[1:]
		}
	}
	return o, o.check(fs, files)
}

// Usage lists the options.
func Usage() string {
	_, usage := flags(new(Options))
	return "usage: week3 [options] [file]\n\n" +
		"Tests the functions of lab 3 and draws four class maps into file (week_3.pdf), a .pdf, .png or .svg.\n\n" + usage
}

// flags returns a set of flags that set o, and a line of help for each of them.
func flags(o *Options) (*flag.FlagSet, string) {
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
	option("s", "seed", "seed of the random numbers (a new one each time)", func(name string) { fs.Uint64Var(&o.Seed, name, 0, "") })
	number(&o.Samples, "n", "num_samples", 50, "how many samples to use, from the first")
	number(&o.Neighbours, "k", "neighbours", 3, "neighbours that vote")
	number(&o.MinSize, "m", "min_size", 3, "smallest tree node")
	number(&o.Weak, "w", "weak", 10, "weak classifiers in the AdaBoost ensemble")
	number(&o.Forest, "f", "forest", 10, "trees in the random forest")
	number(&o.Resolution, "r", "resolution", 20, "cells along each side of a class map")
	option("d", "data", "CSV file with columns X1, X2, Binary, Multi ("+dataFile+" of the course)", func(name string) { fs.StringVar(&o.Data, name, "", "") })
	option("h", "help", "this list", func(string) {})
	return fs, usage.String()
}

func (o *Options) check(fs *flag.FlagSet, files []string) error {
	if len(files) > 1 {
		return fmt.Errorf("one output file, not %d: %q", len(files), files)
	}
	if len(files) == 1 {
		o.File = files[0]
	}
	if ext := filepath.Ext(o.File); o.File != "" && !slices.Contains([]string{".pdf", ".png", ".svg"}, ext) {
		return fmt.Errorf("output file %q: its ending has to be .pdf, .png or .svg", o.File)
	}
	for _, v := range []struct {
		name       string
		value, min int
	}{
		{"num_samples", o.Samples, 1},
		{"neighbours", o.Neighbours, 1},
		{"min_size", o.MinSize, 1},
		{"weak", o.Weak, 1},
		{"forest", o.Forest, 1},
		{"resolution", o.Resolution, 2},
	} {
		if v.value < v.min {
			return fmt.Errorf("--%s is %d and must be at least %d", v.name, v.value, v.min)
		}
	}
	for _, v := range []struct {
		name  string
		value int
	}{{"weak", o.Weak}, {"forest", o.Forest}} {
		if v.value > maxEnsemble {
			return fmt.Errorf("--%s is %d; more than %d only take longer", v.name, v.value, maxEnsemble)
		}
	}
	if o.Resolution > 2000 {
		return fmt.Errorf("--resolution is %d; beyond 2000 a map has more cells than a page has dots", o.Resolution)
	}
	given := false
	fs.Visit(func(f *flag.Flag) { given = given || f.Name == "s" || f.Name == "seed" })
	if !given {
		o.Seed = rand.Uint64()
	}
	return nil
}
