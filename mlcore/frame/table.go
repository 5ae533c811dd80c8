package frame

import (
	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// A table is a frame whose columns are found at once: gota looks through all names for
// each, and copies the column.
type table struct {
	df     dataframe.DataFrame
	names  []string
	types  []series.Type
	places map[string]int // of the names
}

func tableOf(df dataframe.DataFrame) *table {
	t := &table{df: df, names: df.Names(), types: df.Types(), places: make(map[string]int, df.Ncol())}
	for j, name := range t.names {
		if _, taken := t.places[name]; !taken {
			t.places[name] = j
		}
	}
	return t
}

// has reports whether there is a column of that name.
func (t *table) has(name string) bool {
	_, ok := t.places[name]
	return ok
}

// column returns the column of a name that there is.
func (t *table) column(name string) column {
	j := t.places[name]
	return column{t, j, name, t.types[j]}
}

// A column of a table.
type column struct {
	table *table
	place int
	name  string
	kind  series.Type
}

func (c column) len() int { return c.table.df.Nrow() }

func (c column) at(row int) series.Element { return c.table.df.Elem(row, c.place) }
