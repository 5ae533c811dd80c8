package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// EnvFolder names the environment variable of a folder that is looked in before
// all else.
const EnvFolder = "MLLABS_DATASETS"

// A Source is a kind of place that a file can come from.
type Source string

// The sources, in the order in which they are looked in.
const (
	FromEnv      Source = "the folder in MLLABS_DATASETS"
	FromEmbedded Source = "the copy inside the package"
	FromCheckout Source = "datasets/files in the checkout"
	FromCache    Source = "mllabs/datasets in the user's cache folder"
)

// A Location says where a file was found.
type Location struct {
	File File
	From Source
	// Path is the file on disk, "" for an embedded copy.
	Path string
}

// A place is somewhere to look for files.
type place struct {
	from Source
	dir  string // "" for the copies inside the package
}

// places returns where to look, in order.
func places() []place {
	var all []place
	if dir := os.Getenv(EnvFolder); dir != "" {
		all = append(all, place{FromEnv, dir})
	}
	all = append(all, place{from: FromEmbedded})
	if p, err := files(); err == nil {
		all = append(all, p)
	}
	return all
}

// read returns the place's copy of a file, checked, and where it is. Where the
// place has none, the error wraps [fs.ErrNotExist].
func (p place) read(f File) (Location, []byte, error) {
	loc := Location{File: f, From: p.from}
	if p.from == FromEmbedded {
		data, err := embeddedFile(f.Name)
		if err == nil {
			err = check(f, data, string(FromEmbedded))
		}
		return loc, data, err
	}
	loc.Path = filepath.Join(p.dir, f.Name)
	data, err := readPublished(f, loc.Path)
	return loc, data, err
}

// FilesDir returns the folder of data files, which is also where downloads go:
// datasets/files in the checkout or, for a program that is built elsewhere,
// mllabs/datasets in the user's cache folder, which need not exist yet.
func FilesDir() (string, error) {
	p, err := files()
	return p.dir, err
}

func files() (place, error) {
	if root := checkout(); root != "" {
		return place{FromCheckout, filepath.Join(root, "datasets", "files")}, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return place{}, fmt.Errorf("there is no folder to keep data files in: %w; set %s to one", err, EnvFolder)
	}
	return place{FromCache, filepath.Join(cache, "mllabs", "datasets")}, nil
}

// checkout returns the root folder of this module's checkout, "" where the
// program was built elsewhere. A notebook's program runs in a temporary folder,
// so the notebook's own folder, which GoNB tells, is tried first; then the
// working folder; then the folder this file was compiled in.
func checkout() string {
	starts := []string{os.Getenv("GONB_DIR")}
	if wd, err := os.Getwd(); err == nil {
		starts = append(starts, wd)
	}
	if _, file, _, ok := runtime.Caller(0); ok {
		starts = append(starts, filepath.Dir(file))
	}
	for _, dir := range starts {
		if root := moduleRoot(dir); root != "" {
			return root
		}
	}
	return ""
}

var moduleLine = regexp.MustCompile(`(?m)^module\s+github\.com/mllabs-go/mllabs\s*$`)

// moduleRoot climbs from dir to the folder whose go.mod is this module's. The
// module cache, whose folders have a version in their name, is not a checkout.
func moduleRoot(dir string) string {
	if !filepath.IsAbs(dir) {
		return ""
	}
	for {
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && moduleLine.Match(mod) && !strings.Contains(filepath.Base(dir), "@") {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// locate finds a file without the network and returns its checked bytes. Where it is
// nowhere the error wraps [ErrNotFound]; a file that is there with other bytes is an error
// that wraps [ErrChecksum], and no later place is looked in.
func locate(f File) (Location, []byte, error) {
	if dir := os.Getenv(EnvFolder); dir != "" {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return Location{}, nil, fmt.Errorf("%s is %q, which is not a folder; unset it or make it one", EnvFolder, dir)
		}
	}
	var looked []string
	for _, p := range places() {
		loc, data, err := p.read(f)
		if !errors.Is(err, fs.ErrNotExist) {
			return loc, data, err
		}
		if p.dir != "" {
			looked = append(looked, p.dir)
		}
	}
	return Location{}, nil, fmt.Errorf("%w: %s is not in %s", ErrNotFound, f.Name, strings.Join(looked, " or "))
}

// check compares bytes with a file's pin.
func check(f File, data []byte, where string) error {
	sum := sha256.Sum256(data)
	if got := hex.EncodeToString(sum[:]); got != f.SHA256 {
		return fmt.Errorf("%s: %w: %s has %d bytes with SHA-256 %s; %s", f.Name, ErrChecksum, where, len(data), got, f.expected())
	}
	return nil
}

func (f File) expected() string {
	return fmt.Sprintf("%d bytes with %s are expected; remove it, then fetch it again from %s", f.Size, f.SHA256, f.URL)
}
