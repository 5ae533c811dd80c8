package plotx

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Ranks are what [CriticalDifference] draws along its axis, such as a
// *sigtest.FriedmanResult.
type Ranks interface {
	// Ranks returns the average rank of each model, 1 for one that is always the best, and
	// the number of data sets over which they are averaged.
	Ranks() (average []float64, dataSets int)
}

// RankGroups are the bars of [CriticalDifference], such as a *sigtest.Nemenyi.
type RankGroups interface {
	// Diagram returns the distance of average ranks from which two models differ at the
	// significance level alpha, and the groups of models that do not differ, by their
	// indices among the ranks and from the best of the group to the worst.
	Diagram() (criticalDifference, alpha float64, groups [][]int)
}

// CriticalDifference draws the diagram of Demšar (2006, JMLR 7, section 3.2.4): an
// axis of average ranks with the best on the right, the models hanging from it, a
// bar as long as the critical difference, and thick bars that join the models which
// do not differ significantly. names are those of the models, in the columns' order
// of the Friedman test.
func CriticalDifference(title string, names []string, r Ranks, n RankGroups) (Figure, error) {
	bad := func(format string, args ...any) (Figure, error) {
		return nil, fmt.Errorf("plotx: critical difference %q: "+format, append([]any{title}, args...)...)
	}
	if given.IsNil(r) || given.IsNil(n) {
		return bad("%w: no result", mlcore.ErrEmpty)
	}
	ranks, dataSets := r.Ranks()
	cd, alpha, groups := n.Diagram()
	k := len(ranks)
	if k < 2 || len(names) != k {
		return bad("%w: %d names, %d ranks", mlcore.ErrShape, len(names), k)
	}
	if err := cmp.Or(checkFinite("rank", ranks), checkFinite("difference", []float64{cd})); err != nil {
		return bad("%w", err)
	}
	f := &cdFigure{title: title, cd: cd, alpha: alpha, dataSets: dataSets}
	order := make([]int, k)
	for m := range order {
		order[m] = m
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(ranks[i], ranks[j]) })
	place := make([]int, k)
	for i, m := range order {
		place[m] = i
		f.models = append(f.models, cdModel{ranks[m], fmt.Sprintf("%s (%.2f)", names[m], ranks[m])})
	}
	for _, group := range groups {
		if len(group) == 0 || slices.Min(group) < 0 || slices.Max(group) >= k {
			return bad("%w: a group of models %v of %d", mlcore.ErrShape, group, k)
		}
		f.groups = append(f.groups, cdGroup{from: place[group[0]], to: place[group[len(group)-1]]})
	}
	f.stack()
	return f, nil
}

// cdFigure is a diagram; models run from the best to the worst.
type cdFigure struct {
	title     string
	models    []cdModel
	groups    []cdGroup
	levels    int // of bars, one below the other
	cd, alpha float64
	dataSets  int
}

type cdModel struct {
	rank float64
	text string
}

// cdGroup joins models from..to, places in order, at a level below the axis.
type cdGroup struct{ from, to, level int }

// stack puts bars on different levels unless a model lies between them: those of
// neighbours would look like one.
func (f *cdFigure) stack() {
	var ends []int // by level, the last model that is joined
	for g := range f.groups {
		group := &f.groups[g]
		for group.level < len(ends) && ends[group.level]+1 >= group.from {
			group.level++
		}
		if group.level == len(ends) {
			ends = append(ends, 0)
		}
		ends[group.level] = group.to
	}
	f.levels = len(ends)
}

const (
	cdAxisWidth = vg.Length(290)
	cdTitle     = vg.Length(24)
	cdHead      = vg.Length(54) // from the title to the axis: bar of the difference, tick labels
	cdLevel     = vg.Length(7)
	cdRow       = vg.Length(17)
	cdStub      = vg.Length(14) // from the axis's end to a label
)

// half is the number of models on the right, the better ones.
func (f *cdFigure) half() int { return (len(f.models) + 1) / 2 }

// labelWidths are those of the widest labels on the left and the right.
func (f *cdFigure) labelWidths() (left, right vg.Length) {
	sty := textStyle(9)
	for i, m := range f.models {
		if i < f.half() {
			right = max(right, sty.Width(m.text))
		} else {
			left = max(left, sty.Width(m.text))
		}
	}
	return left, right
}

func (f *cdFigure) Size() (width, height vg.Length) {
	left, right := f.labelWidths()
	width = left + right + cdAxisWidth + 2*cdStub + 4*margin
	return width, cdTitle + cdHead + f.depth(f.half()-1) + cdRow + margin
}

// depth is how far below the axis the label of row i, from 0, lies.
func (f *cdFigure) depth(i int) vg.Length {
	return cdLevel*vg.Length(f.levels+1) + 6 + cdRow*vg.Length(i)
}

func (f *cdFigure) Draw(c draw.Canvas) {
	c.SetColor(canvas)
	c.Fill(c.Rectangle.Path())
	head := textStyle(11)
	head.XAlign, head.YAlign = draw.XCenter, draw.YTop
	c.FillText(head, vg.Point{X: (c.Min.X + c.Max.X) / 2, Y: c.Max.Y - margin}, f.title)

	left, right := f.labelWidths()
	start, end := c.Min.X+left+cdStub+2*margin, c.Max.X-right-cdStub-2*margin
	worst := float64(len(f.models))
	// A critical difference longer than the axis shortens the axis.
	unit := (end - start) / vg.Length(max(worst-1, f.cd))
	at := func(rank float64) vg.Length { return start + unit*vg.Length(worst-rank) }
	axis := c.Max.Y - cdTitle - cdHead
	thin := draw.LineStyle{Color: ink, Width: vg.Points(0.9)}
	f.drawAxis(c, at, axis, thin)

	bar := axis + 26
	c.StrokeLine2(thin, start, bar, start+unit*vg.Length(f.cd), bar)
	for _, x := range []vg.Length{start, start + unit*vg.Length(f.cd)} {
		c.StrokeLine2(thin, x, bar-3, x, bar+3)
	}
	sty := textStyle(9)
	c.FillText(sty, vg.Point{X: start, Y: bar + 6}, fmt.Sprintf("critical difference %.2f (α = %g, %d data sets)", f.cd, f.alpha, f.dataSets))

	for i, m := range f.models {
		label := textStyle(9)
		label.YAlign = -0.45
		row, to, text := i, end+cdStub, end+cdStub+4
		if i >= f.half() {
			row, to, text = len(f.models)-1-i, start-cdStub, start-cdStub-4
			label.XAlign = draw.XRight
		}
		y := axis - f.depth(row)
		c.StrokeLines(draw.LineStyle{Color: Color(7), Width: vg.Points(0.8)}, []vg.Point{{X: at(m.rank), Y: axis}, {X: at(m.rank), Y: y}, {X: to, Y: y}})
		c.FillText(label, vg.Point{X: text, Y: y}, m.text)
	}
	for _, g := range f.groups {
		y := axis - cdLevel*vg.Length(g.level+1)
		c.StrokeLine2(draw.LineStyle{Color: Color(0), Width: vg.Points(3.2)}, at(f.models[g.to].rank)-3, y, at(f.models[g.from].rank)+3, y)
	}
}

// drawAxis draws the ranks 1 to k, the best on the right.
func (f *cdFigure) drawAxis(c draw.Canvas, at func(float64) vg.Length, y vg.Length, line draw.LineStyle) {
	k := len(f.models)
	c.StrokeLine2(line, at(float64(k)), y, at(1), y)
	tick := textStyle(8.5)
	tick.XAlign = draw.XCenter
	for r := 1; r <= k; r++ {
		x := at(float64(r))
		c.StrokeLine2(line, x, y, x, y+4)
		c.FillText(tick, vg.Point{X: x, Y: y + 7}, fmt.Sprint(r))
	}
}
