package plotx

import (
	"fmt"
	"image/color"
	"math"
	"strconv"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// defaultLeaves is how many leaves a dendrogram shows unless told otherwise.
const defaultLeaves = 30

// A Hierarchy is what [Dendrogram] draws, such as a *cluster.Agglomerative: a tree of merges
// of n rows, cut into clusters.
type Hierarchy interface {
	// Labels returns the cluster of each row, counted from 0.
	Labels() []int
	// LinkageName returns the distance between clusters by which they were merged, such
	// as "single".
	LinkageName() string
	// LinkageMatrix returns a row for each of the n-1 merges, in the form of SciPy's
	// linkage matrix: two clusters, their distance, and the number of rows in both. Clusters
	// 0 to n-1 are the rows alone, and merge k makes cluster n+k.
	LinkageMatrix() *mat.Dense
}

// Dendrogram draws the tree of merges of agglomerative clustering: the height of a bracket
// is the distance of the clusters that it joins. Clusters below the cut have their colours,
// and a dashed line says where the cut is. names are those of the rows; nil shows their
// numbers. Of a tree with more than the given number of leaves only the last merges are
// drawn, and a leaf that stands for several rows shows their number in brackets; 0 means
// 30 leaves.
func Dendrogram(title string, m Hierarchy, names []string, leaves int) (*Panel, error) {
	bad := func(format string, args ...any) (*Panel, error) {
		return nil, fmt.Errorf("plotx: dendrogram %q: "+format, append([]any{title}, args...)...)
	}
	if given.IsNil(m) || len(m.Labels()) == 0 {
		return bad("%w", mlcore.ErrNotFitted)
	}
	if leaves == 0 {
		leaves = defaultLeaves
	}
	d, err := newDendrogram(m)
	switch {
	case err != nil:
		return bad("%w", err)
	case len(d.merges) == 0:
		return bad("%w: a single row has no merges", mlcore.ErrEmpty)
	case names != nil && len(names) != d.rows:
		return bad("%w: %d names of %d rows", mlcore.ErrShape, len(names), d.rows)
	case leaves < 2:
		return bad("%w: %d leaves; at least 2", mlcore.ErrConfig, leaves)
	}
	p := newPanel(title, "rows", "distance ("+m.LinkageName()+" linkage)")
	d.place(p, names, min(leaves, d.rows))
	for _, line := range d.lines {
		p.Add(line)
	}
	d.label(p)
	k := d.rows - d.made
	if k > 1 && k <= len(palette) {
		d.keys(p)
	}
	top := d.merges[len(d.merges)-1].distance
	p.Y.Min, p.Y.Max = 0, 1.05*top
	if top == 0 {
		p.Y.Max = 1
	}
	p.X.Min, p.X.Max = 0.3, float64(len(d.leaves))+0.7
	if k > 1 && k < d.rows {
		below, above := d.merges[d.rows-k-1].distance, d.merges[d.rows-k].distance
		p.Rules = append(p.Rules, Rule{At: below + (above-below)/2, Name: fmt.Sprintf("cut into %d clusters", k)})
	}
	return p, nil
}

// A merge is of the clusters a and b.
type merge struct {
	a, b     int
	distance float64
	size     int
}

// A dendrogram is a tree of merges as it is drawn.
type dendrogram struct {
	merges []merge
	rows   int
	labels []int // the cluster of each row
	made   int   // the merges below the cut
	first  []int // a row of each cluster that a merge makes

	leaves  []string
	grouped bool // a leaf stands for several rows
	lines   []*plotter.Line
}

// newDendrogram checks that the merges are a tree.
func newDendrogram(m Hierarchy) (*dendrogram, error) {
	d := &dendrogram{labels: m.Labels()}
	d.rows = len(d.labels)
	clusters := 0
	for i, k := range d.labels {
		if k < 0 || k >= d.rows {
			return nil, fmt.Errorf("%w: row %d is in cluster %d of at most %d", mlcore.ErrLabel, i, k, d.rows)
		}
		clusters = max(clusters, k+1)
	}
	d.made = d.rows - clusters
	linkage := m.LinkageMatrix()
	if given.IsNil(linkage) {
		linkage = &mat.Dense{}
	}
	if r, c := linkage.Dims(); r != d.rows-1 || r > 0 && c != 4 {
		return nil, fmt.Errorf("%w: a linkage matrix of %d×%d for %d rows", mlcore.ErrShape, r, c, d.rows)
	}
	merged := make([]bool, 2*d.rows-1)
	for k := range d.rows - 1 {
		v := linkage.RawRowView(k)
		if err := checkFinite("number", v); err != nil {
			return nil, fmt.Errorf("merge %d: %w", k, err)
		}
		p := merge{int(v[0]), int(v[1]), v[2], int(v[3])}
		if float64(p.a) != v[0] || float64(p.b) != v[1] || min(p.a, p.b) < 0 || max(p.a, p.b) >= d.rows+k || p.a == p.b || merged[p.a] || merged[p.b] {
			return nil, fmt.Errorf("%w: merge %d is of clusters %v and %v, which are merged already or not there", mlcore.ErrShape, k, v[0], v[1])
		}
		merged[p.a], merged[p.b] = true, true
		d.merges, d.first = append(d.merges, p), append(d.first, d.row(p.a))
	}
	return d, nil
}

// row is one of the rows of a cluster, by its number among rows and merges.
func (d *dendrogram) row(node int) int {
	if node < d.rows {
		return node
	}
	return d.first[node-d.rows]
}

// place draws brackets from the root down, and so finds the order of the leaves.
func (d *dendrogram) place(p *Panel, names []string, leaves int) {
	shown := d.rows - leaves // the first merge that is drawn
	var visit func(node int) (x, y float64)
	visit = func(node int) (x, y float64) {
		k := node - d.rows
		if k < shown {
			text := strconv.Itoa(d.row(node))
			switch {
			case k >= 0:
				text, d.grouped = fmt.Sprintf("(%d)", d.merges[k].size), true
				y = d.merges[k].distance
			case names != nil:
				text = names[node]
			}
			d.leaves = append(d.leaves, text)
			return float64(len(d.leaves)), y
		}
		at := d.merges[k]
		ax, ay := visit(at.a)
		bx, by := visit(at.b)
		d.line(at.a, plotter.XYs{{X: ax, Y: ay}, {X: ax, Y: at.distance}})
		d.line(at.b, plotter.XYs{{X: bx, Y: by}, {X: bx, Y: at.distance}})
		d.line(node, plotter.XYs{{X: ax, Y: at.distance}, {X: bx, Y: at.distance}})
		return ax + (bx-ax)/2, at.distance
	}
	visit(d.rows + len(d.merges) - 1)
}

// line draws in the colour of the cluster that a node is within.
func (d *dendrogram) line(node int, points plotter.XYs) {
	style := draw.LineStyle{Color: d.color(node), Width: vg.Points(1.3)}
	d.lines = append(d.lines, &plotter.Line{XYs: points, LineStyle: style})
}

func (d *dendrogram) color(node int) color.Color {
	if node-d.rows >= d.made {
		return ink // above the cut
	}
	return Color(d.labels[d.row(node)])
}

// keys says which colour is which cluster, in the order of the first row of each.
func (d *dendrogram) keys(p *Panel) {
	sizes := make([]int, d.rows-d.made)
	for _, k := range d.labels {
		sizes[k]++
	}
	for k, size := range sizes {
		line := draw.LineStyle{Color: Color(k), Width: vg.Points(1.3)}
		p.Keys = append(p.Keys, Key{Text: fmt.Sprintf("cluster %d (%d)", k, size), Line: &line, Color: Color(k)})
	}
}

// label names the leaves, upright where they would not have room side by side.
func (d *dendrogram) label(p *Panel) {
	const room = vg.Length(13) // of an upright label
	sty := textStyle(8.5)
	widest := vg.Length(0)
	ticks := make(plot.ConstantTicks, len(d.leaves))
	for i, text := range d.leaves {
		widest = max(widest, sty.Width(text))
		ticks[i] = plot.Tick{Value: float64(i + 1), Label: text}
	}
	p.X.Tick.Marker = ticks
	p.X.Tick.LineStyle.Width = 0
	if d.grouped {
		p.X.Label.Text = "rows; (k) stands for k of them"
	}
	each := room
	if widest+6 < 2*room {
		each = max(room, widest+6)
	} else {
		p.X.Tick.Label.Rotation = math.Pi / 2
		p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = draw.XRight, -0.35 // amid the small letters
		for i := range ticks {
			ticks[i].Label += "  " // away from the axis
		}
	}
	p.Width = max(p.Width, each*vg.Length(len(d.leaves))+60)
}
