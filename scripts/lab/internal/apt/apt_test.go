//go:build unix

package apt

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// machine is a PATH with an apt-get that notes its calls.
func machine(t *testing.T, script string) (calls func() string) {
	t.Helper()
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	log := filepath.Join(bin, "calls")
	text := "#!/bin/sh\nPATH=/usr/bin:/bin\necho \"$@\" >> " + log + "\n" + script
	if err := os.WriteFile(filepath.Join(bin, "apt-get"), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return func() string {
		b, _ := os.ReadFile(log)
		os.Remove(log)
		return string(b)
	}
}

const command = "apt-get install -y --no-install-recommends a b"

// Nothing is installed without consent.
func TestInstallAsks(t *testing.T) {
	ctx := context.Background()
	calls := machine(t, "")
	if os.Geteuid() != 0 {
		if err := Install(ctx, Always, nil, "a", "b"); err == nil || !strings.Contains(err.Error(), "sudo "+command) || calls() != "" {
			t.Errorf("without rights: %v", err)
		}
		return
	}
	asked := ""
	for name, agree := range map[string]Agree{
		"nobody": nil,
		"no":     func(_ context.Context, question string) bool { asked = question; return false },
	} {
		err := Install(ctx, agree, nil, "a", "b")
		if err == nil || !strings.Contains(err.Error(), command) || !strings.Contains(err.Error(), "--via apt") {
			t.Errorf("%s: %v", name, err)
		}
		if c := calls(); c != "" {
			t.Errorf("%s: calls %s", name, c)
		}
	}
	if !strings.Contains(asked, command) {
		t.Errorf("the question is %q", asked)
	}
	var log bytes.Buffer
	if err := Install(ctx, Always, &log, "a", "b"); err != nil || !strings.Contains(log.String(), command) {
		t.Errorf("%v, log %s", err, log.String())
	}
	if c := calls(); "apt-get "+c != command+"\n" {
		t.Errorf("calls %s", c)
	}
}

func TestInstallFetchesListsWhereTheyAreMissing(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root installs")
	}
	ctx := context.Background()
	calls := machine(t, `
case "$1" in
update) touch "$0.lists";;
install) test -e "$0.lists" || { echo "Unable to locate package a" >&2; exit 100; };;
esac`)
	if err := Install(ctx, Always, nil, "a", "b"); err != nil {
		t.Error(err)
	}
	if c := calls(); strings.Count(c, "install -y") != 2 || strings.Count(c, "update") != 1 {
		t.Errorf("calls %s", c)
	}
	machine(t, "echo 'Unable to locate package a' >&2; exit 100")
	if err := Install(ctx, Always, nil, "a"); err == nil || !strings.Contains(err.Error(), "Unable to locate") {
		t.Errorf("no such package: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if err := Install(ctx, Always, nil, "a"); !errors.Is(err, ErrUnavailable) {
		t.Errorf("no apt-get: %v", err)
	}
}
