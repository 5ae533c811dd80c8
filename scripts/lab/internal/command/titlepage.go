package command

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
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

// cover draws the picture of the title page: what a random forest makes of the data of
// lab 3 that are embedded in package datasets, so that no file is looked for.
func cover() (png []byte, alt string, err error) {
	ds, err := datasets.LoadDataset("synthetic")
	if err != nil {
		return nil, "", fmt.Errorf("the cover: %w", err)
	}
	forest, err := ensemble.ForestConfig{Estimators: 100, Seed: 1}.FitClassifier(ds)
	if err != nil {
		return nil, "", fmt.Errorf("the cover: %w", err)
	}
	p, err := plotx.ClassMap(ds, forest.Predict, plotx.MapOptions{Title: "A random forest of 100 trees", Resolution: 300})
	if err != nil {
		return nil, "", fmt.Errorf("the cover: %w", err)
	}
	png, err = plotx.PNG(p.Resize(5, 5))
	return png, "Class map of a random forest on the data of lab 3", err
}
