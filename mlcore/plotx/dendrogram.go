package plotx

import (
	"fmt"
	"image/color"
	"math"
	"strconv"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// defaultLeaves is how many leaves a dendrogram shows unless told otherwise.
const defaultLeaves = 30

// Dendrogram draws the tree of merges of agglomerative clustering: the height of a bracket
// is the distance of the clusters that it joins. Clusters below the cut have their colours,
// and a dashed line says where the cut is. names are those of the rows; nil shows their
// numbers. Of a tree with more than the given number of leaves only the last merges are
// drawn, and a leaf that stands for several rows shows their number in brackets; 0 means
// 30 leaves.
func Dendrogram(title string, m *cluster.Agglomerative, names []string, leaves int) (*Panel, error) {
	bad := func(format string, args ...any) (*Panel, error) {
		return nil, fmt.Errorf("plotx: dendrogram %q: "+format, append([]any{title}, args...)...)
	}
	if m == nil || m.NumFeatures() == 0 {
		return bad("%w", mlcore.ErrNotFitted)
	}
	if leaves == 0 {
		leaves = defaultLeaves
	}
	d := newDendrogram(m)
	switch {
	case len(d.merges) == 0:
		return bad("%w: a single row has no merges", mlcore.ErrEmpty)
	case names != nil && len(names) != d.rows:
		return bad("%w: %d names of %d rows", mlcore.ErrShape, len(names), d.rows)
	case leaves < 2:
		return bad("%w: %d leaves; at least 2", mlcore.ErrConfig, leaves)
	}
	p := newPanel(title, "rows", "distance ("+m.Linkage().String()+" linkage)")
	d.place(p, names, min(leaves, d.rows))
	for _, line := range d.lines {
		p.Add(line)
	}
	d.label(p)
	if k := m.NumClusters(); k > 1 && k <= len(palette) {
		d.keys(p)
	}
	top := d.merges[len(d.merges)-1].Distance
	p.Y.Min, p.Y.Max = 0, 1.05*top
	if top == 0 {
		p.Y.Max = 1
	}
	p.X.Min, p.X.Max = 0.3, float64(len(d.leaves))+0.7
	if k := m.NumClusters(); k > 1 && k < d.rows {
		below, above := d.merges[d.rows-k-1].Distance, d.merges[d.rows-k].Distance
		p.Rules = append(p.Rules, Rule{At: below + (above-below)/2, Name: fmt.Sprintf("cut into %d clusters", k)})
	}
	return p, nil
}

// A dendrogram is a tree of merges as it is drawn.
type dendrogram struct {
	merges []cluster.Merge
	rows   int
	labels []int // the cluster of each row
	made   int   // the merges below the cut
	first  []int // a row of each cluster that a merge makes

	leaves  []string
	grouped bool // a leaf stands for several rows
	lines   []*plotter.Line
}

func newDendrogram(m *cluster.Agglomerative) *dendrogram {
	d := &dendrogram{merges: m.Merges(), labels: m.Labels()}
	d.rows = len(d.labels)
	d.made = d.rows - m.NumClusters()
	for _, p := range d.merges {
		d.first = append(d.first, d.row(p.A))
	}
	return d
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
				text, d.grouped = fmt.Sprintf("(%d)", d.merges[k].Size), true
				y = d.merges[k].Distance
			case names != nil:
				text = names[node]
			}
			d.leaves = append(d.leaves, text)
			return float64(len(d.leaves)), y
		}
		at := d.merges[k]
		ax, ay := visit(at.A)
		bx, by := visit(at.B)
		d.line(at.A, plotter.XYs{{X: ax, Y: ay}, {X: ax, Y: at.Distance}})
		d.line(at.B, plotter.XYs{{X: bx, Y: by}, {X: bx, Y: at.Distance}})
		d.line(node, plotter.XYs{{X: ax, Y: at.Distance}, {X: bx, Y: at.Distance}})
		return ax + (bx-ax)/2, at.Distance
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
