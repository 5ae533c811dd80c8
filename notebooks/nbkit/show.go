package nbkit

import (
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
)

var figureName = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

// Show displays a figure and saves it as figures/<course>/<topic>/<name>.png in the checkout, or,
// where [Notebook] gave no name, as figures/<name>.png beside the notebook.
//
// The alternative text says what the figure shows, and what is to be seen in
// it, to readers who cannot see it; without one there is an error in place of
// the figure. The output is one bundle: HTML with the picture and its text,
// the PNG, and the text alone. A PDF is not part of it, because its bytes
// differ from run to run; printing uses the PNG, which has 200 dots an inch.
func Show(fig plotx.Figure, name, alt string) {
	if err := show(fig, name, alt); err != nil {
		complain("nbkit.Show", err)
	}
}

// ShowGrid shows several figures as panels of one, row by row.
func ShowGrid(name, alt string, columns int, figures ...plotx.Figure) {
	Show(plotx.Grid("", columns, figures...), name, alt)
}

func show(fig plotx.Figure, name, alt string) error {
	alt = strings.Join(strings.Fields(alt), " ")
	switch {
	case fig == nil:
		return errors.New("the figure is nil; was an error overlooked where it was made?")
	case !figureName.MatchString(name):
		return fmt.Errorf("figure name %q: use letters, digits, _ and -, for it becomes the name of a file", name)
	case alt == "":
		return fmt.Errorf("figure %q has no alternative text: say what it shows to somebody who cannot see it", name)
	}
	png, missing, err := plotx.Picture(fig)
	if err != nil {
		return err
	}
	if missing != nil {
		fmt.Fprintf(os.Stderr, "nbkit.Show: figure %q shows □ for %q: its font has no such characters\n", name, string(missing))
	}
	path, err := figurePath(name)
	if err != nil {
		return err
	}
	if err := replaceFile(path, png); err != nil {
		return err
	}
	w, _ := fig.Size()
	// A point is 4/3 CSS pixels; the picture has more pixels and stays sharp.
	send(output{kind: kindFigure, name: name, png: png, text: alt, html: fmt.Sprintf(
		`<figure style="margin:0.5em 0"><img alt="%s" width="%.0f" style="max-width:100%%;height:auto" src="data:image/png;base64,%s"></figure>`,
		html.EscapeString(alt), w.Points()*4/3, base64.StdEncoding.EncodeToString(png))})
	return nil
}

// replaceFile writes a file whole or not at all, in a folder that is made where it is
// missing.
func replaceFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(path, data)
}
