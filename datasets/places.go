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

// The environment variables that this package heeds.
const (
	// EnvFolder names a folder that is looked in before all else.
	EnvFolder = "MLLABS_DATASETS"
	// EnvOffline, set to 1, forbids downloads.
	EnvOffline = "MLLABS_OFFLINE"
)

// A Source is a kind of place that a file can come from.
type Source string

// The sources, in the order in which they are looked in.
const (
	FromEnv      Source = "the folder in MLLABS_DATASETS"
	FromEmbedded Source = "the copy inside the package"
	FromFiles    Source = "the folder of fetched files"
	FromShared   Source = "shared/datasets beside the checkout"
)

// A Location says where a file was found.
type Location struct {
	File File
	From Source
	// Path is the file on disk, "" for an embedded copy.
	Path string
}

// A folder is a place on disk to look in.
type folder struct {
	from Source
	path string
}

// folders returns the places on disk, the one for fetched files among them.
func folders() []folder {
	var all []folder
	if dir := os.Getenv(EnvFolder); dir != "" {
		all = append(all, folder{FromEnv, dir})
	}
	if dir, err := FilesDir(); err == nil {
		all = append(all, folder{FromFiles, dir})
	}
	if root := checkout(); root != "" {
		all = append(all, folder{FromShared, filepath.Join(filepath.Dir(root), "shared", "datasets")})
	}
	return all
}

// FilesDir is the folder that downloads go to: datasets/files in the checkout,
// or mllabs/datasets in the user's cache folder. It need not exist yet.
func FilesDir() (string, error) {
	if root := checkout(); root != "" {
		return filepath.Join(root, "datasets", "files"), nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("there is no folder to keep data files in: %w; set %s to one", err, EnvFolder)
	}
	return filepath.Join(cache, "mllabs", "datasets"), nil
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

// locate finds a file without the network and returns its checked bytes. Where
// it is nowhere the error wraps [ErrNotFound]; a file that is there with other
// bytes is an error too, and no later place is looked in.
func locate(f File) (Location, []byte, error) {
	var looked []string
	embeddedNext := true
	for _, dir := range folders() {
		if embeddedNext && dir.from != FromEnv {
			embeddedNext = false
			if data, ok := embeddedFile(f.Name); ok {
				return Location{File: f, From: FromEmbedded}, data, check(f, data, "the copy inside the package")
			}
		}
		path := filepath.Join(dir.path, f.Name)
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			looked = append(looked, dir.path)
			continue
		}
		if err != nil {
			return Location{}, nil, err
		}
		return Location{File: f, From: dir.from, Path: path}, data, check(f, data, path)
	}
	if embeddedNext {
		if data, ok := embeddedFile(f.Name); ok {
			return Location{File: f, From: FromEmbedded}, data, check(f, data, "the copy inside the package")
		}
	}
	return Location{}, nil, fmt.Errorf("%w: %s is not in %s", ErrNotFound, f.Name, strings.Join(looked, ", "))
}

// check compares bytes with a file's pin.
func check(f File, data []byte, where string) error {
	sum := sha256.Sum256(data)
	if got := hex.EncodeToString(sum[:]); got != f.SHA256 {
		return fmt.Errorf("%s: %w: %s has %d bytes with SHA-256 %s; %d bytes with %s are expected; remove it, then fetch it again from %s",
			f.Name, ErrChecksum, where, len(data), got, f.Size, f.SHA256, f.URL)
	}
	return nil
}
