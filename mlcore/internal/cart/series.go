package cart

import "github.com/mllabs-go/mllabs/mlcore/internal/par"

// A Series is what trees share that are grown one after another: goroutines, and memory.
// It is not for concurrent use.
type Series struct {
	team *par.Team
	ws   *workspace
}

// NewSeries begins a series on a team, which stays the caller's; without one, nil, a tree
// makes its own where that pays.
func NewSeries(team *par.Team) *Series { return &Series{team, workspaces.Take()} }

// Close gives the memory back.
func (s *Series) Close() {
	workspaces.Give(s.ws)
	s.ws = nil
}

// begin returns what a tree of the series is grown with, and what is to be called in the
// end. A nil Series stands for one of a single tree.
func (s *Series) begin() (ws *workspace, team *par.Team, end func()) {
	if s == nil {
		own := NewSeries(nil)
		return own.ws, nil, own.Close
	}
	return s.ws, s.team, func() {}
}
