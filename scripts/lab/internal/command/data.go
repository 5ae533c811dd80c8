//go:build !light

package command

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/datasets/download"
)

var dataCommand = command{
	name:  "data",
	args:  "list | fetch [SET...] | verify [SET...]",
	short: "list, fetch or verify the data sets",
	long: `
list shows every data set, its size, and where it was found. verify reads every copy
and compares it with the published SHA-256. fetch downloads the files of the named
sets, or of all, that are missing or damaged in datasets/files from their official
homes. A file is replaced whole or not at all.

Files are looked for in the folder named by MLLABS_DATASETS, inside the package,
and in datasets/files.`,
	run: func(fs *flag.FlagSet) func(context.Context, *env, []string) error {
		return func(ctx context.Context, e *env, args []string) error {
			if len(args) == 0 {
				return usagef("data needs one of list, fetch, verify")
			}
			verb, names := args[0], args[1:]
			for _, name := range names {
				if _, err := datasets.Lookup(name); err != nil {
					return usageError{err}
				}
			}
			if len(names) == 0 {
				names = datasets.Names()
			} else if verb == "list" {
				return usagef("data list takes no names")
			}
			switch verb {
			case "list":
				return e.dataList(names)
			case "fetch":
				return e.dataEach(ctx, names, e.dataFetch)
			case "verify":
				return e.dataEach(ctx, names, e.dataVerify)
			}
			return usagef("data %s: use list, fetch or verify", verb)
		}
	},
}

func (e *env) dataList(names []string) error {
	for _, name := range names {
		set, err := datasets.Lookup(name)
		if err != nil {
			return err
		}
		var rows int
		var size int64
		for _, f := range set.Files {
			rows += f.Rows
			size += f.Size
		}
		where := "not on this machine (lab data fetch " + name + ")"
		if from, err := datasets.Available(name); err == nil {
			where = string(from)
		}
		e.say("%-10s %-45s %6d rows %6d kB  %s", name, set.Title, rows, (size+512)/1024, where)
	}
	return nil
}

// dataEach does one thing for each set and goes on after a failure.
func (e *env) dataEach(ctx context.Context, names []string, do func(context.Context, string) (string, error)) error {
	failed := 0
	for _, name := range names {
		what, err := do(ctx, name)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed++
			fmt.Fprintf(e.err, "FAIL %s: %s\n", name, strings.ReplaceAll(err.Error(), "\n", "\n     "))
			continue
		}
		e.say("ok   %s: %s", name, what)
	}
	if failed > 0 {
		e.say("%d of %s failed", failed, plural(len(names), "data set"))
		return errReported
	}
	return nil
}

func (e *env) dataFetch(ctx context.Context, name string) (string, error) {
	var shown time.Time
	locations, err := download.Fetch(ctx, name, func(f datasets.File, done int64) {
		if isTerminal(e.out) && time.Since(shown) > 200*time.Millisecond {
			shown = time.Now()
			fmt.Fprintf(e.out, "\r\x1b[K%s: %d of %d kB", f.Name, done/1024, f.Size/1024)
		}
	})
	if !shown.IsZero() {
		fmt.Fprint(e.out, "\r\x1b[K")
	}
	return places(locations), err
}

func (e *env) dataVerify(_ context.Context, name string) (string, error) {
	good, err := datasets.Verify(name)
	return places(good), err
}

func places(locations []datasets.Location) string {
	var list []string
	for _, l := range locations {
		list = append(list, fmt.Sprintf("%s in %s", l.File.Name, l.From))
	}
	return strings.Join(list, ", ")
}
