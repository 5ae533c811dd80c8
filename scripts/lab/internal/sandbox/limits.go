package sandbox

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
)

// orUsual puts the usual limits in where there are none.
func (l Limits) orUsual() Limits {
	l.CPU = cmp.Or(l.CPU, Usual.CPU)
	l.Wall = cmp.Or(l.Wall, Usual.Wall)
	l.Memory = cmp.Or(l.Memory, Usual.Memory)
	l.Disk = cmp.Or(l.Disk, Usual.Disk)
	l.Output = cmp.Or(l.Output, Usual.Output)
	l.Report = cmp.Or(l.Report, Usual.Report)
	l.Processes = cmp.Or(l.Processes, Usual.Processes)
	return l
}

// check says what of a job makes no sense, before anything is started.
func (job Job) check() error {
	l := job.Limits
	if l.CPU < 0 || l.Wall < 0 || min(l.Memory, l.Disk, l.Output, l.Report) < 0 || l.Processes < 0 {
		return fmt.Errorf("a limit is negative: %+v", l)
	}
	paths := append([]string{job.Path}, job.ReadOnly...)
	for _, path := range []string{job.Dir, job.Writable} {
		if path != "" {
			paths = append(paths, path)
		}
	}
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			return fmt.Errorf("%q is not an absolute path", path)
		}
		if _, err := os.Stat(path); err != nil {
			return err
		}
	}
	if info, err := os.Stat(job.Path); err != nil {
		return err
	} else if !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
		return fmt.Errorf("%s is not a program", job.Path)
	}
	return nil
}
