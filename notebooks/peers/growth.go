package peers

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
)

// Growth is how the cost of some work grows with the data, measured on one machine
// by "lab bench --growth".
type Growth struct {
	// Measured is the day.
	Measured string `json:"measured"`
	// Machine is the name of its processor and Processors how many it has.
	Machine    string            `json:"machine"`
	Processors int               `json:"processors"`
	Versions   map[string]string `json:"versions"`
	// Points are those of [GrowthGrid], in its order.
	Points []GrowthPoint `json:"points"`
}

// A GrowthCase is work on data of one size.
type GrowthCase struct {
	// Work is what is timed: [CART], [Forest], [Boosting] or [Prediction].
	Work string `json:"work"`
	// Peer is the library on the other side.
	Peer    string `json:"peer"`
	Rows    int    `json:"rows"` // for training
	Columns int    `json:"columns"`
	Classes int    `json:"classes"`
	// Threads is how many processors each side may use.
	Threads int `json:"threads"`
	// LeftOut says why the peer's side is not measured; empty where it is.
	LeftOut string `json:"left_out,omitempty"`
}

// A GrowthPoint is what work on data of one size took. Times are medians in seconds of
// Runs runs, and memory is the most that the process ever had resident, in bytes: what
// the program takes by itself and the data included. The peer's fields are 0 where its
// side is left out.
type GrowthPoint struct {
	GrowthCase
	Runs          int     `json:"runs"`
	Seconds       float64 `json:"seconds"`
	PeerSeconds   float64 `json:"peer_seconds,omitempty"`
	Score         float64 `json:"score"` // accuracy on new rows
	PeerScore     float64 `json:"peer_score,omitempty"`
	PeakBytes     int64   `json:"peak_bytes"`
	PeerPeakBytes int64   `json:"peer_peak_bytes,omitempty"`
}

// The works of [GrowthGrid].
const (
	// CART is fitting one tree without limits.
	CART = "CART"
	// Forest is fitting a random forest of [GrowthTrees] trees.
	Forest = "random forest"
	// Boosting is fitting [GrowthTrees] rounds of trees of at most 31 leaves on
	// histograms.
	Boosting = "histogram boosting"
	// Prediction is predicting [GrowthQueries] rows by one tree without limits.
	Prediction = "prediction"
)

const (
	// GrowthTrees is how many trees a forest has, and rounds a boosted model.
	GrowthTrees = 20
	// GrowthQueries is how many new rows there are.
	GrowthQueries = 10_000
)

// An Axis is what grows while the rest stays.
type Axis string

// What a [GrowthCase] has a number of.
const (
	Rows    Axis = "rows"
	Columns Axis = "columns"
	Classes Axis = "classes"
	Threads Axis = "threads"
)

// Of is the case's number of what grows along the axis.
func (a Axis) Of(c GrowthCase) int {
	switch a {
	case Rows:
		return c.Rows
	case Columns:
		return c.Columns
	case Classes:
		return c.Classes
	case Threads:
		return c.Threads
	}
	return 0
}

// from is the size that the points along an axis share, apart from what grows.
func (a Axis) from() GrowthCase {
	c := GrowthCase{Rows: 10_000, Columns: 20, Classes: 2, Threads: 2}
	if a == Threads {
		c.Rows = 100_000
	}
	return c
}

// with is the case with another number of what grows along the axis.
func (a Axis) with(c GrowthCase, n int) GrowthCase {
	switch a {
	case Rows:
		c.Rows = n
	case Columns:
		c.Columns = n
	case Classes:
		c.Classes = n
	case Threads:
		c.Threads = n
	}
	return c
}

// GrowthGrid lists what is measured, each case once although some lie on several
// axes.
func GrowthGrid() []GrowthCase {
	axes := []struct {
		axis Axis
		at   []int
	}{
		{Rows, []int{1000, 10_000, 100_000, 1_000_000}},
		{Columns, []int{5, 10, 20, 40, 80}},
		{Classes, []int{2, 4, 8, 16, 32}},
		{Threads, []int{1, 2}},
	}
	var grid []GrowthCase
	for _, work := range []struct {
		name, peer string
		axes       int // how many of the axes
	}{
		{CART, "scikit-learn", 4}, {Forest, "scikit-learn", 4}, {Boosting, "LightGBM", 4},
		{Prediction, "scikit-learn", 1},
	} {
		for _, along := range axes[:work.axes] {
			for _, n := range along.at {
				c := along.axis.with(along.axis.from(), n)
				c.Work, c.Peer = work.name, work.peer
				if work.name == Forest && c.Rows >= 1_000_000 {
					c.LeftOut = "one run of scikit-learn takes minutes"
				}
				if !slices.Contains(grid, c) {
					grid = append(grid, c)
				}
			}
		}
	}
	return grid
}

// Along lists the points of some work along an axis, in ascending order.
func (g *Growth) Along(axis Axis, work string) []GrowthPoint {
	var along []GrowthPoint
	for _, p := range g.Points {
		want := axis.with(axis.from(), axis.Of(p.GrowthCase))
		want.Work, want.Peer, want.LeftOut = work, p.Peer, p.LeftOut
		if p.GrowthCase == want {
			along = append(along, p)
		}
	}
	slices.SortFunc(along, func(a, b GrowthPoint) int {
		return cmp.Compare(axis.Of(a.GrowthCase), axis.Of(b.GrowthCase))
	})
	return along
}

// ParseGrowth reads what "lab bench --growth" has written. A file that lacks a point of
// [GrowthGrid], has another or one without a time is an error, which says where.
func ParseGrowth(data []byte) (*Growth, error) {
	var g Growth
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&g); err != nil {
		return nil, fmt.Errorf("growth: %w: measure it again with \"lab bench --growth\"", err)
	}
	if err := g.Check(); err != nil {
		return nil, err
	}
	return &g, nil
}

// Check returns an error unless all points of [GrowthGrid] are there, each measured.
func (g *Growth) Check() error {
	grid := GrowthGrid()
	if len(g.Points) != len(grid) {
		return fmt.Errorf("growth: %w: %d points, want %d: measure it again with \"lab bench --growth\"", mlcore.ErrShape, len(g.Points), len(grid))
	}
	for i, p := range g.Points {
		if p.GrowthCase != grid[i] {
			return fmt.Errorf("growth: %w: point %d is of %v, want %v", mlcore.ErrShape, i, p.GrowthCase, grid[i])
		}
		if p.Runs < 1 || !(p.Seconds > 0) || (p.PeerSeconds > 0) != (p.LeftOut == "") {
			return fmt.Errorf("growth: %w: point %d, %v, was not measured: %d runs, %v s and %v s", mlcore.ErrEmpty, i, p.GrowthCase, p.Runs, p.Seconds, p.PeerSeconds)
		}
	}
	return nil
}

// String is the case in words.
func (c GrowthCase) String() string {
	threads := "1 thread"
	if c.Threads != 1 {
		threads = fmt.Sprintf("%d threads", c.Threads)
	}
	return fmt.Sprintf("%s, %d rows, %d columns, %d classes, %s", c.Work, c.Rows, c.Columns, c.Classes, threads)
}
