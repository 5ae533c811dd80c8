package nbkit

import (
	"os"
	"testing"
)

func TestUnread(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if n := unread(w); n != 0 {
		t.Errorf("%d bytes in an empty pipe", n)
	}
	w.WriteString("printed")
	if n := unread(w); n != 7 {
		t.Errorf("%d bytes of 7", n)
	}
	if _, err := r.Read(make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	if n := unread(w); n != 2 {
		t.Errorf("%d bytes of the last 2", n)
	}
	none, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer none.Close()
	if n := unread(none); n != 0 {
		t.Errorf("%d bytes in a file that is no pipe", n)
	}
}
