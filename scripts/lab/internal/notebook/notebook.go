package notebook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Notebook is a parsed .ipynb file.
type Notebook struct {
	Cells         []*Cell        `json:"cells"`
	Metadata      map[string]any `json:"metadata"`
	NBFormat      int            `json:"nbformat"`
	NBFormatMinor int            `json:"nbformat_minor"`
}

// Title is the first heading of level 1, in markdown, "" where there is none.
func (nb *Notebook) Title() string {
	for _, c := range nb.Cells {
		if first, _, _ := strings.Cut(c.Source, "\n"); c.Type == "markdown" && strings.HasPrefix(first, "# ") {
			return strings.TrimSpace(first[2:])
		}
	}
	return ""
}

// A Cell is one cell; Outputs and ExecutionCount are those of code cells only.
type Cell struct {
	Attachments    map[string]any
	Type           string // "code", "markdown" or "raw"
	ExecutionCount *int
	ID             string
	Metadata       map[string]any
	Outputs        []*Output
	Source         string

	unread []json.RawMessage // attachments and outputs that ParseSources has left as they are
}

// An Output is one output of a code cell.
type Output struct {
	Type     string // "stream", "display_data", "execute_result" or "error"
	Name     string // of a stream: "stdout" or "stderr"
	Text     string // of a stream
	Data     map[string]any
	Metadata map[string]any
	EName    string
	EValue   string
	Trace    []string

	ExecutionCount *int
}

// text is a string that JSON may hold as a list of lines.
type text string

func (t *text) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*t = text(s)
		return nil
	}
	var lines []string
	if err := json.Unmarshal(b, &lines); err != nil {
		return fmt.Errorf("neither a text nor a list of lines: %w", err)
	}
	*t = text(strings.Join(lines, ""))
	return nil
}

func (t text) MarshalJSON() ([]byte, error) { return encode(splitLines(string(t))) }

func splitLines(s string) []string {
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// A rawNotebook is a notebook as JSON has it. Cells and outputs are made of it when all is read: if they
// had an UnmarshalJSON of their own, the text of a figure would be gone through eight times.
type rawNotebook struct {
	Cells         []*rawCell     `json:"cells"`
	Metadata      map[string]any `json:"metadata"`
	NBFormat      int            `json:"nbformat"`
	NBFormatMinor int            `json:"nbformat_minor"`
}

type rawCell struct {
	Attachments    map[string]any `json:"attachments"`
	Type           string         `json:"cell_type"`
	ExecutionCount *int           `json:"execution_count"`
	ID             string         `json:"id"`
	Metadata       map[string]any `json:"metadata"`
	Outputs        []*rawOutput   `json:"outputs"`
	Source         text           `json:"source"`
}

func (r *rawCell) cell() (*Cell, error) {
	c := &Cell{Attachments: r.Attachments, Type: r.Type, ExecutionCount: r.ExecutionCount, ID: r.ID,
		Metadata: r.Metadata, Source: string(r.Source)}
	if r.Outputs != nil {
		c.Outputs = make([]*Output, len(r.Outputs))
	}
	for i, o := range r.Outputs {
		if o == nil {
			return nil, fmt.Errorf("output %d is null", i+1)
		}
		var err error
		if c.Outputs[i], err = o.output(); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// MarshalJSON writes a cell with its keys in alphabetical order.
func (c *Cell) MarshalJSON() ([]byte, error) {
	m := map[string]any{"cell_type": c.Type, "metadata": orEmpty(c.Metadata), "source": text(c.Source)}
	if c.ID != "" {
		m["id"] = c.ID
	}
	if len(c.Attachments) > 0 {
		m["attachments"] = c.Attachments
	}
	if c.Type == "code" {
		m["execution_count"] = c.ExecutionCount
		m["outputs"] = c.Outputs
		if c.Outputs == nil {
			m["outputs"] = []*Output{}
		}
	}
	return encode(m)
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

type rawOutput struct {
	Type           string         `json:"output_type"`
	Name           string         `json:"name"`
	Text           text           `json:"text"`
	Data           map[string]any `json:"data"`
	Metadata       map[string]any `json:"metadata"`
	EName          string         `json:"ename"`
	EValue         string         `json:"evalue"`
	Trace          []string       `json:"traceback"`
	ExecutionCount *int           `json:"execution_count"`
}

func (r *rawOutput) output() (*Output, error) {
	for k, v := range r.Data {
		if lines, ok := v.([]any); ok && !isJSON(k) {
			var joined strings.Builder
			for _, l := range lines {
				line, ok := l.(string)
				if !ok {
					return nil, fmt.Errorf("output %s: a line is not a text", k)
				}
				joined.WriteString(line)
			}
			r.Data[k] = joined.String()
		}
	}
	return &Output{Type: r.Type, Name: r.Name, Text: string(r.Text), Data: r.Data, Metadata: r.Metadata,
		EName: r.EName, EValue: r.EValue, Trace: r.Trace, ExecutionCount: r.ExecutionCount}, nil
}

// MarshalJSON writes an output with its keys in alphabetical order.
func (o *Output) MarshalJSON() ([]byte, error) {
	switch o.Type {
	case "stream":
		return encode(map[string]any{"output_type": o.Type, "name": o.Name, "text": text(o.Text)})
	case "error":
		trace := o.Trace
		if trace == nil {
			trace = []string{}
		}
		return encode(map[string]any{"output_type": o.Type, "ename": o.EName, "evalue": o.EValue, "traceback": trace})
	}
	data := map[string]any{}
	for k, v := range o.Data {
		data[k] = v
		if s, ok := v.(string); ok && isText(k) {
			data[k] = text(s)
		}
	}
	m := map[string]any{"output_type": o.Type, "data": data, "metadata": orEmpty(o.Metadata)}
	if o.Type == "execute_result" {
		m["execution_count"] = o.ExecutionCount
	}
	return encode(m)
}

func isJSON(mime string) bool {
	return mime == "application/json" || strings.HasPrefix(mime, "application/") && strings.HasSuffix(mime, "+json")
}

func isText(mime string) bool {
	return strings.HasPrefix(mime, "text/") || mime == "image/svg+xml" || mime == "application/javascript"
}

// Parse reads the JSON of a notebook.
func Parse(b []byte) (*Notebook, error) {
	b, err := utf8Only(b)
	if err != nil {
		return nil, err
	}
	var raw rawNotebook
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&raw); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, fmt.Errorf("not a notebook: byte %d: %w", syntax.Offset, err)
		}
		return nil, fmt.Errorf("not a notebook: %w", err)
	}
	end := d.InputOffset()
	if rest := bytes.TrimLeft(b[end:], " \t\r\n"); len(rest) > 0 {
		return nil, fmt.Errorf("the notebook ends before byte %d, but more text follows (%s); was a merge left unfinished? Remove what is too much",
			int64(len(b)-len(rest))+1, clip(string(rest[:min(len(rest), 100)])))
	}
	if raw.NBFormat != 4 {
		return nil, fmt.Errorf("notebook format %d; only format 4 is known (open the file in Jupyter and save it)", raw.NBFormat)
	}
	nb := &Notebook{Cells: make([]*Cell, len(raw.Cells)), Metadata: raw.Metadata, NBFormat: raw.NBFormat, NBFormatMinor: raw.NBFormatMinor}
	if _, err := nb.needs(); err != nil {
		return nil, err
	}
	for i, r := range raw.Cells {
		if r == nil || !slices.Contains([]string{"code", "markdown", "raw"}, r.Type) {
			return nil, fmt.Errorf("cell %d is neither code, markdown nor raw", i+1)
		}
		var err error
		if nb.Cells[i], err = r.cell(); err != nil {
			return nil, fmt.Errorf("cell %d: %w", i+1, err)
		}
	}
	return nb, nil
}

// utf8Only takes the mark away with which some editors begin a text, and says of one in
// UTF-16 that it is.
func utf8Only(b []byte) ([]byte, error) {
	for _, mark := range []string{"\xff\xfe", "\xfe\xff", "{\x00", "\x00{"} {
		if bytes.HasPrefix(b, []byte(mark)) {
			return nil, errors.New("not a notebook: its text is in UTF-16; save it as UTF-8 (without a byte-order mark)")
		}
	}
	return bytes.TrimPrefix(b, []byte("\ufeff")), nil
}

// Read reads a notebook from a file.
func Read(path string) (*Notebook, error) {
	b, err := ReadFile(path, MaxFile)
	if err != nil {
		return nil, err
	}
	nb, err := Parse(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return nb, nil
}

// Encode writes a notebook the way Jupyter does: keys in alphabetical order,
// one space of indent, a line break at the end.
func (nb *Notebook) Encode() ([]byte, error) {
	raw, err := encode(nb)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", " "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// Tags are the tags in a cell's metadata.
func (c *Cell) Tags() []string {
	list, _ := c.Metadata["tags"].([]any)
	var tags []string
	for _, t := range list {
		if s, ok := t.(string); ok {
			tags = append(tags, s)
		}
	}
	return tags
}

// HasTag says whether the cell has a tag.
func (c *Cell) HasTag(tag string) bool { return slices.Contains(c.Tags(), tag) }

// CodeCells counts the code cells.
func (nb *Notebook) CodeCells() int {
	n := 0
	for _, c := range nb.Cells {
		if c.Type == "code" {
			n++
		}
	}
	return n
}
