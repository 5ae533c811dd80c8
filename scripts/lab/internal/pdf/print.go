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

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/scratch"
)

// A Printer prints with one browser.
type Printer struct {
	Browser string

	limit limit // of tests; else that of the page
}

// Print prints a page of HTML to target, which is replaced whole or not at all.
func (p Printer) Print(ctx context.Context, page []byte, target string) error {
	limit := p.limit
	if limit.every == 0 {
		limit = limitOf(len(page))
	}
	printing, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
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
	cmd := process.Command(printing, p.Browser, p.args(dir, source, out)...)
	// Browsers look for their settings and caches in HOME; this one gets a
	// folder that is thrown away.
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+dir, "TMPDIR="+dir)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err = cmd.Start(); err == nil {
		go func() {
			if stuck := limit.over(printing, cmd.Process.Pid); stuck != nil {
				cancel(stuck)
			}
		}()
		err = cmd.Wait()
		process.KillGroup(cmd.Process.Pid)
	}
	var stuck *stuckError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(context.Cause(printing), &stuck):
		return fmt.Errorf("print %s: %w", name, stuck)
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
