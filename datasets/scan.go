package datasets

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/frame"
)

// A scan is what one reading of a table with a header line finds where the types of its
// columns are not known before: what their values are, and the values.
type scan struct {
	header  int            // the line of the names
	names   []string       // which are headings
	places  map[string]int // of the names
	columns []scanned      // of these names
	rows    int
	ragged  raggedLine
}

// A raggedLine is the first that has more or fewer fields than there are columns; line 0
// is none.
type raggedLine struct{ line, fields int }

// A scanned column is one of a scan.
type scanned struct {
	sight
	form   form
	floats []float64 // in the form of numbers
	codes  []int32   // in the form of texts, for places in values; negative where one is missing
	values []string
}

// A form is one in which the values of a column are kept.
type form int

const (
	ignored   form = iota // not at all; nobody looks at them
	judged                // not at all; what they are is of interest
	undecided             // as numbers or as texts, as the first is that is not missing
	asNumbers             // as numbers, up to the first word, from which on they are judged
	asTexts               // as codes of their distinct texts
)

// scanTable reads a table, long ones in several parts at once. A line with another number
// of fields is no error here: it is judged, and nothing of what comes after it is kept.
func scanTable(data []byte, formsOf func(names []string) []form) (*scan, error) {
	rows := headed.rows(data)
	line, names, err := readNames(rows)
	if err != nil {
		return nil, err
	}
	names = headings(names)
	s := &scan{header: line, names: names, places: placesOf(names), columns: make([]scanned, len(names))}
	forms, parts, room := formsOf(names), []*scanPart(nil), 0
	for _, r := range rows.split(2*runtime.GOMAXPROCS(0), partBytes) {
		p := &scanPart{reader: r, first: room, most: r.most(len(names)), columns: make([]partColumn, len(names))}
		parts, room = append(parts, p), room+p.most
	}
	for j := range s.columns {
		floats := sync.OnceValue(func() []float64 { return make([]float64, room) })
		codes := sync.OnceValue(func() []int32 { return make([]int32, room) })
		for _, p := range parts {
			p.columns[j] = partColumn{form: forms[j], part: p, allFloats: floats, allCodes: codes}
		}
	}
	var reading []func() error
	for _, p := range parts {
		reading = append(reading, later(p.read))
	}
	if err := all(reading); err != nil {
		return nil, err
	}
	for _, p := range parts {
		s.rows += p.rows
		if s.ragged.line == 0 {
			s.ragged = p.ragged
		}
	}
	for j := range s.columns {
		s.join(j, parts)
	}
	return s, nil
}

// A scanPart is some rows of a scan, which one goroutine reads.
type scanPart struct {
	reader      rowReader
	first, most int // which rows of the memory of a column are for the part
	columns     []partColumn
	rows        int // that are kept
	ragged      raggedLine
}

// A partColumn collects the values of one column of a part.
type partColumn struct {
	sight
	form       form
	part       *scanPart
	floats     []float64
	codes      []int32
	dictionary dictionary
	// Memory for the whole column, made when one part needs it.
	allFloats func() []float64
	allCodes  func() []int32
}

func (p *scanPart) read() error {
	for j := range p.columns {
		if c := &p.columns[j]; c.form == asTexts {
			c.keepTexts()
		}
	}
	for {
		line, fields, err := p.reader.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if len(fields) != len(p.columns) && p.ragged.line == 0 {
			p.ragged = raggedLine{line, len(fields)}
		}
		if p.ragged.line > 0 {
			for j, f := range fields[:min(len(fields), len(p.columns))] {
				if p.columns[j].form != ignored {
					p.columns[j].judge(line, f)
				}
			}
			continue
		}
		for j, f := range fields {
			p.columns[j].add(line, f)
		}
		p.rows++
	}
}

func (c *partColumn) judge(line int, field []byte) {
	if !c.complete() && !isAbsent(field) {
		c.see(line, field)
	}
}

// add keeps a value of the row that comes next.
func (c *partColumn) add(line int, field []byte) {
	switch c.form {
	case asNumbers:
		v, whole, ok := plainDecimal(field)
		if !ok {
			c.addOther(line, field)
			return
		}
		c.fraction = c.fraction || !whole
		c.floats = append(c.floats, v)
	case asTexts:
		if isAbsent(field) {
			c.codes = append(c.codes, -1)
			return
		}
		known := len(c.dictionary.values)
		code := c.dictionary.code(field)
		if int(code) == known { // what is seen of a text is seen where it is new
			c.see(line, field)
		}
		c.codes = append(c.codes, code)
	case judged:
		c.judge(line, field)
	case undecided:
		if isAbsent(field) {
			return
		}
		if _, isNumber, _ := readNumber(field); isNumber {
			c.keepNumbers()
			c.addOther(line, field)
		} else {
			c.keepTexts()
			c.add(line, field)
		}
	}
}

// addOther adds a field to numbers which may be none.
func (c *partColumn) addOther(line int, field []byte) {
	v := math.NaN()
	if !isAbsent(field) {
		var isNumber bool
		if v, isNumber = c.see(line, field); !isNumber {
			c.form = judged
			return
		}
	}
	c.floats = append(c.floats, v)
}

// keepNumbers makes numbers of the form, after rows of which all values are missing.
func (c *partColumn) keepNumbers() {
	p := c.part
	c.form, c.floats = asNumbers, c.allFloats()[p.first:p.first:p.first+p.most]
	for range p.rows {
		c.floats = append(c.floats, math.NaN())
	}
}

// keepTexts does the same for texts.
func (c *partColumn) keepTexts() {
	p := c.part
	c.form, c.codes = asTexts, c.allCodes()[p.first:p.first:p.first+p.most]
	for range p.rows {
		c.codes = append(c.codes, -1)
	}
}

// join puts together what the parts have of a column.
func (s *scan) join(j int, parts []*scanPart) {
	c, first := &s.columns[j], &parts[0].columns[j]
	c.form = undecided
	for _, p := range parts {
		own := &p.columns[j]
		c.then(&own.sight)
		switch {
		case c.form == undecided:
			c.form = own.form
		case own.form != undecided && own.form != c.form:
			c.form = judged // numbers and words
		}
	}
	row := 0
	switch c.form {
	case asNumbers:
		c.floats = first.allFloats()[:s.rows]
		for _, p := range parts {
			own := &p.columns[j]
			if own.form == undecided {
				own.keepNumbers()
			}
			row += move(c.floats[row:], own.floats)
		}
	case asTexts:
		c.codes = first.allCodes()[:s.rows]
		var all dictionary
		for k, p := range parts {
			own := &p.columns[j]
			if own.form == undecided {
				own.keepTexts()
			}
			if k == 0 {
				all = own.dictionary
			} else {
				all.adopt(own.codes, &own.dictionary)
			}
			row += move(c.codes[row:], own.codes)
		}
		c.values = all.values
	}
}

// move copies values to where they belong, which is where they are unless there were blank
// lines or a ragged one, and returns how many there are.
func move[T any](to, from []T) int {
	if len(from) > 0 && &to[0] != &from[0] {
		copy(to, from)
	}
	return len(from)
}

// plain returns columns by name. The error is what [ReadCSV] has for columns of these types.
func (s *scan) plain(columns []Column) ([]frame.Column, error) {
	place := make([]int, len(columns))
	if err := (&table{columns: columns}).place(s.header, s.names, place); err != nil {
		return nil, err
	}
	if err := s.misread(columns, place); err != nil {
		return nil, err
	}
	if s.rows == 0 {
		return nil, fmt.Errorf("%w: no data rows", mlcore.ErrEmpty)
	}
	out, absent := make([]frame.Column, len(columns)), []int32(nil)
	for j := range columns {
		c := &s.columns[place[j]]
		out[j] = frame.Column{Name: columns[j].Name, Whole: columns[j].Type == series.Int}
		switch {
		case c.form == asTexts:
			c.ofTexts(columns[j].Type, &out[j])
		case c.form == asNumbers && columns[j].Type != series.String:
			out[j].Floats = c.floats
			if out[j].Whole {
				withoutSign(c.floats)
			}
		default: // all values are missing, or nobody asks for them
			if absent == nil {
				absent = make([]int32, s.rows)
			}
			out[j].Codes, out[j].Dictionary = absent, []string{""}
		}
	}
	return out, nil
}

// withOthers adds the columns of other names, which nobody asks for, so that the error about
// a column that is not there lists them: in the order of the table, and without values.
func (s *scan) withOthers(columns []frame.Column) []frame.Column {
	var absent []int32
	all := make([]frame.Column, 0, len(s.places))
	for j, name := range s.names {
		switch {
		case s.places[name] != j:
		case len(columns) > 0 && columns[0].Name == name:
			all, columns = append(all, columns[0]), columns[1:]
		default:
			if absent == nil {
				absent = make([]int32, s.rows)
			}
			all = append(all, frame.Column{Name: name, Codes: absent, Dictionary: []string{""}})
		}
	}
	return all
}

// oneColumn refuses a table that seems to have one column because something else than commas
// separates the fields. A name that is asked for is one, whatever it holds; advice says how to
// ask.
func (s *scan) oneColumn(asked func(name string) bool, advice string) error {
	if len(s.names) > 1 || asked(s.names[0]) {
		return nil
	}
	separators := ""
	switch {
	case strings.Contains(s.names[0], "\t"):
		separators = "tabs"
	case strings.Contains(s.names[0], ";"):
		separators = "semicolons"
	default:
		return nil
	}
	return fmt.Errorf("line %d: %w: the only column is %s; if %s separate the fields, save the table with commas%s", s.header, mlcore.ErrColumn, quoted(s.names[0]), separators, advice)
}

// misread returns the error of the first line that cannot be read.
func (s *scan) misread(columns []Column, place []int) error {
	first, at, what := 0, 0, error(nil)
	for j, c := range columns {
		if c.Type != series.Float {
			continue
		}
		if line, err := s.columns[place[j]].notReal(); line > 0 && (first == 0 || line < first) {
			first, at, what = line, j, err
		}
	}
	if first == 0 || s.raggedBy(first) {
		return s.raggedError()
	}
	return fmt.Errorf("line %d, column %q (field %d): %w", first, columns[at].Name, place[at]+1, what)
}

// raggedBy reports whether a line up to this one is ragged.
func (s *scan) raggedBy(line int) bool { return s.ragged.line > 0 && s.ragged.line <= line }

// raggedError is nil where no line is ragged.
func (s *scan) raggedError() error {
	if s.ragged.line == 0 {
		return nil
	}
	return fmt.Errorf("line %d: %w: %d fields where there are %d columns", s.ragged.line, mlcore.ErrShape, s.ragged.fields, len(s.names))
}

// ofTexts fills in the values of a column that was kept as texts.
func (c *scanned) ofTexts(t series.Type, out *frame.Column) {
	values := c.values
	if t == series.Float {
		out.Floats = make([]float64, len(c.codes))
		for i, code := range c.codes {
			out.Floats[i] = math.NaN()
			if code >= 0 {
				out.Floats[i], _, _ = readNumber([]byte(values[code]))
			}
		}
		return
	}
	if t == series.Int {
		values = slices.Clone(values)
		for code, value := range values {
			if v, err := strconv.ParseInt(value, 10, 64); err == nil {
				values[code] = strconv.FormatInt(v, 10) // 07 is 7
			}
		}
	}
	out.Codes, out.Dictionary = c.codes, values
}

// withoutSign makes 0 of -0, which whole numbers do not have.
func withoutSign(values []float64) {
	for i, v := range values {
		if v == 0 {
			values[i] = 0
		}
	}
}

// headings are the names of columns, in which those without a name have one that gota makes
// up: X0, X1 and so on, as far as these are free.
func headings(names []string) []string {
	if !slices.Contains(names, "") {
		return names
	}
	places, k := placesOf(names), 0
	names = slices.Clone(names)
	for j, name := range names {
		for taken := name == ""; taken; k++ {
			names[j] = fmt.Sprint("X", k)
			_, taken = places[names[j]]
		}
	}
	return names
}
