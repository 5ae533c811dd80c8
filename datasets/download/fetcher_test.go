package download

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/datasets"
)

// toy is a file that the test servers serve.
var toyBytes = []byte(strings.Repeat("1,2,3\n", 50_000))

func toy(url string) datasets.File {
	sum := sha256.Sum256(toyBytes)
	return datasets.File{Name: "toy.data", Size: int64(len(toyBytes)), SHA256: hex.EncodeToString(sum[:]), URL: url}
}

// quickFetcher does not wait between attempts.
func quickFetcher() *fetcher {
	t := defaultFetcher()
	t.pause = time.Millisecond
	return t
}

// wantWhole fails unless dir holds the whole toy file, if whole, or no file of
// that name, and in neither case a temporary one.
func wantWhole(t *testing.T, dir string, whole bool) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".lock") {
			names = append(names, e.Name())
		}
	}
	if !whole {
		if len(names) > 0 {
			t.Errorf("left behind: %q", names)
		}
		return
	}
	if !slices.Equal(names, []string{"toy.data"}) {
		t.Fatalf("the folder holds %q", names)
	}
	data, err := os.ReadFile(filepath.Join(dir, "toy.data"))
	if err != nil || string(data) != string(toyBytes) {
		t.Errorf("%d bytes, want %d: %v", len(data), len(toyBytes), err)
	}
}

func TestFetch(t *testing.T) {
	half := len(toyBytes) / 2
	for _, tc := range []struct {
		name  string
		serve http.HandlerFunc
		want  error
		says  string
		calls int32
	}{
		{"whole", func(w http.ResponseWriter, r *http.Request) { w.Write(toyBytes) }, nil, "", 1},
		{"wrong bytes of the right length", func(w http.ResponseWriter, r *http.Request) {
			w.Write([]byte(strings.Repeat("1,2,4\n", 50_000)))
		}, datasets.ErrChecksum, "may have been replaced", 1},
		{"announced too short", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("moved")) },
			datasets.ErrChecksum, "offers 5 bytes, 300000 are expected", 1},
		{"too long, unannounced", func(w http.ResponseWriter, r *http.Request) {
			w.Write(toyBytes)
			w.(http.Flusher).Flush()
			w.Write([]byte("more"))
		}, datasets.ErrChecksum, "SHA-256", 1},
		{"truncated", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(toyBytes)))
			w.Write(toyBytes[:half])
		}, ErrDownload, "broken off after 150000 of 300000 bytes", 3},
		{"truncated, unannounced", func(w http.ResponseWriter, r *http.Request) {
			w.Write(toyBytes[:half])
			w.(http.Flusher).Flush()
		}, ErrDownload, "broken off after 150000 of 300000 bytes", 3},
		{"not found", http.NotFound, ErrDownload, "404", 1},
		{"out of order", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(503) }, ErrDownload, "503", 3},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Setenv(EnvOffline, "")
			var calls atomic.Int32
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				calls.Add(1)
				tc.serve(w, r)
			}))
			defer srv.Close()
			dir := filepath.Join(t.TempDir(), "files")
			err := quickFetcher().fetch(t.Context(), toy(srv.URL), dir, nil)
			if !errors.Is(err, tc.want) {
				t.Fatalf("error %v, want %v", err, tc.want)
			}
			if err != nil {
				for _, says := range []string{tc.says, "toy.data", "data fetch", srv.URL} {
					if !strings.Contains(err.Error(), says) {
						t.Errorf("error %q does not say %q", err, says)
					}
				}
			}
			if calls.Load() != tc.calls {
				t.Errorf("%d requests, want %d", calls.Load(), tc.calls)
			}
			wantWhole(t, dir, tc.want == nil)
		})
	}
}

func TestFetchRecoversFromAHiccup(t *testing.T) {
	t.Setenv(EnvOffline, "")
	var calls atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) == 1 {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		w.Write(toyBytes)
	}))
	defer srv.Close()
	dir := t.TempDir()
	var last int64
	err := quickFetcher().fetch(t.Context(), toy(srv.URL), dir, func(f datasets.File, done int64) { last = done })
	if err != nil {
		t.Fatal(err)
	}
	if last != int64(len(toyBytes)) {
		t.Errorf("progress ended at %d of %d bytes", last, len(toyBytes))
	}
	wantWhole(t, dir, true)
}

// silent sends half of the file and then nothing until the test is over.
func silent(t *testing.T) (url string, started <-chan struct{}) {
	begun, over := make(chan struct{}), make(chan struct{})
	var once sync.Once
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(toyBytes)))
		w.Write(toyBytes[:len(toyBytes)/2])
		w.(http.Flusher).Flush()
		once.Do(func() { close(begun) })
		<-over
	}))
	t.Cleanup(func() { close(over); srv.Close() })
	return srv.URL, begun
}

func TestFetchTimesOut(t *testing.T) {
	t.Setenv(EnvOffline, "")
	url, _ := silent(t)
	dir := t.TempDir()
	f := quickFetcher()
	f.stall, f.attempts = 100*time.Millisecond, 2
	err := f.fetch(t.Context(), toy(url), dir, nil)
	if !errors.Is(err, ErrDownload) || !strings.Contains(err.Error(), "nothing came for 100ms") {
		t.Fatalf("error %v", err)
	}
	wantWhole(t, dir, false)
}

// A home that sends a little now and then never stalls.
func TestFetchHasATimeInAll(t *testing.T) {
	t.Setenv(EnvOffline, "")
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(toyBytes)))
		for i := range toyBytes {
			if _, err := w.Write(toyBytes[i : i+1]); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			select {
			case <-r.Context().Done():
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
	}))
	t.Cleanup(srv.Close)
	dir := t.TempDir()
	f := quickFetcher()
	f.total = 300 * time.Millisecond
	err := f.fetch(t.Context(), toy(srv.URL), dir, nil)
	if !errors.Is(err, ErrDownload) || !strings.Contains(err.Error(), "not finished after 300ms") {
		t.Fatalf("error %v", err)
	}
	wantWhole(t, dir, false)
}

func TestFetchIsInterrupted(t *testing.T) {
	t.Setenv(EnvOffline, "")
	url, started := silent(t)
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-started
		cancel()
	}()
	err := quickFetcher().fetch(ctx, toy(url), dir, nil)
	if !errors.Is(err, context.Canceled) || !errors.Is(err, ErrDownload) {
		t.Fatalf("error %v", err)
	}
	wantWhole(t, dir, false)
}

func TestFetchOffline(t *testing.T) {
	t.Setenv(EnvOffline, "1")
	err := quickFetcher().fetch(t.Context(), toy("http://127.0.0.1:1"), t.TempDir(), nil)
	if !errors.Is(err, ErrOffline) {
		t.Fatalf("error %v", err)
	}
}

// fullDisk is a temporary file on a disk with room for 100,000 bytes.
type fullDisk struct {
	pending
	room int
}

func (d *fullDisk) Write(p []byte) (int, error) {
	n, err := d.pending.Write(p[:min(len(p), d.room)])
	d.room -= n
	if err == nil && n < len(p) {
		err = &os.PathError{Op: "write", Path: "file", Err: syscall.ENOSPC}
	}
	return n, err
}

func TestFetchToAFullDisk(t *testing.T) {
	t.Setenv(EnvOffline, "")
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write(toyBytes) }))
	defer srv.Close()
	dir := t.TempDir()
	f := quickFetcher()
	f.create = func(path string) (pending, error) {
		file, err := createPart(path)
		return &fullDisk{file, 100_000}, err
	}
	err := f.fetch(t.Context(), toy(srv.URL), dir, nil)
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "after 100000 of 300000 bytes") {
		t.Fatalf("error %v", err)
	}
	wantWhole(t, dir, false)
}

func TestFetchWhereItMayNotWrite(t *testing.T) {
	t.Setenv(EnvOffline, "")
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write(toyBytes) }))
	defer srv.Close()
	t.Run("a file in the way", func(t *testing.T) {
		way := filepath.Join(t.TempDir(), "files")
		if err := os.WriteFile(way, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		err := quickFetcher().fetch(t.Context(), toy(srv.URL), way, nil)
		if !errors.Is(err, ErrDownload) || !strings.Contains(err.Error(), datasets.EnvFolder) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("read-only folder", func(t *testing.T) {
		if os.Geteuid() == 0 || runtime.GOOS == "windows" {
			t.Skip("the superuser may write everywhere, and Windows has no read-only folders")
		}
		dir := t.TempDir()
		if err := os.Chmod(dir, 0o555); err != nil {
			t.Fatal(err)
		}
		err := quickFetcher().fetch(t.Context(), toy(srv.URL), dir, nil)
		if !errors.Is(err, os.ErrPermission) || !strings.Contains(err.Error(), datasets.EnvFolder) {
			t.Errorf("error %v", err)
		}
		wantWhole(t, dir, false)
	})
}

func TestFetchClearsWhatAKilledProcessLeft(t *testing.T) {
	t.Setenv(EnvOffline, "")
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write(toyBytes) }))
	defer srv.Close()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".toy.data.part"), []byte("1,2"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "toy.data"), []byte("1,2"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := quickFetcher().fetch(t.Context(), toy(srv.URL), dir, nil); err != nil {
		t.Fatal(err)
	}
	wantWhole(t, dir, true)
}

// Two processes and two goroutines want the same file at once: the home is
// asked once, and all of them find it whole.
func TestFetchByTwoProcessesAtOnce(t *testing.T) {
	t.Setenv(EnvOffline, "")
	if url := os.Getenv("DATASETS_TEST_URL"); url != "" {
		// The other process.
		if err := quickFetcher().fetch(t.Context(), toy(url), os.Getenv("DATASETS_TEST_DIR"), nil); err != nil {
			t.Fatal(err)
		}
		return
	}
	var calls atomic.Int32
	all := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		w.Header().Set("Content-Length", fmt.Sprint(len(toyBytes)))
		w.Write(toyBytes[:100])
		w.(http.Flusher).Flush()
		<-all // nobody is done before everybody has begun
		w.Write(toyBytes[100:])
	}))
	defer srv.Close()
	dir := t.TempDir()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 2 {
		cmd := exec.CommandContext(t.Context(), exe, "-test.run=^TestFetchByTwoProcessesAtOnce$")
		cmd.Env = append(os.Environ(), "DATASETS_TEST_URL="+srv.URL, "DATASETS_TEST_DIR="+dir)
		var out strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			if err := cmd.Wait(); err != nil {
				t.Errorf("the other process: %v\n%s", err, &out)
			}
		})
		wg.Go(func() {
			if err := quickFetcher().fetch(t.Context(), toy(srv.URL), dir, nil); err != nil {
				t.Error(err)
			}
		})
	}
	close(all)
	wg.Wait()
	if calls.Load() != 1 {
		t.Errorf("the home was asked %d times", calls.Load())
	}
	wantWhole(t, dir, true)
}

// A process that is killed in the midst of a download leaves no file under the
// final name, and does not block the next.
func TestFetchAfterAProcessWasKilled(t *testing.T) {
	t.Setenv(EnvOffline, "")
	if url := os.Getenv("DATASETS_TEST_URL"); url != "" {
		t.Fatal(quickFetcher().fetch(t.Context(), toy(url), os.Getenv("DATASETS_TEST_DIR"), nil))
	}
	url, started := silent(t)
	dir := t.TempDir()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, "-test.run=^TestFetchAfterAProcessWasKilled$")
	cmd.Env = append(os.Environ(), "DATASETS_TEST_URL="+url, "DATASETS_TEST_DIR="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-started
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if _, err := os.Stat(filepath.Join(dir, "toy.data")); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("a partial file: %v", err)
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write(toyBytes) }))
	defer srv.Close()
	if err := quickFetcher().fetch(t.Context(), toy(srv.URL), dir, nil); err != nil {
		t.Fatal(err)
	}
	wantWhole(t, dir, true)
}
