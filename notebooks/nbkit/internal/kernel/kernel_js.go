package kernel

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"syscall/js"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// page is what the page's worker calls itself: an object with the functions display and
// unfinished, which take a message, and end.
var page = js.Global().Get("mllabsPage")

// Here says whether a page runs this program.
var Here = page.Type() == js.TypeObject

// InPage says that a page stands in the kernel's place. There what is printed and what is shown
// arrive in their order, and the page may end the program at any time.
const InPage = true

// errNone says that there is no page to talk to.
var errNone = errors.New("no page runs this program")

// A message is what is shown, in the words of Jupyter. Bytes are in base64.
type message struct {
	Data     map[string]any `json:"data"`
	Metadata map[string]any `json:"metadata"`
	ID       string         `json:"id"` // of what is updated in place
}

// Send hands the page something to display.
func Send(data *protocol.DisplayData) error {
	if !Here {
		return errNone
	}
	text, err := written(data)
	if err != nil {
		return err
	}
	page.Call("display", text)
	return nil
}

// Unfinished hands the page what it is to display if the program ends in what begins now, which
// may take a time, measured on another machine than a page; with nil it has ended well.
func Unfinished(data *protocol.DisplayData, limit time.Duration) {
	if !Here {
		return
	}
	if data == nil {
		page.Call("unfinished")
	} else if text, err := written(data); err == nil {
		page.Call("unfinished", text, limit.Seconds())
	}
}

// written is something to display as the page reads it.
func written(data *protocol.DisplayData) (string, error) {
	m := message{Data: map[string]any{}, Metadata: data.Metadata, ID: data.DisplayID}
	for kind, v := range data.Data {
		if b, isBytes := v.([]byte); isBytes {
			v = base64.StdEncoding.EncodeToString(b)
		}
		m.Data[string(kind)] = v
	}
	text, err := json.Marshal(m)
	return string(text), err
}

// Sync has nothing to wait for: the page has what Send has handed it.
func Sync() error {
	if !Here {
		return errNone
	}
	return nil
}

// End says that the program ends because it has done its work, and not in the middle of it.
func End() {
	if Here {
		page.Call("end")
	}
}
