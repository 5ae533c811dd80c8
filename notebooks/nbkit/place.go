package nbkit

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

const module = "github.com/mllabs-go/mllabs"

// FiguresEnv names the environment variable that sends figures to another folder
// than figures/ in the checkout, as the automatic runs of scripts/lab do.
const FiguresEnv = "MLLABS_FIGURES"

// RootEnv names the environment variable that says where the checkout is to a notebook
// that lies elsewhere. The setup cell reads it, too.
const RootEnv = "MLLABS_ROOT"

var current string // the notebook's name, "course/topic"

// notebookName allows a course's folder and the folder of students' copies below it;
// of the notebooks that belong to no course the names begin with a number.
var notebookName = regexp.MustCompile(`^(?:(?:[a-z0-9_-]+/){1,2}[a-zA-Z0-9_-]+|\d\d_[a-zA-Z0-9_-]+)$`)

// Notebook says which notebook this is, by course and topic, so that [Show]
// knows where to save its figures. Declare it once, in the import cell:
//
//	var _ = nbkit.Notebook("lab3/01_nearest_neighbours")
//
// It returns the name.
func Notebook(name string) string {
	if !notebookName.MatchString(name) {
		complain("nbkit.Notebook", fmt.Errorf("%q is not a name like lab3/01_nearest_neighbours", name))
		return name
	}
	current = name
	return name
}

// checkout is the root of the checkout that the notebook, or the program, is in.
func checkout() (string, error) {
	starts := []string{os.Getenv(RootEnv), os.Getenv(protocol.GONB_DIR_ENV)}
	if wd, err := os.Getwd(); err == nil {
		starts = append(starts, wd)
	}
	for _, dir := range starts {
		if dir == "" {
			continue
		}
		for {
			if isRoot(dir) {
				return dir, nil
			}
			parent := filepath.Dir(dir)
			if parent == dir {
				break
			}
			dir = parent
		}
	}
	return "", errors.New("not inside a checkout of " + module)
}

func isRoot(dir string) bool {
	f, err := os.Open(filepath.Join(dir, "go.mod"))
	if err != nil {
		return false
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if line := strings.TrimSpace(s.Text()); strings.HasPrefix(line, "module ") {
			return strings.TrimSpace(strings.TrimPrefix(line, "module ")) == module
		}
	}
	return false
}

// figurePath is where the figure called name belongs.
func figurePath(name string) (string, error) {
	if current == "" {
		return "", errors.New(`which notebook is this? Put var _ = nbkit.Notebook("course/topic") into the import cell`)
	}
	dir := os.Getenv(FiguresEnv)
	if dir == "" {
		root, err := checkout()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(root, "figures")
	}
	return filepath.Join(dir, filepath.FromSlash(current), name+".png"), nil
}
