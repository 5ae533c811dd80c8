package sandbox

import (
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"
)

// Grandchildren are of the family, as long as they live. Oracle: the processes were
// started here.
func TestFamily(t *testing.T) {
	cmd := exec.Command("sh", "-c", "sleep 60 & sleep 60 & wait")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		for _, pid := range family(cmd.Process.Pid)[1:] {
			p, err := os.FindProcess(pid)
			if err == nil {
				p.Kill()
			}
		}
		cmd.Process.Kill()
		cmd.Wait()
	}()
	var found []int
	for range 1000 { // until the shell has started both
		if found = family(cmd.Process.Pid); len(found) == 3 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if len(found) != 3 || found[0] != cmd.Process.Pid {
		t.Errorf("the family is %v, of %d and two more", found, cmd.Process.Pid)
	}
	if all := family(os.Getpid()); !slices.Contains(all, found[len(found)-1]) {
		t.Errorf("the family of the test is %v, without the grandchild %d", all, found[len(found)-1])
	}
	if u := usageOf(cmd.Process.Pid); u.memory <= 0 {
		t.Errorf("three processes take %+v", u)
	}
}
