package nbkit

import (
	"os"
	"syscall"
	"unsafe"
)

// unread is the number of bytes in a pipe that nobody has read yet, 0 for other files.
func unread(f *os.File) int {
	c, err := f.SyscallConn()
	if err != nil {
		return 0
	}
	var n int32
	var errno syscall.Errno
	err = c.Control(func(fd uintptr) {
		_, _, errno = syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCINQ, uintptr(unsafe.Pointer(&n)))
	})
	if err != nil || errno != 0 {
		return 0
	}
	return int(n)
}
