package archive

import (
	"encoding/binary"
	"math"
	"slices"
)

// binaryWriter appends values to buf, eight bytes a number, little-endian.
type binaryWriter struct{ buf []byte }

func (w *binaryWriter) uint64(_ string, v *uint64) {
	w.buf = binary.LittleEndian.AppendUint64(w.buf, *v)
}

func (w *binaryWriter) length(n int) {
	w.buf = binary.LittleEndian.AppendUint64(w.buf, uint64(n))
}

func (w *binaryWriter) int(_ string, v *int) { w.length(*v) }

func (w *binaryWriter) float64(_ string, v *float64) {
	w.buf = binary.LittleEndian.AppendUint64(w.buf, bitsOf(*v))
}

// bitsOf returns the bits of v, those of one NaN for all of them: which one a processor
// makes is its own affair.
func bitsOf(v float64) uint64 {
	if v != v {
		v = math.NaN()
	}
	return math.Float64bits(v)
}

func (w *binaryWriter) bool(_ string, v *bool) {
	b := byte(0)
	if *v {
		b = 1
	}
	w.buf = append(w.buf, b)
}

func (w *binaryWriter) string(_ string, v *string) {
	w.length(len(*v))
	w.buf = append(w.buf, *v...)
}

func (w *binaryWriter) bytes(_ string, v *[]byte) {
	w.length(len(*v))
	w.buf = append(w.buf, *v...)
}

func (w *binaryWriter) ints(name string, v *[]int)       { each(w, *v, w.int) }
func (w *binaryWriter) uint64s(name string, v *[]uint64) { each(w, *v, w.uint64) }
func (w *binaryWriter) bools(name string, v *[]bool)     { each(w, *v, w.bool) }
func (w *binaryWriter) strings(name string, v *[]string) { each(w, *v, w.string) }

// The numbers of large models are in lists of these two kinds.

func (w *binaryWriter) float64s(_ string, v *[]float64) {
	w.length(len(*v))
	room := w.room(8 * len(*v))
	for i, x := range *v {
		binary.LittleEndian.PutUint64(room[8*i:], bitsOf(x))
	}
}

func (w *binaryWriter) int32s(_ string, v *[]int32) {
	w.length(len(*v))
	room := w.room(4 * len(*v))
	for i, x := range *v {
		binary.LittleEndian.PutUint32(room[4*i:], uint32(x))
	}
}

// room makes buf longer by n bytes, and those are to be written.
func (w *binaryWriter) room(n int) []byte {
	have := len(w.buf)
	if have+n > cap(w.buf) {
		// Twice as much: append would copy a large buffer more often.
		w.buf = slices.Grow(w.buf, max(n, have))
	}
	w.buf = w.buf[:have+n]
	return w.buf[have:]
}

func each[T any](w *binaryWriter, v []T, write func(string, *T)) {
	w.length(len(v))
	for i := range v {
		write("", &v[i])
	}
}

func (w *binaryWriter) group(_ string, fields func()) { fields() }

func (w *binaryWriter) list(_ string, n *int, fields func(i int)) {
	w.length(*n)
	for i := range *n {
		fields(i)
	}
}

// binaryReader takes values from the front of buf.
type binaryReader struct {
	buf []byte
	c   *Coder
}

func (r *binaryReader) take(n int) []byte {
	if r.c.err != nil || n < 0 || n > len(r.buf) {
		r.c.Fail("wants %d bytes, %d are left", n, len(r.buf))
		return nil
	}
	b := r.buf[:n]
	r.buf = r.buf[n:]
	return b
}

func (r *binaryReader) number() uint64 {
	if b := r.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// length reads a number of elements of at least size bytes each and refuses one
// that could not fit in what is left.
func (r *binaryReader) length(size int) int {
	n := r.number()
	if r.c.err == nil && n > uint64(len(r.buf)/size) {
		r.c.Fail("%d elements in %d bytes", n, len(r.buf))
	}
	if r.c.err != nil {
		return 0
	}
	return int(n)
}

func (r *binaryReader) uint64(_ string, v *uint64) { *v = r.number() }

func (r *binaryReader) int(_ string, v *int) {
	x := int64(r.number())
	if *v = int(x); int64(*v) != x {
		r.c.Fail("%d does not fit into an int of this machine", x)
	}
}

func (r *binaryReader) float64(_ string, v *float64) { *v = math.Float64frombits(r.number()) }

func (r *binaryReader) bool(_ string, v *bool) {
	if b := r.take(1); b != nil {
		r.c.Check(b[0] <= 1, "a truth value of %d", b[0])
		*v = b[0] == 1
	}
}

func (r *binaryReader) string(_ string, v *string) { *v = string(r.take(r.length(1))) }

func (r *binaryReader) bytes(_ string, v *[]byte) {
	*v = append([]byte(nil), r.take(r.length(1))...)
}

func (r *binaryReader) ints(_ string, v *[]int)       { fill(r, v, 8, r.int) }
func (r *binaryReader) uint64s(_ string, v *[]uint64) { fill(r, v, 8, r.uint64) }
func (r *binaryReader) bools(_ string, v *[]bool)     { fill(r, v, 1, r.bool) }
func (r *binaryReader) strings(_ string, v *[]string) { fill(r, v, 8, r.string) }

func (r *binaryReader) float64s(_ string, v *[]float64) {
	decode(r, v, 8, func(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) })
}

func (r *binaryReader) int32s(_ string, v *[]int32) {
	decode(r, v, 4, func(b []byte) int32 { return int32(binary.LittleEndian.Uint32(b)) })
}

// decode reads a list of numbers of size bytes each.
func decode[T any](r *binaryReader, v *[]T, size int, number func([]byte) T) {
	*v = nil
	n := r.length(size)
	if b := r.take(n * size); n > 0 && b != nil {
		s := make([]T, n)
		for i := range s {
			s[i] = number(b[size*i : size*(i+1)])
		}
		*v = s
	}
}

func fill[T any](r *binaryReader, v *[]T, size int, read func(string, *T)) {
	n := r.length(size)
	if n == 0 {
		*v = nil
		return
	}
	s := make([]T, n)
	for i := range s {
		read("", &s[i])
	}
	*v = s
}

func (r *binaryReader) group(_ string, fields func()) { fields() }

func (r *binaryReader) list(_ string, n *int, fields func(i int)) {
	*n = r.length(1)
	for i := 0; i < *n && r.c.err == nil; i++ {
		fields(i)
	}
}
