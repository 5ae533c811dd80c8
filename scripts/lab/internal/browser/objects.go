package browser

import "bytes"

// The linker reads every package's object whole, and keeps it to its end: 96 MB of the
// packages of a course. An operating system maps files into memory for it, which a browser
// cannot do. In its heap they would count twice, for it grows to twice what it holds before
// garbage is collected. So they lie in a variable, and come there without a copy in between.
// Memory that the variable does not use is never touched, and takes none.
const (
	noMapping = `func (r *Reader) sliceOS(length uint64) ([]byte, bool) {
	return nil, false
}
`
	objectMapping = `import "syscall/js"

var objects [192 << 20]byte // more than all packages of a course

var free = objects[:]

func (r *Reader) sliceOS(length uint64) ([]byte, bool) {
	if length > uint64(len(free)) {
		return nil, false
	}
	part := js.Global().Get("fs").Call("part", int(r.f.Fd()), r.Offset(), int(length))
	if part.Type() != js.TypeObject {
		return nil, false
	}
	data := free[:length:length]
	js.CopyBytesToGo(data, part)
	free = free[length:]
	r.MustSeek(int64(length), 1)
	return data, true
}
`
)

// mapped is Go's file of package bio for systems that cannot map files, changed so that it
// reads objects into the variable.
func mapped(source []byte) []byte {
	return bytes.Replace(source, []byte(noMapping), []byte(objectMapping), 1)
}
