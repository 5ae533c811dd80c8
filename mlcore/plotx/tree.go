package plotx

import (
	"fmt"
	"image/color"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A TreeNode is a node of a drawing of a tree: of a fitted model or of one that
// a reader has written from scratch.
type TreeNode struct {
	// Text is what stands in the box; lines are separated by "\n".
	Text string
	// Class colours the box. Strength, 0 to 1, is how strongly: the purity of a
	// node, say.
	Class    int
	Strength float64
	// Edge is written on the line from the parent.
	Edge string
	// Children are drawn from left to right. A leaf has none.
	Children []*TreeNode
}

// Tree draws a tree, root on top, parents centred over their children. The
// figure is as large as the tree needs.
func Tree(title string, root *TreeNode) (Figure, error) {
	if root == nil {
		return nil, fmt.Errorf("plotx: tree %q: %w: the root is nil", title, mlcore.ErrEmpty)
	}
	if err := root.check(0); err != nil {
		return nil, fmt.Errorf("plotx: tree %q: %w", title, err)
	}
	f := &treeFigure{title: title}
	f.root = f.layout(root, 0)
	return f, nil
}

// check refuses a child that is nil, and a node that is a child of its own, which looks like
// a tree that is too deep to draw.
func (n *TreeNode) check(depth int) error {
	const deepest = 1000
	if depth > deepest {
		return fmt.Errorf("%w: there are more than %d levels; is a node below itself?", mlcore.ErrConfig, deepest)
	}
	for i, c := range n.Children {
		if c == nil {
			return fmt.Errorf("%w: child %d of the node %q is nil; leave it out", mlcore.ErrEmpty, i, n.Text)
		}
		if err := c.check(depth + 1); err != nil {
			return err
		}
	}
	return nil
}

const (
	treeFontSize = vg.Length(8.5)
	treeLine     = vg.Length(11)
	boxPad       = vg.Length(5)
	levelGap     = vg.Length(26)
	siblingGap   = vg.Length(10)
)

// placed is a node with its place: x is the centre, counted from the left.
type placed struct {
	node     *TreeNode
	x, w, h  vg.Length
	depth    int
	children []*placed
}

type treeFigure struct {
	title  string
	root   *placed
	levels []vg.Length // height of the tallest box of each level
	right  []vg.Length // first free x of each level
	width  vg.Length
}

// layout places the children first and the parent over their middle; a parent
// that would overlap its left neighbour pushes its whole subtree to the right.
func (f *treeFigure) layout(n *TreeNode, depth int) *placed {
	p := &placed{node: n, depth: depth}
	sty := textStyle(treeFontSize)
	lines := strings.Split(n.Text, "\n")
	for _, l := range lines {
		p.w = max(p.w, sty.Width(l))
	}
	// An edge label hangs over the line into the box and needs room too.
	p.w = max(p.w, sty.Width(n.Edge)+14) + 2*boxPad
	p.h = treeLine*vg.Length(len(lines)) + 2*boxPad
	if depth == len(f.levels) {
		f.levels, f.right = append(f.levels, 0), append(f.right, 0)
	}
	f.levels[depth] = max(f.levels[depth], p.h)
	for _, c := range n.Children {
		p.children = append(p.children, f.layout(c, depth+1))
	}
	p.x = f.right[depth] + p.w/2
	if k := len(p.children); k > 0 {
		mid := (p.children[0].x + p.children[k-1].x) / 2
		if mid < p.x {
			f.shift(p.children, p.x-mid)
		} else {
			p.x = mid
		}
	}
	f.right[depth] = p.x + p.w/2 + siblingGap
	f.width = max(f.width, p.x+p.w/2)
	return p
}

func (f *treeFigure) shift(nodes []*placed, by vg.Length) {
	for _, p := range nodes {
		p.x += by
		f.right[p.depth] = max(f.right[p.depth], p.x+p.w/2+siblingGap)
		f.width = max(f.width, p.x+p.w/2)
		f.shift(p.children, by)
	}
}

func (f *treeFigure) Size() (width, height vg.Length) {
	height = 2 * margin
	for _, h := range f.levels {
		height += h
	}
	height += levelGap * vg.Length(len(f.levels)-1)
	if f.title != "" {
		height += gridTitle
	}
	return max(f.width, textStyle(11).Width(f.title)) + 2*margin, height
}

func (f *treeFigure) Draw(c draw.Canvas) {
	c.SetColor(canvas)
	c.Fill(c.Rectangle.Path())
	top := c.Max.Y - margin
	if f.title != "" {
		sty := textStyle(11)
		sty.XAlign, sty.YAlign = draw.XCenter, draw.YTop
		c.FillText(sty, vg.Point{X: (c.Min.X + c.Max.X) / 2, Y: top}, f.title)
		top -= gridTitle
	}
	left := c.Min.X + (c.Max.X-c.Min.X-f.width)/2
	f.drawNode(c, f.root, left, top)
}

func (f *treeFigure) drawNode(c draw.Canvas, p *placed, left, top vg.Length) {
	at := vg.Point{X: left + p.x, Y: top - p.h/2}
	below := top - f.levels[p.depth] - levelGap
	line := draw.LineStyle{Color: color.RGBA{0x88, 0x88, 0x88, 0xff}, Width: vg.Points(0.8)}
	for _, child := range p.children {
		to := vg.Point{X: left + child.x, Y: below}
		c.StrokeLine2(line, at.X, top-p.h, to.X, to.Y)
		if child.node.Edge != "" {
			sty := centred(treeFontSize - 1)
			mid := vg.Point{X: (at.X + 2*to.X) / 3, Y: (top - p.h + 2*to.Y) / 3}
			w := sty.Width(child.node.Edge) + 4
			c.FillPolygon(canvas, box(mid, w, treeLine-1))
			c.FillText(sty, mid, child.node.Edge)
		}
		f.drawNode(c, child, left, below)
	}
	outline := box(at, p.w, p.h)
	c.FillPolygon(Tint(p.node.Class, 0.06+0.5*min(max(p.node.Strength, 0), 1)), outline)
	c.StrokeLines(draw.LineStyle{Color: Color(p.node.Class), Width: vg.Points(0.9)}, append(outline, outline[0]))
	lines := strings.Split(p.node.Text, "\n")
	for i, l := range lines {
		y := at.Y + treeLine*(vg.Length(len(lines)-1)/2-vg.Length(i))
		c.FillText(centred(treeFontSize), vg.Point{X: at.X, Y: y}, l)
	}
}

func box(at vg.Point, w, h vg.Length) []vg.Point {
	return []vg.Point{
		{X: at.X - w/2, Y: at.Y - h/2}, {X: at.X + w/2, Y: at.Y - h/2},
		{X: at.X + w/2, Y: at.Y + h/2}, {X: at.X - w/2, Y: at.Y + h/2},
	}
}
