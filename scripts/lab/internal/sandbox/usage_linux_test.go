package sandbox

import (
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/waits"
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
	waits.Until(t, func() bool { // the shell has started both
		found = family(cmd.Process.Pid)
		return len(found) == 3
	})
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
