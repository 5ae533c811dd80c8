package sandbox

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// tick is the unit of times in /proc, the same on all machines that Go knows.
const tick = 10 * time.Millisecond

// usageOf is what a process and its living descendants take. Pages of files, such as a
// program's own, do not count: many processes share them, and they can be dropped.
func usageOf(root int) usage {
	var sum usage
	var high int64
	for _, pid := range family(root) {
		_, cpu, _ := statOf(pid)
		sum.cpu += cpu
		now, most := memoryOf(pid)
		sum.memory += now
		high = max(high, most)
	}
	sum.memory = max(sum.memory, high)
	return sum
}

// family is a process and its living descendants. The kernel tells the children of each
// thread where it was built to (CONFIG_PROC_CHILDREN); else all processes of the machine
// are asked for their parents, which takes milliseconds of each look.
func family(root int) []int {
	found := []int{root}
	if _, err := os.Stat(childrenFile(root, root)); err != nil {
		parents := map[int][]int{}
		files, _ := filepath.Glob("/proc/[0-9]*/stat")
		for _, name := range files {
			pid := number([]byte(filepath.Base(filepath.Dir(name))))
			if parent, _, ok := statOf(pid); ok {
				parents[parent] = append(parents[parent], pid)
			}
		}
		for i := 0; i < len(found); i++ {
			found = append(found, parents[found[i]]...)
		}
		return found
	}
	for i := 0; i < len(found); i++ {
		threads, _ := os.ReadDir("/proc/" + strconv.Itoa(found[i]) + "/task")
		for _, t := range threads {
			b, _ := os.ReadFile(childrenFile(found[i], number([]byte(t.Name()))))
			for _, f := range bytes.Fields(b) {
				if pid := number(f); !slices.Contains(found, pid) {
					found = append(found, pid)
				}
			}
		}
	}
	return found
}

func childrenFile(pid, thread int) string {
	return "/proc/" + strconv.Itoa(pid) + "/task/" + strconv.Itoa(thread) + "/children"
}

// statOf is a process's parent and the processor time of it and of those children that it
// has waited for.
func statOf(pid int) (parent int, cpu time.Duration, ok bool) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, 0, false // it has ended
	}
	// The name of the program, in parentheses, may hold anything.
	fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	if len(fields) < 15 {
		return 0, 0, false
	}
	for _, f := range fields[11:15] {
		cpu += time.Duration(number(f)) * tick
	}
	return number(fields[1]), cpu, true
}

// memoryOf is the memory of a process, now and the most that it has had alone, in bytes.
func memoryOf(pid int) (now, most int64) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0, 0
	}
	var files int64
	for line := range bytes.Lines(b) {
		name, value, _ := bytes.Cut(line, []byte(":"))
		fields := bytes.Fields(value)
		if len(fields) == 0 {
			continue
		}
		n := int64(number(fields[0])) << 10
		switch string(name) {
		case "RssAnon", "RssShmem":
			now += n
		case "RssFile":
			files = n
		case "VmHWM":
			most = n
		}
	}
	return now, max(0, most-files)
}

func number(b []byte) int {
	n, err := strconv.Atoi(string(b))
	if err != nil {
		return 0
	}
	return n
}
