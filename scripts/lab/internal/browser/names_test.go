package browser

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"
)

// What an editor shows of packages. Oracle: their sources, as go doc prints them.
func TestNames(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles packages")
	}
	g, _, err := newGoCommand(context.Background(), root)
	if err != nil {
		t.Fatal(err)
	}
	all, err := g.packages(context.Background(), []string{"math", "gonum.org/v1/gonum/mat", "github.com/mllabs-go/mllabs/mlcore/tree"}, filepath.Join(t.TempDir(), "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := names(all, []string{"gonum.org/v1/gonum/mat", "math", "no/such/package", "github.com/mllabs-go/mllabs/mlcore/tree"})
	if err != nil {
		t.Fatal(err)
	}
	var list []named
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != 3 || list[0].Name != "mat" || list[1].Name != "math" || list[2].Name != "tree" {
		t.Fatalf("%d packages", len(list))
	}
	for _, c := range []struct {
		pkg  int
		want name
	}{
		{1, name{Name: "Sqrt", Kind: "func", Sig: "func Sqrt(x float64) float64", Doc: "Sqrt returns the square root of x."}},
		{1, name{Name: "Pi", Kind: "const", Sig: "const Pi", Doc: "https://oeis.org/A000796"}},
		{0, name{Name: "NewDense", Kind: "func", Sig: "func NewDense(r, c int, data []float64) *Dense", Doc: "NewDense creates a new Dense matrix with r rows and c columns.", Type: "mat.Dense"}},
		{0, name{Name: "At", Kind: "method", Of: "Dense", Sig: "func (m *Dense) At(i, j int) float64", Doc: "At returns the element at row i, column j."}},
		{0, name{Name: "Dims", Kind: "field", Of: "Matrix", Sig: "Dims() (r, c int)", Doc: "Dims returns the dimensions of a Matrix."}},
		{2, name{Name: "Config", Kind: "type", Sig: "type Config struct", Type: "tree.Config"}},
		{2, name{Name: "MaxDepth", Kind: "field", Of: "Config", Sig: "MaxDepth int"}},
		{2, name{Name: "FitClassifier", Kind: "method", Of: "Config", Sig: "func (c Config) FitClassifier(ds *mlcore.Dataset) (*Classifier, error)", Type: "tree.Classifier"}},
	} {
		i := slices.IndexFunc(list[c.pkg].Names, func(n name) bool { return n.Name == c.want.Name && n.Of == c.want.Of })
		if i < 0 {
			t.Errorf("%s has no %s", list[c.pkg].Name, c.want.Name)
			continue
		}
		got := list[c.pkg].Names[i]
		if c.want.Doc == "" && got.Doc != "" {
			got.Doc = "" // there is one, whatever it says
		}
		if got != c.want {
			t.Errorf("got  %+v\nwant %+v", got, c.want)
		}
	}
	for _, p := range list {
		for _, n := range p.Names {
			if r := n.Name[0]; r < 'A' || r > 'Z' {
				t.Errorf("%s.%s is not exported", p.Name, n.Name)
			}
		}
	}
}
