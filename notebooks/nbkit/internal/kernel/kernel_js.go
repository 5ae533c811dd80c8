package kernel

import (
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

// InPage says that a page stands in the kernel's place, which may end the program at any time.
const InPage = true

// errNone says that there is no page to talk to.
var errNone = errors.New("no page runs this program")

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
