package command

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// newNotebook is what lab new writes and what New Notebook in JupyterLab begins with.
//
//go:embed own/new.ipynb
var newNotebook []byte

var newCommand = command{
	name:  "new",
	args:  "NAME",
	short: "begin a notebook of your own",
	long: `
Writes notebooks/work/NAME.ipynb, which git ignores, or, if NAME is a path such as
~/study/flats, a notebook there. Its cells import the library, open a CSV file by its
path and draw it, and need nothing else, in whatever folder the notebook is. lab jupyter
opens the folder work; lab jupyter PATH opens another folder or one notebook.`,
	run: func(*flag.FlagSet) func(context.Context, *env, []string) error {
		return func(_ context.Context, e *env, args []string) error {
			if len(args) != 1 || strings.TrimSuffix(args[0], ".ipynb") == "" {
				return usagef("new takes one name, got %q", args)
			}
			path := strings.TrimSuffix(args[0], ".ipynb") + ".ipynb"
			if filepath.Base(path) == path {
				path = e.Path("notebooks", project.Work, path)
			}
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			if errors.Is(err, os.ErrExist) {
				return fmt.Errorf("%s is there already; give another name", path)
			}
			if err != nil {
				return err
			}
			_, err = f.Write(newNotebook)
			if err := errors.Join(err, f.Close()); err != nil {
				return err
			}
			e.say("%s is ready; to open it: go run ./scripts/lab jupyter %s", e.Rel(path), e.Rel(path))
			return nil
		}
	},
}

// linkToCopy is a link from one student's copy to another, as the copies in a course's folder
// exercises have it. In work, the folder exercises is left out.
var linkToCopy = regexp.MustCompile(`\]\(\.\./((?:\.\./)?(?:[a-z0-9]+/)?)` + project.Exercises + `/`)

// fillWork copies the students' copies of worked notebooks to notebooks/work, which git ignores, so that
// git pull never meets what a student has written. What a student has changed there stays as it is; a
// copy that is still as it was made follows its original.
func (e *env) fillWork(ctx context.Context, worked []project.Notebook) error {
	if err := os.MkdirAll(e.Path("notebooks", project.Work), 0o755); err != nil {
		return err
	}
	changed, known := e.changedFiles(ctx)
	made := map[string]string{} // the sum of what was last copied, by the path of the copy
	if b, err := os.ReadFile(e.Lab("work.json")); err == nil {
		_ = json.Unmarshal(b, &made) // without it, all copies count as changed by the student
	}
	copied := 0
	for _, nb := range worked {
		original, err := os.ReadFile(nb.Copy())
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		original = linkToCopy.ReplaceAll(original, []byte("](${1}"))
		path := e.Path("notebooks", project.Work, nb.Course, nb.Topic+".ipynb")
		name, begun := e.Rel(path), changed[e.Rel(nb.Copy())]
		there, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		switch {
		case err == nil && contentSum(there) == contentSum(original):
		case err == nil && made[name] != contentSum(there):
			continue
		default:
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := atomicfile.Write(path, original); err != nil {
				return err
			}
			copied++
			if begun {
				e.say("what you have begun in %[1]s is now in %[2]s, so go on there; \"git checkout -- %[1]s\" makes git pull possible", e.Rel(nb.Copy()), name)
			}
		}
		if delete(made, name); known && !begun {
			made[name] = contentSum(original)
		}
	}
	if copied > 0 {
		e.say("notebooks/%s: %s to work in", project.Work, plural(copied, "new notebook"))
	}
	b, err := json.MarshalIndent(made, "", " ")
	if err != nil {
		return err
	}
	return atomicfile.Write(e.Lab("work.json"), b)
}

func contentSum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// changedFiles returns the files of notebooks/ that git knows in another form, by their paths from the
// root, and whether git could say so.
func (e *env) changedFiles(ctx context.Context) (changed map[string]bool, known bool) {
	cmd := process.Command(ctx, "git", "diff", "--name-only", "--relative", "-z", "HEAD", "--", "notebooks")
	cmd.Dir = e.Root
	out, err := cmd.Output()
	changed = map[string]bool{}
	for name := range strings.SplitSeq(string(out), "\x00") {
		changed[name] = true
	}
	return changed, err == nil
}
