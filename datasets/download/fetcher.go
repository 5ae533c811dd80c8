package download

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/mllabs-go/mllabs/datasets"
)

// A fetcher downloads files into a folder.
type fetcher struct {
	client *http.Client
	// stall is how long the home may send nothing.
	stall time.Duration
	// total is how long a file may take, all attempts together. Both are of the clock, as
	// no work of this machine tells whether a home will ever come to an end: the largest
	// file, of 4 MB, comes at 5 kB a second.
	total time.Duration
	// attempts is how often a download that fails by accident is tried, pause
	// the wait before the second attempt; it doubles from one to the next.
	attempts int
	pause    time.Duration
	// create begins the file at a path.
	create func(path string) (pending, error)
}

// A pending is what a fetcher needs of a [part].
type pending interface {
	io.Writer
	Commit() error
	Discard() error
}

func defaultFetcher() *fetcher {
	return &fetcher{
		client:   &http.Client{},
		stall:    30 * time.Second,
		total:    15 * time.Minute,
		attempts: 3,
		pause:    time.Second,
		create:   func(path string) (pending, error) { return createPart(path) },
	}
}

// fetch downloads f into dir, unless it is there already. Processes that want
// the same file take turns. Errors wrap [ErrDownload] and say what to do.
func (t *fetcher) fetch(ctx context.Context, f datasets.File, dir string, progress Progress) error {
	err := t.fetchLocked(ctx, f, dir, progress)
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w; try \"go run ./scripts/lab data fetch\" with the network on, or save %s as %s",
		ErrDownload, err, f.URL, filepath.Join(dir, f.Name))
}

func (t *fetcher) fetchLocked(ctx context.Context, f datasets.File, dir string, progress Progress) error {
	if os.Getenv(EnvOffline) == "1" {
		return ErrOffline
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("cannot make the folder for data files (set %s to one with the files in it): %w", datasets.EnvFolder, err)
	}
	lock := flock.New(filepath.Join(dir, "."+f.Name+".lock"))
	if _, err := lock.TryLockContext(ctx, 50*time.Millisecond); ctx.Err() != nil {
		return ctx.Err()
	} else if err != nil {
		return fmt.Errorf("cannot lock the folder for data files (set %s to one with the files in it): %w", datasets.EnvFolder, err)
	}
	defer lock.Unlock()

	if err := f.Check(filepath.Join(dir, f.Name)); err == nil {
		return nil // another process has fetched it meanwhile
	}
	ctx, cancel := context.WithTimeoutCause(ctx, t.total, fmt.Errorf("it was not finished after %v", t.total))
	defer cancel()
	pause := t.pause
	for attempt := 1; ; attempt++ {
		err := t.download(ctx, f, dir, progress)
		if err == nil || attempt == t.attempts || !errors.As(err, new(passing)) || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pause):
		}
		pause *= 2
	}
}

// passing marks an error that may not come again.
type passing struct{ error }

func (p passing) Unwrap() error { return p.error }

// download gets f once. It writes a temporary file in dir and renames it when
// it is whole, checked and on the disk; otherwise it removes it.
func (t *fetcher) download(ctx context.Context, f datasets.File, dir string, progress Progress) (err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watchdog := time.AfterFunc(t.stall, func() {
		cancel(fmt.Errorf("nothing came for %v", t.stall))
	})
	defer watchdog.Stop()

	req, err := http.NewRequestWithContext(ctx, http.MethodGet, f.URL, nil)
	if err != nil {
		return err
	}
	// Compressed on the way, a body has no size to check.
	req.Header.Set("Accept-Encoding", "identity")
	resp, err := t.client.Do(req)
	if err != nil {
		return passing{causeOr(ctx, err)}
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode >= 500 || resp.StatusCode == http.StatusTooManyRequests:
		return passing{fmt.Errorf("its home answers %s", resp.Status)}
	case resp.StatusCode != http.StatusOK:
		return fmt.Errorf("its home answers %s; it may have moved", resp.Status)
	case resp.ContentLength >= 0 && resp.ContentLength != f.Size:
		return fmt.Errorf("%w: its home offers %d bytes, %d are expected; it may have been replaced there", datasets.ErrChecksum, resp.ContentLength, f.Size)
	}

	tmp, err := t.create(filepath.Join(dir, f.Name))
	if err != nil {
		return fmt.Errorf("cannot write (free the folder or set %s to another): %w", datasets.EnvFolder, err)
	}
	defer tmp.Discard()
	sum := sha256.New()
	body := &watchedReader{r: io.LimitReader(resp.Body, f.Size+1), alive: func(done int64) {
		watchdog.Reset(t.stall)
		if progress != nil {
			progress(f, min(done, f.Size))
		}
	}}
	n, err := io.Copy(io.MultiWriter(tmp, sum), body)
	if body.err != nil && body.err != io.EOF {
		return passing{fmt.Errorf("broken off after %d of %d bytes: %w", n, f.Size, causeOr(ctx, body.err))}
	}
	if err != nil {
		return fmt.Errorf("cannot write after %d of %d bytes: %w", n, f.Size, err)
	}
	if n < f.Size {
		return passing{fmt.Errorf("broken off after %d of %d bytes", n, f.Size)}
	}
	if got := hex.EncodeToString(sum.Sum(nil)); n > f.Size || got != f.SHA256 {
		return fmt.Errorf("%w: what its home sends (%d bytes) has SHA-256 %s, %s is expected; it may have been replaced there", datasets.ErrChecksum, n, got, f.SHA256)
	}
	if err := tmp.Commit(); err != nil {
		return fmt.Errorf("cannot write: %w", err)
	}
	return nil
}

// causeOr returns why the context was cancelled, if it was, else err.
func causeOr(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// A watchedReader tells of each piece that it reads and keeps its error apart
// from those of whoever writes the pieces.
type watchedReader struct {
	r     io.Reader
	done  int64
	err   error
	alive func(done int64)
}

func (w *watchedReader) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	w.done += int64(n)
	w.err = err
	if n > 0 {
		w.alive(w.done)
	}
	return n, err
}
