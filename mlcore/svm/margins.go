package svm

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// A Place is where a row is beside the street.
type Place int

const (
	// Beyond: on the right side and off the street, y·f(x) > 1.
	Beyond Place = iota
	// OnEdge: y·f(x) = 1 to within the solver's tolerance.
	OnEdge
	// InStreet: on the right side of the boundary but in the street,
	// 0 < y·f(x) < 1.
	InStreet
	// WrongSide: y·f(x) ≤ 0.
	WrongSide
)

// String names the place.
func (p Place) String() string {
	switch p {
	case Beyond:
		return "beyond the edge"
	case OnEdge:
		return "on the edge"
	case InStreet:
		return "in the street"
	case WrongSide:
		return "on the wrong side"
	}
	return fmt.Sprintf("Place(%d)", int(p))
}

// Margins says where n labelled rows lie relative to the street between the
// edges f(x) = -1 and f(x) = 1, y being -1 for the lower class and 1 for the
// higher.
type Margins struct {
	// Functional is the functional margin y·f(x) of each row. Times half the
	// street's width it is the distance from the boundary.
	Functional []float64
	// Slack is max(0, 1 - y·f(x)), and 0 for rows on the edge.
	Slack []float64
	// Place says the same in words.
	Place []Place
}

// Violations lists the rows whose slack is positive: those in the street or on
// the wrong side.
func (m *Margins) Violations() []int {
	var rows []int
	for i, s := range m.Slack {
		if s > 0 {
			rows = append(rows, i)
		}
	}
	return rows
}

// newMargins judges the n×1 decision values f. present holds the lower and the
// higher class; edge is how far from 1 counts as 1.
func newMargins(f *mat.Dense, y, present []int, edge float64) (*Margins, error) {
	n, _ := f.Dims()
	if err := mlcore.CheckLabels(y, n, 0); err != nil {
		return nil, fmt.Errorf("svm: %w", err)
	}
	m := &Margins{Functional: make([]float64, n), Slack: make([]float64, n), Place: make([]Place, n)}
	for i, k := range y {
		v := f.At(i, 0)
		switch k {
		case present[1]:
		case present[0]:
			v = -v
		default:
			return nil, fmt.Errorf("svm: %w: %d in row %d; the model tells %d from %d", mlcore.ErrLabel, k, i, present[0], present[1])
		}
		m.Functional[i] = v
		switch {
		case v > 1+edge:
			m.Place[i] = Beyond
		case v >= 1-edge:
			m.Place[i] = OnEdge
		case v > 0:
			m.Place[i] = InStreet
		default:
			m.Place[i] = WrongSide
		}
		if m.Place[i] >= InStreet {
			m.Slack[i] = 1 - v
		}
	}
	return m, nil
}
