package nbkit

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/mlcore/plotx"
)

var figureName = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

// Show displays a figure and saves it as figures/<course>/<topic>/<name>.png.
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
	png, err := plotx.PNG(fig)
	if err != nil {
		return err
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

// replaceFile writes a file whole or not at all, and not if it has the same
// bytes already.
func replaceFile(path string, data []byte) (err error) {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
		return nil
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	clearTemporary(dir)
	tmp, err := os.CreateTemp(dir, temporary)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
			err = fmt.Errorf("%s is unchanged: %w", path, err)
		}
	}()
	if _, err = tmp.Write(data); err != nil {
		return err
	}
	if err = tmp.Chmod(0o644); err != nil {
		return err
	}
	if err = tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// temporary is the pattern of names of files that are being written.
const temporary = ".tmp-*"

// clearTemporary removes what programs that were killed left in a folder. Nobody
// writes a file for a minute.
func clearTemporary(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if ok, _ := filepath.Match(temporary, e.Name()); !ok {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > time.Minute {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
