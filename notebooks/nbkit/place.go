package nbkit

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/mllabs-go/mllabs/notebooks/nbkit/internal/checkout"
)

// FiguresEnv names the environment variable that sends figures to another folder
// than figures/ in the checkout, as the automatic runs of scripts/lab do.
const FiguresEnv = "MLLABS_FIGURES"

// RootEnv names the environment variable that says where the checkout is to a notebook
// that lies elsewhere. The kernel sets it.
const RootEnv = checkout.RootEnv

var current string // the notebook's name, "course/topic"

// notebookName allows a course's folder and the folder of students' copies below it;
// of the notebooks that belong to no course the names begin with a number.
var notebookName = regexp.MustCompile(`^(?:(?:[a-z0-9_-]+/){1,2}[a-zA-Z0-9_-]+|\d\d_[a-zA-Z0-9_-]+)$`)

// Notebook says which notebook of the course this is, by course and topic, so that [Show]
// saves its figures in the checkout's figures/. Declare it once, in the import cell:
//
//	var _ = nbkit.Notebook("lab3/01_nearest_neighbours")
//
// It returns the name. A notebook of your own needs no name, because its figures belong beside it.
func Notebook(name string) string {
	if !notebookName.MatchString(name) {
		complain("nbkit.Notebook", fmt.Errorf("%q is not a name like lab3/01_nearest_neighbours", name))
		return name
	}
	current = name
	return name
}

// figurePath returns the path of the figure called name: in the checkout's figures/ for a
// notebook of the course, which says its name, and in the folder figures beside any other.
func figurePath(name string) (string, error) {
	dir := os.Getenv(FiguresEnv)
	switch {
	case dir != "":
	case current == "":
		dir = "figures"
	default:
		root, err := checkout.Root()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(root, "figures")
	}
	return filepath.Join(dir, filepath.FromSlash(current), name+".png"), nil
}
