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
	type process struct{ pid, parent int }
	var all []process
	cpu := map[int]time.Duration{}
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		// The name of the program, in parentheses, may hold anything.
		fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if err != nil || len(fields) < 15 {
			continue
		}
		all = append(all, process{pid, number(fields[1])})
		for _, f := range fields[11:15] { // its own and those of children that it has waited for
			cpu[pid] += time.Duration(number(f)) * tick
		}
	}
	var sum usage
	var high int64
	found := []int{root}
	for i := 0; i < len(found); i++ {
		for _, p := range all {
			if p.parent == found[i] && !slices.Contains(found, p.pid) {
				found = append(found, p.pid)
			}
		}
		sum.cpu += cpu[found[i]]
		now, most := memoryOf(found[i])
		sum.memory += now
		high = max(high, most)
	}
	sum.memory = max(sum.memory, high)
	return sum
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
