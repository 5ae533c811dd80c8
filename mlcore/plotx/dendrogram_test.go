package plotx_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
)

func merges(t *testing.T, values ...float64) *cluster.Agglomerative {
	t.Helper()
	m, err := cluster.AgglomerativeConfig{Linkage: cluster.Single}.Fit(mlcore.FromMatrix[int](mat.NewDense(len(values), 1, values), nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// By hand: 1 and 2, then 9 and 10, then 4 to the first two, and these to 9 and 10.
func TestDendrogram(t *testing.T) {
	m := merges(t, 1, 9, 2, 4, 10)
	leaves := func(names []string, most int) []string {
		t.Helper()
		p, err := plotx.Dendrogram("five", m, names, most)
		if err != nil {
			t.Fatal(err)
		}
		if p.Y.Min != 0 || !(p.Y.Max > 5) || len(p.Rules) != 1 || p.Rules[0].At != 3.5 {
			t.Errorf("axis from %v to %v, cut at %v; want from 0 to above 5, and 3.5", p.Y.Min, p.Y.Max, p.Rules)
		}
		if _, err := plotx.PNG(p); err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, tick := range p.X.Tick.Marker.(plot.ConstantTicks) {
			texts = append(texts, strings.TrimSpace(tick.Label))
		}
		return texts
	}
	for _, c := range []struct {
		names []string
		most  int
		want  []string
	}{
		{nil, 0, []string{"1", "4", "3", "0", "2"}},
		{[]string{"a", "b", "c", "d", "e"}, 9, []string{"b", "e", "d", "a", "c"}},
		{[]string{"a", "b", "c", "d", "e"}, 3, []string{"(2)", "d", "(2)"}},
		{[]string{"a", "quite long a name", "c", "d", "e"}, 4, []string{"quite long a name", "e", "d", "(2)"}},
		{nil, 2, []string{"(2)", "(3)"}},
	} {
		if got := leaves(c.names, c.most); !slices.Equal(got, c.want) {
			t.Errorf("%d leaves: %q, want %q", c.most, got, c.want)
		}
	}
}

// A hierarchy is one that another library made.
type hierarchy struct {
	labels  []int
	linkage *mat.Dense
}

func (h hierarchy) Labels() []int             { return h.labels }
func (h hierarchy) LinkageName() string       { return "centroid" }
func (h hierarchy) LinkageMatrix() *mat.Dense { return h.linkage }

func TestDendrogramRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		m     *cluster.Agglomerative
		names []string
		most  int
		want  error
	}{
		"nil":            {nil, nil, 0, mlcore.ErrNotFitted},
		"not fitted":     {new(cluster.Agglomerative), nil, 0, mlcore.ErrNotFitted},
		"one row":        {merges(t, 3), nil, 0, mlcore.ErrEmpty},
		"too few names":  {merges(t, 3, 4), []string{"a"}, 0, mlcore.ErrShape},
		"too few leaves": {merges(t, 3, 4), nil, 1, mlcore.ErrConfig},
	} {
		if _, err := plotx.Dendrogram(name, c.m, c.names, c.most); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want one that wraps %v", name, err, c.want)
		}
	}
	row := func(z ...float64) []float64 { return z }
	for name, c := range map[string]struct {
		h    hierarchy
		want error
	}{
		"no matrix":          {hierarchy{[]int{0, 1}, nil}, mlcore.ErrShape},
		"three columns":      {hierarchy{[]int{0, 1}, mat.NewDense(1, 3, row(0, 1, 2))}, mlcore.ErrShape},
		"too many merges":    {hierarchy{[]int{0, 0}, mat.NewDense(2, 4, row(0, 1, 2, 2, 2, 1, 3, 3))}, mlcore.ErrShape},
		"no such cluster":    {hierarchy{[]int{0, 1}, mat.NewDense(1, 4, row(0, 2, 1, 2))}, mlcore.ErrShape},
		"half a cluster":     {hierarchy{[]int{0, 1}, mat.NewDense(1, 4, row(0, 0.5, 1, 2))}, mlcore.ErrShape},
		"merged with itself": {hierarchy{[]int{0, 1}, mat.NewDense(1, 4, row(1, 1, 1, 2))}, mlcore.ErrShape},
		"merged twice":       {hierarchy{[]int{0, 1, 2}, mat.NewDense(2, 4, row(0, 1, 1, 2, 1, 2, 2, 2))}, mlcore.ErrShape},
		"distance of NaN":    {hierarchy{[]int{0, 1}, mat.NewDense(1, 4, row(0, 1, math.NaN(), 2))}, mlcore.ErrNonFinite},
		"negative label":     {hierarchy{[]int{0, -1}, mat.NewDense(1, 4, row(0, 1, 1, 2))}, mlcore.ErrLabel},
		"label too large":    {hierarchy{[]int{0, 2}, mat.NewDense(1, 4, row(0, 1, 1, 2))}, mlcore.ErrLabel},
	} {
		if _, err := plotx.Dendrogram(name, c.h, nil, 0); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want one that wraps %v", name, err, c.want)
		}
	}
	// Rows that are all alike are merged at 0.
	p, err := plotx.Dendrogram("alike", merges(t, 1, 1, 1), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plotx.PNG(p); err != nil {
		t.Error(err)
	}
}
