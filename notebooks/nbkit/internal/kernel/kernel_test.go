//go:build !js

package kernel

import (
	"encoding/gob"
	"errors"
	"io"
	"reflect"
	"sync"
	"testing"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// A fakeKernel reads and answers as GoNB's pollNamedPipeReader does.
type fakeKernel struct {
	mu   sync.Mutex
	read []protocol.DisplayData
	out  *io.PipeReader
	in   *io.PipeWriter
}

func start(t *testing.T, extra ...protocol.CommValue) (*link, *fakeKernel) {
	t.Helper()
	fromProgram, toKernel := io.Pipe()
	fromKernel, toProgram := io.Pipe()
	k := &fakeKernel{out: fromProgram, in: toProgram}
	t.Cleanup(func() { fromProgram.Close(); toProgram.Close() })
	go func() {
		in, out := gob.NewDecoder(fromProgram), gob.NewEncoder(toProgram)
		for {
			var m protocol.DisplayData
			if in.Decode(&m) != nil {
				return
			}
			// A pointer is sent; the kernel takes nothing but a value.
			if v, ok := m.Data[protocol.MIMECommValue].(protocol.CommValue); ok && v.Address == protocol.GonbuiSyncAddress {
				for _, e := range extra {
					out.Encode(&e)
				}
				out.Encode(&protocol.CommValue{Address: protocol.GonbuiSyncAckAddress, Value: v.Value})
				continue
			}
			k.mu.Lock()
			k.read = append(k.read, m)
			k.mu.Unlock()
		}
	}()
	return newLink(toKernel, fromKernel), k
}

// What was sent is read, whole and in order, when Sync returns.
func TestSendAndSync(t *testing.T) {
	l, k := start(t,
		protocol.CommValue{Address: "/slider", Value: 3},                             // of a widget
		protocol.CommValue{Address: protocol.GonbuiSyncAckAddress, Value: "x"},       // nonsense
		protocol.CommValue{Address: protocol.GonbuiSyncAckAddress, Value: 1_000_000}) // nobody waits for
	want := []protocol.DisplayData{
		{Data: map[protocol.MIMEType]any{protocol.MIMETextHTML: "<b>1</b>", protocol.MIMEImagePNG: []byte{1, 2}},
			Metadata: map[string]any{"mllabs": "figure"}},
		{Data: map[protocol.MIMEType]any{protocol.MIMETextPlain: "2"}, DisplayID: "bar"},
	}
	for i := range want {
		if err := l.send(&want[i]); err != nil {
			t.Fatal(err)
		}
		if err := l.sync(); err != nil {
			t.Fatal(err)
		}
		k.mu.Lock()
		if len(k.read) != i+1 || !reflect.DeepEqual(k.read[i], want[i]) {
			t.Errorf("after %d messages the kernel has read %v", i+1, k.read)
		}
		k.mu.Unlock()
	}
}

func TestManySync(t *testing.T) {
	l, k := start(t)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			err := l.send(&protocol.DisplayData{Data: map[protocol.MIMEType]any{protocol.MIMETextPlain: "x"}})
			if err := errors.Join(err, l.sync()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(k.read) != 20 {
		t.Errorf("%d messages, want 20", len(k.read))
	}
}

func TestKernelGone(t *testing.T) {
	t.Run("it no longer reads", func(t *testing.T) {
		l, k := start(t)
		k.out.Close()
		for range 2 { // an error lasts
			if err := l.send(&protocol.DisplayData{}); !errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("send: %v", err)
			}
			if err := l.sync(); !errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("sync: %v", err)
			}
		}
	})
	t.Run("it no longer answers", func(t *testing.T) {
		l, k := start(t)
		k.in.Close()
		if err := l.sync(); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("sync: %v", err)
		}
	})
	t.Run("there was none", func(t *testing.T) {
		if Here {
			t.Skip("the tests run in a cell")
		}
		if err := Send(&protocol.DisplayData{}); !errors.Is(err, errNone) {
			t.Errorf("Send: %v", err)
		}
		if err := Sync(); !errors.Is(err, errNone) {
			t.Errorf("Sync: %v", err)
		}
	})
}
