package nbkit

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/mat"
)

// A grid is a table before it is laid out: columns of texts.
type grid struct {
	columns []column
	rows    int // of the whole table, shown or not
}

type column struct {
	name    string
	cells   []string // of the rows that are shown
	numeric bool     // aligned to the right
}

// gridOf reads the first limit rows of anything that is a table.
func gridOf(x any, format string, names []string, limit int) (*grid, error) {
	switch x := x.(type) {
	case nil:
		return nil, fmt.Errorf("nothing to show: the table is nil")
	case dataframe.DataFrame:
		return frameGrid(x, format, limit)
	case *dataframe.DataFrame:
		return frameGrid(*x, format, limit)
	case series.Series:
		return frameGrid(dataframe.New(x), format, limit)
	case mat.Matrix:
		return matrixGrid(x, format, limit)
	case [][]string:
		return stringsGrid(x, len(names) == 0, limit)
	}
	return reflectGrid(reflect.ValueOf(x), format, limit)
}

func frameGrid(df dataframe.DataFrame, format string, limit int) (*grid, error) {
	if df.Err != nil {
		return nil, df.Err
	}
	g := &grid{rows: df.Nrow()}
	n := min(limit, g.rows)
	for _, name := range df.Names() {
		s := df.Col(name)
		c := column{name: name}
		switch s.Type() {
		case series.Float:
			values := make([]float64, n)
			for i := range values {
				values[i] = s.Elem(i).Float()
			}
			c.cells, c.numeric = formatFloats(values, format), true
		default:
			c.numeric = s.Type() == series.Int
			for i := range n {
				c.cells = append(c.cells, s.Elem(i).String())
			}
		}
		g.columns = append(g.columns, c)
	}
	return g, nil
}

func matrixGrid(m mat.Matrix, format string, limit int) (*grid, error) {
	rows, cols := m.Dims()
	g := &grid{rows: rows}
	for j := range cols {
		values := make([]float64, min(limit, rows))
		for i := range values {
			values[i] = m.At(i, j)
		}
		g.columns = append(g.columns, column{name: strconv.Itoa(j), cells: formatFloats(values, format), numeric: true})
	}
	return g, nil
}

// stringsGrid takes the first row for the headings unless those were given.
func stringsGrid(rows [][]string, headed bool, limit int) (*grid, error) {
	if len(rows) == 0 || headed && len(rows[0]) == 0 {
		return nil, fmt.Errorf("the table is empty")
	}
	g := &grid{columns: make([]column, len(rows[0]))}
	for j := range g.columns {
		g.columns[j].numeric = true
	}
	if headed {
		for j, name := range rows[0] {
			g.columns[j].name = name
		}
		rows = rows[1:]
	}
	g.rows = len(rows)
	for i, row := range rows {
		if len(row) != len(g.columns) {
			return nil, fmt.Errorf("row %d has %d cells where %d are expected", i, len(row), len(g.columns))
		}
		for j, cell := range row {
			c := &g.columns[j]
			c.numeric = c.numeric && isNumber(cell)
			if i < limit {
				c.cells = append(c.cells, cell)
			}
		}
	}
	return g, nil
}

func isNumber(s string) bool {
	s = strings.TrimSuffix(strings.TrimSpace(s), "%")
	if s == "" || s == "-" || s == "–" || s == "—" {
		return true
	}
	_, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
	return err == nil
}

// reflectGrid shows slices: of structs by their exported fields, of slices, and
// of plain values.
func reflectGrid(v reflect.Value, format string, limit int) (*grid, error) {
	if v.Kind() != reflect.Slice && v.Kind() != reflect.Array {
		return nil, fmt.Errorf("%v is not a table; give a gota frame, a matrix, [][]string or a slice", v.Type())
	}
	n := min(limit, v.Len())
	g := &grid{rows: v.Len()}
	elem := v.Type().Elem()
	get := func(i int) reflect.Value { return reflect.Indirect(v.Index(i)) }
	if elem.Kind() == reflect.Pointer {
		elem = elem.Elem()
	}
	take := func(name string, at func(i int) reflect.Value) {
		c := column{name: name}
		var values []reflect.Value
		for i := range n {
			values = append(values, at(i))
		}
		c.cells, c.numeric = formatValues(values, format)
		g.columns = append(g.columns, c)
	}
	switch {
	case elem.Kind() == reflect.Struct && !elem.Implements(stringer):
		for _, f := range reflect.VisibleFields(elem) {
			if f.IsExported() && !f.Anonymous {
				name := f.Name
				if tag, ok := f.Tag.Lookup("table"); ok {
					name = tag
				}
				take(name, func(i int) reflect.Value {
					if !get(i).IsValid() {
						return reflect.Value{}
					}
					return get(i).FieldByIndex(f.Index)
				})
			}
		}
	case elem.Kind() == reflect.Slice || elem.Kind() == reflect.Array:
		width := 0
		for i := range v.Len() {
			if i > 0 && v.Index(i).Len() != width {
				return nil, fmt.Errorf("row %d has %d cells where %d are expected", i, v.Index(i).Len(), width)
			}
			width = v.Index(i).Len()
		}
		for j := range width {
			take(strconv.Itoa(j), func(i int) reflect.Value { return v.Index(i).Index(j) })
		}
	default:
		take("value", func(i int) reflect.Value { return get(i) })
	}
	return g, nil
}

var stringer = reflect.TypeFor[fmt.Stringer]()

func formatValues(values []reflect.Value, format string) (cells []string, numeric bool) {
	var floats []float64
	numeric = true
	for _, v := range values {
		for v.IsValid() && v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		switch {
		case !v.IsValid():
			cells = append(cells, "")
			continue
		case v.CanFloat() && !v.Type().Implements(stringer):
			floats = append(floats, v.Float())
		case !(v.CanInt() || v.CanUint()) || v.Type().Implements(stringer):
			numeric = false
		}
		cells = append(cells, fmt.Sprint(v.Interface()))
	}
	if len(floats) == len(values) {
		return formatFloats(floats, format), true
	}
	return cells, numeric
}

// formatFloats writes a column of numbers with the same number of decimals: as
// few as show them exactly, four at most. format, if not empty, is a fmt verb.
func formatFloats(values []float64, format string) []string {
	cells := make([]string, len(values))
	decimals, wide := 0, false
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		if a := math.Abs(v); a >= 1e9 || a > 0 && a < 1e-4 {
			wide = true
		}
		for decimals < 4 && math.Abs(v-roundTo(v, decimals)) > 1e-9*max(1, math.Abs(v)) {
			decimals++
		}
	}
	for i, v := range values {
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			cells[i] = strconv.FormatFloat(v, 'g', -1, 64)
		case format != "":
			cells[i] = fmt.Sprintf(format, v)
		case wide:
			cells[i] = strconv.FormatFloat(v, 'g', 4, 64)
		default:
			cells[i] = strconv.FormatFloat(v, 'f', decimals, 64)
			if f, err := strconv.ParseFloat(cells[i], 64); err == nil && f == 0 {
				cells[i] = strings.TrimPrefix(cells[i], "-") // no negative zero
			}
		}
	}
	return cells
}

func roundTo(v float64, decimals int) float64 {
	p := math.Pow10(decimals)
	return math.Round(v*p) / p
}
