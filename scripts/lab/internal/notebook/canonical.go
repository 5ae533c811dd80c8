package notebook

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Tags that the tool reads from a cell's metadata.
const (
	// TagVolatile marks a cell whose text differs from run to run, as timings
	// do: only the kinds of its outputs are compared.
	TagVolatile = "volatile"
	// TagRaises marks a cell that is meant to fail.
	TagRaises = "raises-exception"
	// TagAnswer marks a cell that holds the worked answer of a question.
	TagAnswer = "answer"
	// TagReading marks an answer to a question about an output: in students' copies the
	// place to write stands after the output. Otherwise it stands under the question,
	// because a prediction has to be written before the code runs.
	TagReading = "reading"
)

// keptCellMetadata are the keys that survive in a cell's metadata; the rest are
// traces of a front-end or of a run.
var keptCellMetadata = []string{"tags", "nbgrader", "deletable", "editable", "mllabs"}

var validID = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// Canonicalise brings a notebook that was run to its committed form: it adds
// missing cell ids, numbers the executed cells from 1, joins neighbouring pieces
// of one stream, strips terminal colours and the traces of front-ends, fills in
// nbgrader's metadata, and sets the kernel and language metadata. Doing it twice
// changes nothing.
func (nb *Notebook) Canonicalise() {
	nb.NBFormat, nb.NBFormatMinor = 4, 5
	meta := map[string]any{
		"kernelspec":    map[string]any{"display_name": "Go (gonb)", "language": "go", "name": "gonb"},
		"language_info": LanguageInfo(),
	}
	for _, k := range []string{"mllabs", "title", "authors"} {
		if v, ok := nb.Metadata[k]; ok {
			meta[k] = v
		}
	}
	nb.Metadata = meta

	seen := map[string]bool{}
	for _, c := range nb.Cells {
		if validID.MatchString(c.ID) && !seen[c.ID] {
			seen[c.ID] = true
		} else {
			c.ID = ""
		}
	}
	n := 0
	for i, c := range nb.Cells {
		for k := 0; c.ID == ""; k++ {
			id := fmt.Sprintf("cell-%02d", i+1)
			if k > 0 {
				id += fmt.Sprintf("-%d", k)
			}
			if !seen[id] {
				seen[id], c.ID = true, id
			}
		}
		for k := range c.Metadata {
			if !slices.Contains(keptCellMetadata, k) {
				delete(c.Metadata, k)
			}
		}
		c.Source = strings.TrimRight(strings.ReplaceAll(c.Source, "\r\n", "\n"), "\n")
		c.gradeMetadata()
		if c.Type != "code" {
			c.Outputs, c.ExecutionCount = nil, nil
			continue
		}
		c.ExecutionCount = nil
		if strings.TrimSpace(c.Source) != "" {
			n++
			count := n
			c.ExecutionCount = &count
		}
		c.Outputs = canonicalOutputs(c.Outputs, c.ExecutionCount)
	}
}

// LanguageInfo is the language metadata of every notebook. GoNB leaves
// pygments_lexer empty, and exporters then take Go for Python; the version of Go
// is left out because it is the reader's.
func LanguageInfo() map[string]any {
	return map[string]any{
		"codemirror_mode": "", "file_extension": ".go", "mimetype": "text/x-go", "name": "go",
		"nbconvert_exporter": "", "pygments_lexer": "go",
	}
}

func canonicalOutputs(outputs []*Output, count *int) []*Output {
	var out []*Output
	var stream strings.Builder // the pieces of the last of out
	end := func() {
		if n := len(out); n > 0 && out[n-1].Type == "stream" {
			out[n-1].Text = carriageReturns(stream.String())
		}
		stream.Reset()
	}
	for _, o := range outputs {
		switch o.Type {
		case "stream":
			text := StripANSI(o.Text)
			if text == "" {
				continue
			}
			if n := len(out); n == 0 || out[n-1].Type != "stream" || out[n-1].Name != o.Name {
				end()
				out = append(out, o)
			}
			stream.WriteString(text)
			continue
		case "error":
			o.EValue = StripANSI(o.EValue)
			for i, line := range o.Trace {
				o.Trace[i] = StripANSI(line)
			}
		case "execute_result":
			o.ExecutionCount = count
		}
		end()
		out = append(out, o)
	}
	end()
	return out
}

var ansi = regexp.MustCompile(`\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[()][0-9A-Z]|[@-Z\\-_])`)

// StripANSI removes terminal escape sequences.
func StripANSI(s string) string { return ansi.ReplaceAllString(s, "") }

// Printed returns what a terminal shows of a text in the end.
func Printed(s string) string { return carriageReturns(StripANSI(s)) }

// carriageReturns keeps of each line what a terminal would show last.
func carriageReturns(s string) string {
	if !strings.Contains(s, "\r") {
		return s
	}
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, l := range lines {
		l = strings.TrimRight(l, "\r")
		lines[i] = l[strings.LastIndexByte(l, '\r')+1:]
	}
	return strings.Join(lines, "\n")
}
