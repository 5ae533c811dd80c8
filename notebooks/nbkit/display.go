package nbkit

import (
	"fmt"
	"html"
	"os"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"
	"github.com/mllabs-go/mllabs/notebooks/nbkit/internal/kernel"
)

// Kinds of output, kept in its metadata under the key "mllabs", where the
// exporter and the checks of scripts/lab find them.
const (
	kindFigure   = "figure"
	kindTable    = "table"
	kindChecked  = "check"
	kindFailed   = "check-failed"
	kindProgress = "progress"
	kindError    = "error"
)

// An output is one output of a cell in the forms a front-end may choose from.
type output struct {
	kind string
	name string // of a figure
	html string
	text string // for readers who see neither HTML nor pictures
	png  []byte
	// score is that of a check, as JSON. It travels in the message that shows
	// the check, because a second one can be lost at the end of a cell.
	score string
	id    string // of an output that is updated in place
}

// send shows the output below the cell; outside a kernel it does nothing.
// Replaced in tests.
var send = func(o output) {
	if !kernel.Here {
		return
	}
	kernel.Send(o.message())
	flush()
}

// message is an output as a kernel takes it.
func (o output) message() *protocol.DisplayData {
	data := map[protocol.MIMEType]any{protocol.MIMETextHTML: o.html, protocol.MIMETextPlain: o.text}
	if o.png != nil {
		data[protocol.MIMEImagePNG] = o.png
	}
	if o.score != "" {
		data[ScoreMIME] = o.score
	}
	meta := map[string]any{"mllabs": o.kind}
	if o.name != "" {
		meta["name"] = o.name
	}
	return &protocol.DisplayData{Data: data, Metadata: meta, DisplayID: o.id}
}

// frontEnd is how long the kernel's other side may take for what is a matter of
// milliseconds. Then it is gone, and nobody sees the order of outputs.
const frontEnd = 5 * time.Second

// flush waits until the kernel has published what was sent, so that a program which ends now, or
// prints next, does not overtake it: text and displayed data reach the kernel through different
// pipes. (What was printed before is published first, because the kernel looks for it.)
func flush() {
	done := make(chan struct{})
	go func() {
		kernel.Sync()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(frontEnd):
	}
}

// complain shows an error of the notebook's author where nobody can miss it.
// The checks of scripts/lab refuse a notebook with such an output.
func complain(where string, err error) {
	msg := fmt.Sprintf("%s: %v", where, err)
	if !kernel.Here {
		fmt.Fprintln(os.Stderr, msg)
	}
	send(output{kind: kindError, text: msg,
		html: `<div style="border-left:4px solid #b3261e;padding:0.4em 0.8em;color:#b3261e">` + html.EscapeString(msg) + `</div>`})
}

// Must returns v, or panics if err is not nil: for the cells of a notebook,
// where an error ends the story.
//
//	ds := nbkit.Must(frame.ToDataset(df, frame.Options{Label: "class"}))
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
