package archive

import (
	"encoding/binary"
	"math"
	"testing"
)

// What a processor makes of 0/0 differs from one to the next, and from what reading
// "NaN" makes: files hold one of them, 7ff8000000000001, that of math.NaN.
func TestOneNaN(t *testing.T) {
	const want = 0x7ff8000000000001
	for _, bits := range []uint64{want, 0xfff8000000000000, 0x7ff8000000000000, 0x7ff0000000000007} {
		v := math.Float64frombits(bits)
		var w binaryWriter
		w.float64("", &v)
		w.float64s("", &[]float64{1, v})
		for _, at := range []int{0, 24} { // after a length and the 1
			if got := binary.LittleEndian.Uint64(w.buf[at:]); got != want {
				t.Errorf("NaN %x is written as %x at %d", bits, got, at)
			}
		}
	}
	minus := math.Copysign(0, -1)
	var w binaryWriter
	w.float64("", &minus)
	if got := binary.LittleEndian.Uint64(w.buf); got != 1<<63 {
		t.Errorf("-0 is written as %x", got)
	}
}
