//go:build linux && (amd64 || arm64)

package sandbox

import (
	"bytes"
	"encoding/binary"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// What the kernel does with a call: SECCOMP_RET_* of linux/seccomp.h.
const (
	retAllow = 0x7fff0000
	retKill  = 0x80000000
	retErrno = 0x00050000
)

// newest is the last call that was looked at. Later ones do not exist for a job, so that
// what a newer kernel can do is refused until somebody has thought about it.
const newest = unix.SYS_MSEAL

// refused are the calls that no job may make: those that look into other processes, build
// other rooms, change the machine, keep memory that no limit counts, or have been the
// way out of many a sandbox.
var refused = append([]uint32{
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_KCMP, unix.SYS_PIDFD_GETFD, unix.SYS_PROCESS_MADVISE,
	unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_CHROOT, unix.SYS_PIVOT_ROOT,
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_MOUNT_SETATTR, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE,
	unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_STATMOUNT, unix.SYS_LISTMOUNT,
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_FANOTIFY_INIT,
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER, unix.SYS_IO_SETUP,
	unix.SYS_MEMFD_CREATE, unix.SYS_MEMFD_SECRET, unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_MSGGET, unix.SYS_SEMGET, unix.SYS_MQ_OPEN,
	unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_OPEN_BY_HANDLE_AT,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_REBOOT,
	unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_SYSLOG, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD,
	unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX,
	unix.SYS_PERSONALITY, unix.SYS_VHANGUP, unix.SYS_MBIND, unix.SYS_MIGRATE_PAGES, unix.SYS_MOVE_PAGES, unix.SYS_SET_MEMPOLICY,
}, refusedHere...)

// alone are the further calls that a job without [Limits.Fork] may not make.
var alone = append([]uint32{unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_INOTIFY_INIT1}, aloneHere...)

// namespaces are the flags of clone that make them.
const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

// filter is a job's seccomp filter, as the kernel takes it.
func filter(fork bool) ([]byte, error) {
	const arg = 16 // of struct seccomp_data: the first argument; all have 8 bytes
	refuse := bpf.RetConstant{Val: retErrno | uint32(unix.EPERM)}
	absent := bpf.RetConstant{Val: retErrno | uint32(unix.ENOSYS)}
	allow := bpf.RetConstant{Val: retAllow}
	load := func(offset uint32) bpf.Instruction { return bpf.LoadAbsolute{Off: offset, Size: 4} }

	p := []bpf.Instruction{
		load(4), // the architecture
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: arch, SkipTrue: 1},
		bpf.RetConstant{Val: retKill},
		load(0), // the number of the call; on amd64 those of x32 are large
		bpf.JumpIf{Cond: bpf.JumpGreaterThan, Val: newest, SkipFalse: 1},
		absent,
	}
	// on adds what becomes of one call; the instructions must end in a return.
	on := func(call uint32, then ...bpf.Instruction) {
		p = append(p, bpf.JumpIf{Cond: bpf.JumpEqual, Val: call, SkipFalse: uint8(len(then))})
		p = append(p, then...)
	}
	calls := refused
	if !fork {
		calls = append(append([]uint32{}, refused...), alone...)
	}
	for _, call := range calls {
		on(call, refuse)
	}
	// Its flags are out of a filter's sight. Go and the C libraries then use clone.
	on(unix.SYS_CLONE3, absent)
	flags := load(arg) // of clone, on both architectures
	if fork {
		on(unix.SYS_CLONE, flags, bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: namespaces, SkipFalse: 1}, refuse, allow)
		// Inside there is nobody to talk to but the job itself.
		on(unix.SYS_SOCKET, load(arg),
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.AF_UNIX, SkipTrue: 3},
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.AF_INET, SkipTrue: 2},
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.AF_INET6, SkipTrue: 1},
			bpf.RetConstant{Val: retErrno | uint32(unix.EAFNOSUPPORT)}, allow)
	} else {
		on(unix.SYS_CLONE, flags, bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: unix.CLONE_THREAD, SkipTrue: 1}, refuse, allow)
	}
	// Shared memory without a file belongs to nobody's data segment.
	shared := []bpf.Instruction{load(arg + 3*8), bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: unix.MAP_SHARED | unix.MAP_ANON},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.MAP_SHARED | unix.MAP_ANON, SkipFalse: 1}, refuse, allow}
	if !fork { // and that of /dev/zero is such memory, too
		shared = []bpf.Instruction{load(arg + 3*8), bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: unix.MAP_SHARED, SkipFalse: 1}, refuse, allow}
	}
	on(unix.SYS_MMAP, shared...)
	p = append(p, allow)

	raw, err := bpf.Assemble(p)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for _, r := range raw {
		if err := binary.Write(&b, binary.NativeEndian, r); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}
