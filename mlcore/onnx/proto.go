package onnx

import (
	"encoding/binary"
	"math"
)

// A message is a protocol buffer in the making: fields are appended to its bytes. The
// numbers of fields are those of onnx.proto.
type message []byte

const (
	varint = 0 // the wire types
	packed = 2
)

func (m *message) key(field, wire int) { *m = binary.AppendUvarint(*m, uint64(field<<3|wire)) }

func (m *message) int(field int, v int64) {
	m.key(field, varint)
	*m = binary.AppendUvarint(*m, uint64(v))
}

func (m *message) bytes(field int, v []byte) {
	m.key(field, packed)
	*m = append(binary.AppendUvarint(*m, uint64(len(v))), v...)
}

func (m *message) string(field int, v string) {
	m.key(field, packed)
	*m = append(binary.AppendUvarint(*m, uint64(len(v))), v...)
}

// An elementType is a type of numbers in a tensor (TensorProto.DataType).
type elementType int64

const (
	int64s  elementType = 7
	text    elementType = 8
	doubles elementType = 11
)

// A tensor is a constant: TensorProto without its name.
type tensor struct {
	of    elementType
	dims  []int
	raw   []byte   // little-endian
	words []string // of text, which have no raw form
}

func doubleTensor(dims []int, v []float64) tensor {
	raw := make([]byte, 0, 8*len(v))
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(x))
	}
	return tensor{of: doubles, dims: dims, raw: raw}
}

func int64Tensor(dims []int, v []int64) tensor {
	raw := make([]byte, 0, 8*len(v))
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(x))
	}
	return tensor{of: int64s, dims: dims, raw: raw}
}

func stringTensor(v []string) tensor {
	return tensor{of: text, dims: []int{len(v)}, words: v}
}

func (t tensor) encode(name string) message {
	var m message
	for _, d := range t.dims {
		m.int(1, int64(d))
	}
	m.int(2, int64(t.of))
	for _, s := range t.words {
		m.string(6, s)
	}
	m.string(8, name)
	if t.of != text {
		m.bytes(9, t.raw)
	}
	return m
}

// An attribute of a node, encoded: AttributeProto.
type attribute message

func newAttribute(name string, kind int64, fill func(m *message)) attribute {
	var m message
	m.string(1, name)
	fill(&m)
	m.int(20, kind)
	return attribute(m)
}

func intAttribute(name string, v int64) attribute {
	return newAttribute(name, 2, func(m *message) { m.int(3, v) })
}

func stringAttribute(name, v string) attribute {
	return newAttribute(name, 3, func(m *message) { m.string(4, v) })
}

func tensorAttribute(name string, t tensor) attribute {
	return newAttribute(name, 4, func(m *message) { m.bytes(5, t.encode("")) })
}

func intsAttribute(name string, v []int64) attribute {
	return newAttribute(name, 7, func(m *message) {
		for _, x := range v {
			m.int(8, x)
		}
	})
}

func stringsAttribute(name string, v []string) attribute {
	return newAttribute(name, 8, func(m *message) {
		for _, s := range v {
			m.string(9, s)
		}
	})
}

// anySize stands for the number of rows in a shape.
const anySize = -1

// valueInfo describes an input or output: ValueInfoProto.
func valueInfo(name string, of elementType, shape ...int) message {
	var dims, kind, all, m message
	for _, d := range shape {
		var dim message
		if d == anySize {
			dim.string(2, "rows")
		} else {
			dim.int(1, int64(d))
		}
		dims.bytes(1, dim)
	}
	kind.int(1, int64(of))
	kind.bytes(2, dims)
	all.bytes(1, kind)
	m.string(1, name)
	m.bytes(2, all)
	return m
}
