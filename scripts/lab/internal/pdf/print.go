package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/scratch"
)

// A Printer prints with one browser.
type Printer struct {
	Browser string
	// Timeout is the longest a document may take, 3 minutes if 0.
	Timeout time.Duration
}

// Print prints a page of HTML to target, which is replaced whole or not at all.
func (p Printer) Print(ctx context.Context, page []byte, target string) error {
	timeout := p.Timeout
	if timeout == 0 {
		timeout = 3 * time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	folder, err := scratch.New("print")
	if err != nil {
		return err
	}
	defer folder.Remove()
	dir := folder.Path
	source, name := filepath.Join(dir, "page.html"), filepath.Base(target)
	if err := os.WriteFile(source, page, 0o600); err != nil {
		return err
	}
	out := filepath.Join(dir, "page.pdf")
	cmd := process.Command(ctx, p.Browser, p.args(dir, source, out)...)
	// Browsers look for their settings and caches in HOME; this one gets a
	// folder that is thrown away.
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+dir, "TMPDIR="+dir)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	err = cmd.Run()
	if cmd.Process != nil {
		process.KillGroup(cmd.Process.Pid)
	}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("print %s: the browser took longer than %v", name, timeout)
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("print %s: %s: %w: %s", name, filepath.Base(p.Browser), err, lastLine(log.String()))
	}
	b, err := os.ReadFile(out)
	if err != nil || !bytes.HasPrefix(b, []byte("%PDF-")) || !bytes.Contains(b[max(0, len(b)-64):], []byte("%%EOF")) {
		return fmt.Errorf("print %s: %s wrote no whole PDF: %s", name, filepath.Base(p.Browser), lastLine(log.String()))
	}
	return atomicfile.Write(target, b)
}

func (p Printer) args(profile, page, out string) []string {
	args := []string{
		"--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-extensions", "--disable-dev-shm-usage",
		"--host-resolver-rules=MAP * ~NOTFOUND", // the page's own policy forbids requests already
		"--user-data-dir=" + filepath.Join(profile, "profile"),
		"--no-pdf-header-footer", "--generate-pdf-document-outline", "--print-to-pdf=" + out,
	}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox") // the sandbox does not work for root
	}
	return append(args, (&url.URL{Scheme: "file", Path: filepath.ToSlash(page)}).String())
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}
