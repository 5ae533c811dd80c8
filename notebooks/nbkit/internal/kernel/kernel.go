//go:build !js

// Package kernel talks to the GoNB kernel that runs a cell's program: messages
// flow through one named pipe, the kernel's answers come back through another. It
// keeps to package gonbui/protocol, whose sender gonbui it stands in for, because
// gonbui brings a logger, a database interface and the network into every cell.
//
// The kernel reads one stream of messages from a program, so that a cell that
// shows things through nbkit cannot send by gonbui as well.
//
// In a browser the page that runs the program stands in the kernel's place: it gets each
// message as JSON. A program that runs all cells of a notebook for lab check records its
// messages instead, in standard output, where they are in order with what it prints.
package kernel

import (
	"encoding/gob"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// Here reports whether a kernel, or a reader of a record, takes what this program displays.
var Here = os.Getenv(protocol.GONB_PIPE_ENV) != ""

// InPage says that a page stands in the kernel's place, which may end the program at any time.
const InPage = false

// mark begins each record, "" where there is none; record is standard output as it was at the
// beginning, since a cell may put another file in its place.
var (
	mark   string
	record *os.File
)

// Record sends messages to standard output from now on, each as a line of JSON behind a zero
// byte and a word that nobody else knows.
func Record(word string) { Here, mark, record = true, "\x00"+word, os.Stdout }

// Mark adds a line of the caller's to the record: JSON that is no message.
func Mark(text string) { record.WriteString(mark + text + "\n") }

// errNone says that there is no kernel to talk to.
var errNone = errors.New("no kernel runs this program")

// connect opens the pipes on first use. Opening waits for the kernel.
var connect = sync.OnceValues(func() (*link, error) {
	if !Here {
		return nil, errNone
	}
	out, err := os.OpenFile(os.Getenv(protocol.GONB_PIPE_ENV), os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	in, err := os.Open(os.Getenv(protocol.GONB_PIPE_BACK_ENV))
	if err != nil {
		out.Close()
		return nil, err
	}
	return newLink(out, in), nil
})

// Send hands the kernel something to display. Once it has failed, so does every
// later call.
func Send(data *protocol.DisplayData) error {
	if mark != "" {
		text, err := written(data)
		if err == nil {
			Mark(text)
		}
		return err
	}
	l, err := connect()
	if err != nil {
		return err
	}
	return l.send(data)
}

// Sync waits until the kernel has read what was sent.
func Sync() error {
	if mark != "" {
		return nil
	}
	l, err := connect()
	if err != nil {
		return err
	}
	return l.sync()
}

// Unfinished is for a page.
func Unfinished(*protocol.DisplayData, time.Duration) {}

// End says that the program ends because it has done its work. A kernel need not be told.
func End() {}

// A link is the connection with a kernel. Its two locks are never held together:
// a kernel that waits to be heard before it reads on must be heard.
type link struct {
	writing sync.Mutex
	out     *gob.Encoder
	err     error // what ended the link

	asking  sync.Mutex
	syncs   int
	waiting map[int]chan struct{} // closed when the sync of that number is acknowledged
	closed  chan struct{}         // closed when no more answers will come
}

func newLink(out io.Writer, in io.Reader) *link {
	l := &link{out: gob.NewEncoder(out), waiting: map[int]chan struct{}{}, closed: make(chan struct{})}
	go l.listen(gob.NewDecoder(in))
	return l
}

// listen takes in the kernel's answers. Those of widgets, which nbkit has none
// of, are passed over.
func (l *link) listen(in *gob.Decoder) {
	defer close(l.closed)
	for {
		var answer protocol.CommValue
		if in.Decode(&answer) != nil {
			return
		}
		id, ok := answer.Value.(int)
		if !ok || answer.Address != protocol.GonbuiSyncAckAddress {
			continue
		}
		l.asking.Lock()
		if done := l.waiting[id]; done != nil {
			close(done)
			delete(l.waiting, id)
		}
		l.asking.Unlock()
	}
}

func (l *link) send(data *protocol.DisplayData) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	if l.err == nil {
		l.err = l.out.Encode(data)
	}
	return l.err
}

func (l *link) sync() error {
	done := make(chan struct{})
	l.asking.Lock()
	id := l.syncs
	l.syncs++
	l.waiting[id] = done
	l.asking.Unlock()
	err := l.send(&protocol.DisplayData{Data: map[protocol.MIMEType]any{
		protocol.MIMECommValue: &protocol.CommValue{Address: protocol.GonbuiSyncAddress, Value: id},
	}})
	if err != nil {
		return err
	}
	select {
	case <-done:
		return nil
	case <-l.closed:
		return io.ErrClosedPipe
	}
}
