package plotx_test

import (
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"github.com/mllabs-go/mllabs/mlcore/inspection"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/mlcore/sigtest"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// What the library computes can be drawn, although plotx does not import it.
var (
	_ plotx.ROCCurve        = metrics.ROCCurve{}
	_ plotx.PRCurve         = metrics.PRCurve{}
	_ plotx.Curve           = metrics.CalibrationCurve{}
	_ plotx.ConfusionMatrix = (*metrics.ConfusionMatrix)(nil)
	_ plotx.ScoreCurve      = (*modelsel.Curve)(nil)
	_ plotx.SearchRow       = modelsel.Row[tree.Config]{}
	_ plotx.Ranks           = (*sigtest.FriedmanResult)(nil)
	_ plotx.RankGroups      = (*sigtest.Nemenyi)(nil)
	_ plotx.Dependence      = (*inspection.PartialDependence)(nil)
	_ plotx.TreeClassifier  = (*tree.Classifier)(nil)
	_ plotx.TreeRegressor   = (*tree.Regressor)(nil)
	_ plotx.Hierarchy       = (*cluster.Agglomerative)(nil)
)

// The label that plotx draws in grey is that of package cluster: an array of another length
// would not compile.
var _ [1]struct{} = [-cluster.Noise]struct{}{}

// Every notebook imports plotx, and runs again when something that it imports changes.
// Therefore plotx imports no learner and nothing that judges one.
func TestPlotxImportsNoModels(t *testing.T) {
	got := imported(t, "mlcore/plotx")
	maps.DeleteFunc(got, func(path string, _ bool) bool { return imported(t, "mlcore")[path] })
	want := []string{"mlcore/internal/atomicfile", "mlcore/plotx"}
	if beyond := slices.Sorted(maps.Keys(got)); !slices.Equal(beyond, want) {
		t.Errorf("beyond what package mlcore needs, plotx imports %q, want %q", beyond, want)
	}
}

// imported returns the packages of this module that the given one depends on, under all
// build tags and without tests, and the package itself.
func imported(t *testing.T, path string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	var visit func(path string)
	visit = func(path string) {
		if all[path] {
			return
		}
		all[path] = true
		files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(path), "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files of %s: %v", path, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range f.Imports {
				name, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					t.Fatal(err)
				}
				if own, is := strings.CutPrefix(name, "github.com/mllabs-go/mllabs/"); is {
					visit(own)
				}
			}
		}
	}
	visit(path)
	return all
}
