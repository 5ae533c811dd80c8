package grade

import (
	"fmt"
	"math"
)

// sheet puts the marks together.
func (s *sitting) sheet() Sheet {
	var sheet Sheet
	for _, a := range s.answers {
		sheet.Marks = append(sheet.Marks, a.mark())
	}
	return sheet
}

// better is the trial that counts, and the other.
func (a *answer) better() (best, other *trial) {
	own, worked := &a.own, &a.worked
	switch {
	case worked.verdict == nil:
		return own, worked
	case own.verdict == nil:
		return worked, own
	case worked.verdict.share() > own.verdict.share(),
		worked.verdict.share() == own.verdict.share() && worked.verdict.State == Scored && own.verdict.State != Scored,
		worked.verdict.State == DoesNotCompile && own.verdict.State == DoesNotCompile: // what is said of it alone concerns it
		return worked, own
	}
	return own, worked
}

func (a *answer) mark() Mark {
	m := Mark{Exercise: a.q.Number, Title: a.q.Title, Cell: a.q.cell, Of: float64(a.q.Points)}
	v := a.final
	var best, other *trial
	if v == nil {
		best, other = a.better()
		v = best.verdict
		if best == &a.worked && best.withWork || best.withWork && !best.withOwn {
			m.With = Reference
		}
		if best == &a.own && other.verdict != nil {
			m.Alone = other.verdict.Cases
		}
	}
	m.State, m.Cases, m.Errors, m.Printed = v.State, v.Cases, v.Errors, v.Printed
	m.Points = math.Round(m.Of*v.share()*100) / 100
	switch v.State {
	case NotWritten:
		m.Why = "The cell is empty or as it was handed out."
	case DoesNotCompile:
		m.Why = "The answer does not compile."
	case NotAllowed:
		m.Why = "The answer uses what answers may not use."
	case Stopped:
		m.Why = v.Why
	case Scored:
		m.Why = fmt.Sprintf("%d of %d cases pass.", v.passed(), len(v.Cases))
		switch {
		case best != &a.worked:
		case other.verdict != nil && other.verdict.share() < v.share():
			m.Why = fmt.Sprintf("%d of %d cases pass with the worked answers of the other exercises, %d with your own.", v.passed(), len(v.Cases), other.verdict.passed())
		case other.dropped && best.withWork:
			m.Why = fmt.Sprintf("%d of %d cases pass with the worked answers of the other exercises; your own could not be used.", v.passed(), len(v.Cases))
		}
		if v.Why != "" {
			m.Why += " " + v.Why
		}
	}
	return m
}
