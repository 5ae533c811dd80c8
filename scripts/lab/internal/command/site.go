//go:build !handout

package command

import (
	"context"
	"errors"
	"flag"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/site"
)

var siteCommand = command{
	name:  "site",
	args:  "[NAME...]",
	short: "write the course as a static site, or serve it",
	long: `
Writes dist/site, a folder of static pages that works under any path and asks for
nothing outside: a front page, a page for each notebook in the form that students get,
with the notebook to download, a page for each data set, and a search. It holds no
hidden test and no solution; --with-answers adds the worked form of each notebook,
without the hidden tests, which the next class meets as well.

The folder is made aside and put into place whole. It may be copied to any server of
files; beside each file stand .br and .gz forms, for servers that send them. Over
file:// pages can be read and searched, but browsers run no cells there.

--serve serves the folder when it is written, and prints the address: localhost and a
free port, or the address given as --serve=:8080, which other machines can reach.
` + namesHelp,
	run: func(fs *flag.FlagSet) func(context.Context, *env, []string) error {
		out := fs.String("out", "", "write the folder `DIR` (default dist/site)")
		answers := fs.Bool("with-answers", false, "add the worked form of each notebook")
		var serve serveFlag
		fs.Var(&serve, "serve", "serve the folder, at `ADDR` if one is given: --serve=localhost:8080")
		return func(ctx context.Context, e *env, args []string) error {
			nbs, err := e.Resolve(args)
			if err != nil {
				return err
			}
			if len(nbs) == 0 {
				return errors.New("there are no notebooks")
			}
			dir := *out
			if dir == "" {
				dir = e.Path("dist", "site")
			}
			o := site.Options{Project: e.Project, Notebooks: nbs, Answers: *answers, Log: e.say}
			version, date := e.edition(ctx)
			o.Edition = version
			if date != "" {
				o.Edition += ", " + date
			}
			if o.Cover, o.CoverAlt, err = cover(); err != nil {
				return err
			}
			summary, err := site.Write(ctx, dir, o)
			if err != nil {
				return err
			}
			for _, w := range summary.Warnings {
				e.say("    %s", w)
			}
			e.say("\n%s: %s, %s, %s, %.1f MB", e.Rel(dir), plural(summary.Notebooks, "notebook"), plural(summary.DataSets, "data set"), plural(summary.Files, "file"), float64(summary.Bytes)/1e6)
			if !serve.wanted {
				return nil
			}
			return site.Serve(ctx, dir, serve.address, func(url string) { e.say("serving at %s; end with Ctrl-C", url) })
		}
	},
}

// A serveFlag is --serve or --serve=ADDR.
type serveFlag struct {
	wanted  bool
	address string
}

func (f *serveFlag) String() string { return f.address }

// IsBoolFlag lets it stand without an address.
func (f *serveFlag) IsBoolFlag() bool { return true }

func (f *serveFlag) Set(value string) error {
	switch value {
	case "true":
		f.wanted = true
	case "false":
		*f = serveFlag{}
	default:
		f.wanted, f.address = true, value
	}
	return nil
}
