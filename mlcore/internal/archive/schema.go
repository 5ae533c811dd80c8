package archive

import (
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
)

// schema takes the number of a model's Schema among those of the message, -1 for
// none: the members of an ensemble share one.
func (c *Coder) schema(m *fitted.Model) {
	place := -1
	if s := m.Schema(); s != nil && !c.reading {
		for place = range c.schemas {
			if c.schemas[place].Equal(s) {
				break
			}
		}
		if place < 0 || !c.schemas[place].Equal(s) {
			place = len(c.schemas)
			c.schemas = append(c.schemas, s)
		}
	}
	c.Int("schema", &place)
	if !c.Reading() || place == -1 {
		return
	}
	if c.Check(place >= 0 && place < len(c.schemas), "schema %d of %d", place, len(c.schemas)); c.err == nil {
		fitted.SetSchema(m, c.schemas[place])
	}
}

// Columns takes descriptions of columns.
func Columns(c *Coder, name string, columns *[]mlcore.Column) {
	List(c, name, columns, func(_ int, column *mlcore.Column) {
		c.String("name", &column.Name)
		c.OptionalStrings("levels", &column.Levels)
		Enum(c, "unknown", &column.Unknown, unknowns...)
	})
}

// unknowns are the names of what becomes of unknown categories.
var unknowns = []string{"error", "missing", "level", "ignore"}

func schemas(c *Coder, all *[]*mlcore.Schema) {
	List(c, "schemas", all, func(_ int, s **mlcore.Schema) {
		if c.reading {
			*s = new(mlcore.Schema)
		}
		Columns(c, "columns", &(*s).Columns)
		c.OptionalStrings("class_names", &(*s).ClassNames)
		c.String("target_name", &(*s).TargetName)
	})
}

// Status takes how an iterative fit went.
func Status(c *Coder, name string, s *mlcore.Status) {
	c.Group(name, func() {
		Enum(c, "outcome", &s.Outcome, outcomes...)
		c.Int("iterations", &s.Iterations)
		c.Float64("measure", &s.Measure)
		c.Float64s("loss", &s.Loss)
		c.String("advice", &s.Advice)
		c.Check(s.Iterations >= 0, "%d iterations", s.Iterations)
	})
}

// outcomes are the names in JSON; new ones go to the end.
var outcomes = func() []string {
	var names []string
	for o := mlcore.Converged; o <= mlcore.Interrupted; o++ {
		names = append(names, o.String())
	}
	return names
}()
