// Package codec is the binary form of fitted models: numbers and slices flow in
// through a [Writer] and come out of a [Reader] bit for bit. A message starts
// with a magic word, the kind of model and a format version and ends with a
// CRC-32, so that truncated, altered or foreign bytes are refused, and a length
// is never trusted beyond the bytes that are there.
package codec

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore"
)

const magic = "MLLB"

// A Writer appends values to a message.
type Writer struct{ buf []byte }

// NewWriter starts a message of the given kind and format version.
func NewWriter(kind string, version int) *Writer {
	w := &Writer{buf: []byte(magic)}
	w.String(kind)
	w.Int(version)
	return w
}

// Finish returns the message, sealed with its checksum.
func (w *Writer) Finish() []byte { return Seal(w.buf) }

const sealBytes = 4

// Seal appends the checksum of body to it.
func Seal(body []byte) []byte {
	return binary.LittleEndian.AppendUint32(body, crc32.ChecksumIEEE(body))
}

// Unsealed returns a message without its checksum.
func Unsealed(message []byte) []byte { return message[:len(message)-sealBytes] }

func (w *Writer) Uint64(v uint64)   { w.buf = binary.LittleEndian.AppendUint64(w.buf, v) }
func (w *Writer) Int(v int)         { w.Uint64(uint64(v)) }
func (w *Writer) Float64(v float64) { w.Uint64(math.Float64bits(v)) }

func (w *Writer) Bool(v bool) {
	if v {
		w.buf = append(w.buf, 1)
	} else {
		w.buf = append(w.buf, 0)
	}
}

func (w *Writer) String(s string) { w.Bytes([]byte(s)) }

func (w *Writer) Bytes(b []byte) {
	w.Int(len(b))
	w.buf = append(w.buf, b...)
}

func (w *Writer) Ints(v []int) {
	w.Int(len(v))
	for _, x := range v {
		w.Int(x)
	}
}

// OptionalInts keeps nil apart from an empty slice.
func (w *Writer) OptionalInts(v []int) {
	w.Bool(v != nil)
	w.Ints(v)
}

func (w *Writer) Uint64s(v []uint64) {
	w.Int(len(v))
	for _, x := range v {
		w.Uint64(x)
	}
}

func (w *Writer) Bools(v []bool) {
	w.Int(len(v))
	for _, x := range v {
		w.Bool(x)
	}
}

func (w *Writer) Int32s(v []int32) {
	w.Int(len(v))
	for _, x := range v {
		w.buf = binary.LittleEndian.AppendUint32(w.buf, uint32(x))
	}
}

func (w *Writer) Float64s(v []float64) {
	w.Int(len(v))
	for _, x := range v {
		w.Float64(x)
	}
}

func (w *Writer) Strings(v []string) {
	w.Int(len(v))
	for _, x := range v {
		w.String(x)
	}
}

// A Reader takes a message apart. Its first error sticks and later reads return
// zero values, so callers check [Reader.Close] once.
type Reader struct {
	buf []byte
	err error
}

// NewReader opens a message, and checks its seal, its kind and that its version
// is between 1 and maxVersion. It returns the version.
func NewReader(data []byte, kind string, maxVersion int) (*Reader, int, error) {
	if len(data) < len(magic)+sealBytes || string(data[:len(magic)]) != magic {
		return nil, 0, fmt.Errorf("%w: not an mllabs model", mlcore.ErrCorrupt)
	}
	body := Unsealed(data)
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(data[len(body):]) {
		return nil, 0, fmt.Errorf("%w: checksum mismatch in %d bytes, truncated or altered", mlcore.ErrCorrupt, len(data))
	}
	r := &Reader{buf: body[len(magic):]}
	gotKind, version := r.String(), r.Int()
	if r.err != nil {
		return nil, 0, r.err
	}
	if gotKind != kind {
		return nil, 0, fmt.Errorf("%w: holds a %q, not a %q", mlcore.ErrCorrupt, gotKind, kind)
	}
	if version < 1 || version > maxVersion {
		return nil, 0, fmt.Errorf("%w: %s version %d; this build reads up to %d", mlcore.ErrVersion, kind, version, maxVersion)
	}
	return r, version, nil
}

// Decode takes a message of the given kind apart: read fills in an empty M, and
// *m becomes that M if everything was right and is left as it was if not. kind is
// a package and a type, as in "linear.Ridge"; errors begin with the package.
func Decode[M any](m *M, data []byte, kind string, maxVersion int, read func(r *Reader, m *M)) error {
	var c M
	r, _, err := NewReader(data, kind, maxVersion)
	if err == nil {
		read(r, &c)
		err = r.Close()
	}
	if err != nil {
		name, _, _ := strings.Cut(kind, ".")
		return fmt.Errorf("%s: %w", name, err)
	}
	*m = c
	return nil
}

// Close reports the first error, or bytes left over.
func (r *Reader) Close() error {
	if r.err == nil && len(r.buf) > 0 {
		r.err = fmt.Errorf("%w: %d bytes left over", mlcore.ErrCorrupt, len(r.buf))
	}
	return r.err
}

// Err returns the first error so far.
func (r *Reader) Err() error { return r.err }

// Fail records an error found by the caller, such as an index out of range.
func (r *Reader) Fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s", mlcore.ErrCorrupt, fmt.Sprintf(format, args...))
	}
}

func (r *Reader) take(n int) []byte {
	if r.err != nil || n < 0 || n > len(r.buf) {
		r.Fail("wants %d bytes, %d are left", n, len(r.buf))
		return nil
	}
	b := r.buf[:n]
	r.buf = r.buf[n:]
	return b
}

// length reads the number of elements of a slice and refuses one that could
// not fit in what is left.
func (r *Reader) length(elemSize int) int {
	n := r.Int()
	if r.err == nil && (n < 0 || n > len(r.buf)/elemSize) {
		r.Fail("a slice of %d elements in %d bytes", n, len(r.buf))
	}
	if r.err != nil {
		return 0
	}
	return n
}

func (r *Reader) Uint64() uint64 {
	b := r.take(8)
	if b == nil {
		return 0
	}
	return binary.LittleEndian.Uint64(b)
}

func (r *Reader) Int() int         { return int(r.Uint64()) }
func (r *Reader) Float64() float64 { return math.Float64frombits(r.Uint64()) }

func (r *Reader) Bool() bool {
	b := r.take(1)
	return b != nil && b[0] != 0
}

func (r *Reader) String() string { return string(r.Bytes()) }

// Bytes returns a slice of the message itself; copy it to keep it.
func (r *Reader) Bytes() []byte { return r.take(r.length(1)) }

func (r *Reader) Ints() []int {
	v := make([]int, r.length(8))
	for i := range v {
		v[i] = r.Int()
	}
	return v
}

// OptionalInts reads what [Writer.OptionalInts] wrote.
func (r *Reader) OptionalInts() []int {
	some, v := r.Bool(), r.Ints()
	if !some {
		return nil
	}
	return v
}

func (r *Reader) Uint64s() []uint64 {
	v := make([]uint64, r.length(8))
	for i := range v {
		v[i] = r.Uint64()
	}
	return v
}

func (r *Reader) Bools() []bool {
	v := make([]bool, r.length(1))
	for i := range v {
		v[i] = r.Bool()
	}
	return v
}

func (r *Reader) Int32s() []int32 {
	v := make([]int32, r.length(4))
	b := r.take(4 * len(v))
	if b == nil {
		return nil
	}
	for i := range v {
		v[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}

func (r *Reader) Float64s() []float64 {
	v := make([]float64, r.length(8))
	for i := range v {
		v[i] = r.Float64()
	}
	return v
}

func (r *Reader) Strings() []string {
	v := make([]string, r.length(8))
	for i := range v {
		v[i] = r.String()
	}
	return v
}
