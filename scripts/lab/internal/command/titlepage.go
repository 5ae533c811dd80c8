package command

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
)

// edition says which state of the project a book shows: the newest version in the
// library's CHANGELOG.md, and the newest commit that changed what the notebooks show,
// with its date. Both are parts of the project, so that two books of one state are the
// same; where there is no repository the commit and the date are left out.
func (e *env) edition(ctx context.Context) (version, date string) {
	version = newestVersion(e.Path("mlcore", "CHANGELOG.md"))
	cmd := process.Command(ctx, "git", "-C", e.Root, "-c", "core.abbrev=9", "log", "-1", "--format=%h %cs", "--", "notebooks", "mlcore", "datasets")
	out, err := cmd.Output()
	if err != nil {
		return version, ""
	}
	commit, day, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	when, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return version, ""
	}
	return strings.TrimPrefix(version+", commit "+commit, ", "), when.Format("2 January 2006")
}

// newestVersion is the first version that a list of changes has as a heading.
func newestVersion(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if v, ok := strings.CutPrefix(s.Text(), "## v"); ok {
			return "Version " + strings.TrimSpace(v)
		}
	}
	return ""
}

// coverPicture is the picture of title pages, below the folder of figures: it stands at the
// top of README.md too.
const coverPicture = "lab3/07_hand_out/figure_1_large.png"

const coverAlt = "Class maps of four classifiers of lab 3: nearest neighbours, a decision tree, a random forest and AdaBoost"

// cover is the picture of title pages, nil where the project has none.
func (e *env) cover() []byte {
	png, err := os.ReadFile(e.Path("figures", filepath.FromSlash(coverPicture)))
	if err != nil {
		return nil
	}
	return png
}

// licence is the name of the project's licence, the first line of its file.
func (e *env) licence() string {
	text, err := os.ReadFile(e.Path("LICENSE"))
	if err != nil {
		return ""
	}
	name, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(name)
}
