package notebook

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// ReplacePaths takes the machine out of the outputs: the checkout's root becomes
// "mllabs", a run's temporary folder "$TMPDIR" and the home folder "~".
func (nb *Notebook) ReplacePaths(root, tmp string) {
	var pairs []string
	add := func(path, name string) {
		for _, p := range []string{path, realPath(path)} {
			if len(p) > 1 {
				pairs = append(pairs, p, name)
			}
		}
	}
	add(tmp, "$TMPDIR")
	add(root, "mllabs")
	if home, err := os.UserHomeDir(); err == nil {
		// Only with what follows a slash: a home may be as short as /root.
		add(strings.TrimRight(home, "/")+"/", "~/")
	}
	replace := strings.NewReplacer(pairs...)
	r := replacer(func(s string) string {
		return programName.ReplaceAllString(programPath.ReplaceAllString(replace.Replace(s), ""), "gonb")
	})
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			o.Text, o.EValue = r.Replace(o.Text), r.Replace(o.EValue)
			for i, line := range o.Trace {
				o.Trace[i] = r.Replace(line)
			}
			for k, v := range o.Data {
				if s, ok := v.(string); ok && isText(k) {
					o.Data[k] = r.Replace(s)
				}
			}
		}
	}
}

type replacer func(string) string

func (r replacer) Replace(s string) string { return r(s) }

// programPath is where a stack trace points into the program that GoNB made of
// all cells; it has put the cell and its line before it.
var programPath = regexp.MustCompile(` ?\$TMPDIR/gonb_[0-9a-f]+/main\.go:\d+( \+0x[0-9a-f]+)?`)

// programName is the name of that program, which is another in each run, as errors of
// the compiler tell it.
var programName = regexp.MustCompile(`\bgonb_[0-9a-f]{8}\b`)

func realPath(path string) string {
	if p, err := filepath.EvalSymlinks(path); err == nil {
		return p
	}
	return ""
}

var machinePath = regexp.MustCompile(`(?:^|[\s"'(=\[:])((?:/home/|/root/|/Users/|/tmp/|/var/folders/|/private/|[A-Z]:\\Users\\)[^\s"'):,;\]]*)`)

// MachinePath is the first path in s that would only make sense on one machine,
// or "".
func MachinePath(s string) string {
	m := machinePath.FindStringSubmatch(s)
	if m == nil {
		return ""
	}
	return m[1]
}
