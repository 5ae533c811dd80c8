//go:build unix

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A slow Python: venv and pip take their time, and what they have done by halves does not
// work. An environment holds a copy of the requirements that it was made from.
const (
	slowPython = `
case "$*" in
*sys.executable*) echo "$0";;
"-m venv "*) sleep 0.02; mkdir -p "$3/bin"; sleep 0.02; printf half > "$3/bin/python"; chmod +x "$3/bin/python"; sleep 0.02; cp "$MACHINE/runner" "$3/bin/python";;
esac`
	slowPip = `
case "$*" in
*"pip install"*)
	for file; do :; done
	printf half > "$0.txt"; sleep 0.05; cp "$file" "$0.txt"; sleep 0.02; exit 0;;
esac`
)

// Killed at any moment, set-up leaves an environment that works, and the next one brings
// it up to date.
func TestKilledSetUp(t *testing.T) {
	m := newMachine(t, map[string]string{"python3": slowPython, "runner": slowPip + goodRunner})
	requirements := filepath.Join(m.root, "scripts", "lab", "requirements.txt")
	installed := func() string { return m.read(".venv/bin/python.txt") }
	heal := func(want string) {
		t.Helper()
		if code, out := m.run(nil, "setup", "--via", "pip"); code != 0 || installed() != want {
			t.Fatalf("set-up ends with %d, .venv was made from %q, want %q\n%s", code, installed(), want, out)
		}
	}
	start := time.Now()
	heal("nbclient==1\n")
	whole := time.Since(start)

	random := rand.New(rand.NewPCG(1, 2))
	works := map[string]bool{"nbclient==1\n": true}
	for i := range 50 {
		text := fmt.Sprintf("nbclient==1.%d\n", i)
		m.write(requirements, text, 0o644)
		works[text] = true
		var out bytes.Buffer
		cmd := m.lab(&out, nil, "setup", "--via", "pip")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(random.Int64N(int64(whole))))
		cmd.Process.Kill()
		cmd.Wait()
		if got := installed(); !works[got] {
			t.Fatalf("killed the %dth time, .venv was made from %q\n%s", i+1, got, out.String())
		}
		if i%10 == 9 {
			heal(text)
		}
	}
	heal(fmt.Sprintf("nbclient==1.%d\n", 49))
	entries, err := os.ReadDir(filepath.Join(m.root, ".lab", "python"))
	if err != nil || len(entries) != 1 {
		t.Errorf("left in .lab/python: %v, %v", entries, err)
	}
	links, err := filepath.Glob(filepath.Join(m.root, ".venv*"))
	if err != nil || len(links) != 1 || strings.HasSuffix(links[0], ".next") {
		t.Errorf("left beside .venv: %v, %v", links, err)
	}
}
