package typst

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/gofont/gomonoitalic"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/scratch"
)

// driver has the command line of Typst's own program, but runs the compiler of the Python
// package typst.
//
//go:embed compile.py
var driver string

// Version is the version of Typst that documents are written for. Other versions have
// different names for some symbols.
const Version = "0.15"

// A Compiler makes PDFs.
type Compiler struct {
	command []string // the program and its first arguments
	python  bool
}

// Python returns a compiler that is run by a Python interpreter with the package typst.
func Python(interpreter string) *Compiler {
	return &Compiler{command: []string{interpreter, "-I", "-X", "utf8", "-c", driver}, python: true}
}

// patience is how long a program called typst may take to tell its version.
var patience = 10 * time.Second

// Installed returns Typst's own program on PATH, or nil if there is none of the version that
// documents are written for.
func Installed(ctx context.Context) *Compiler {
	path, err := exec.LookPath("typst")
	if err != nil {
		return nil
	}
	asked, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	out, err := process.Command(asked, path, "--version").Output()
	if err != nil || !strings.HasPrefix(string(out), "typst "+Version+".") {
		return nil
	}
	return &Compiler{command: []string{path}}
}

// Limits are the most that making a PDF may take.
type Limits struct {
	Time   time.Duration
	Memory int64 // in bytes; not enforced on some systems, nor with Typst's own program
}

// Usual are limits for any document. A book of 850 pages takes 2.3 GB, and some minutes on a
// busy machine, so these limits only stop compilations that would never end.
var Usual = Limits{Time: 30 * time.Minute, Memory: 4 << 30}

// Options are the settings of a compilation.
type Options struct {
	// SystemFonts lets characters that the document's own fonts lack be drawn from those
	// that are installed.
	SystemFonts bool
	// Untagged makes a plain PDF instead of one that is accessible by PDF/UA-1, which has
	// rules that a document may break.
	Untagged bool
	Limits   Limits // Usual if zero
}

// A MissingError lists the pieces of text that no font can show.
type MissingError struct{ Text []string }

func (e *MissingError) Error() string {
	return fmt.Sprintf("no font can show %q", strings.Join(e.Text, " "))
}

// An Error holds the message with which the compiler rejected a document.
type Error struct{ Message string }

func (e *Error) Error() string { return "Typst: " + e.Message }

// ErrLimit is returned when the compiler takes too much time or memory.
var ErrLimit = errors.New("the PDF takes more time or memory than there is")

// Compile makes a PDF of the file main.typ of a document. Messages are the compiler's warnings.
func (c *Compiler) Compile(ctx context.Context, files map[string][]byte, o Options) (pdf []byte, messages string, err error) {
	limits := o.Limits
	if limits == (Limits{}) {
		limits = Usual
	}
	if most, known := free(); known {
		limits.Memory = min(limits.Memory, most)
	}
	temporary, err := scratch.New("typst")
	if err != nil {
		return nil, "", err
	}
	defer temporary.Remove()
	dir := temporary.Path
	document, fonts, nothing := filepath.Join(dir, "document"), filepath.Join(dir, "fonts"), filepath.Join(dir, "nothing")
	for folder, files := range map[string]map[string][]byte{document: files, fonts: codeFonts, nothing: nil} {
		if err := write(folder, files); err != nil {
			return nil, "", err
		}
	}
	standard, target := "ua-1", filepath.Join(dir, "document.pdf")
	if o.Untagged {
		standard = "1.7"
	}
	args := []string{"compile", "--root", document, "--font-path", fonts, "--pdf-standard", standard,
		"--package-path", nothing, "--package-cache-path", nothing, "--jobs", "1"}
	if !o.SystemFonts {
		args = append(args, "--ignore-system-fonts")
	}
	if c.python {
		args = append(args, "--memory", strconv.FormatInt(limits.Memory, 10))
	}
	args = append(args, filepath.Join(document, "main.typ"), target)
	limited, cancel := context.WithTimeout(ctx, limits.Time)
	defer cancel()
	cmd := process.Command(limited, c.command[0], append(slices.Clone(c.command[1:]), args...)...)
	cmd.Dir = dir
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err = cmd.Run()
	text := strings.TrimSpace(said.String())
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case limited.Err() != nil, err != nil && errors.As(err, &exit) && exit.ExitCode() != 1, err != nil && strings.Contains(text, "memory allocation of"):
		return nil, "", ErrLimit
	case err == nil:
		pdf, err = os.ReadFile(target)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, "", fmt.Errorf("%s made no PDF and said no error; it is no Typst %s", c.command[0], Version)
		}
		return pdf, text, err
	case exit == nil:
		return nil, "", fmt.Errorf("cannot run Typst: %w", err)
	}
	if missing := missingText(text); len(missing) > 0 {
		return nil, "", &MissingError{missing}
	}
	return nil, "", &Error{firstLines(text)}
}

var codeFonts = map[string][]byte{"mono.ttf": gomono.TTF, "mono-bold.ttf": gomonobold.TTF, "mono-italic.ttf": gomonoitalic.TTF}

func write(folder string, files map[string][]byte) error {
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(filepath.Join(folder, name), files[name], 0o600); err != nil {
			return err
		}
	}
	return nil
}

var (
	cannotShow = regexp.MustCompile("the text `\"((?:[^\"\\\\]|\\\\.)*)\"` could not be displayed")
	escape     = regexp.MustCompile(`\\(?:u\{([0-9a-f]{1,6})\}|(.))`)
)

// missingText returns the pieces of text that, by the compiler's messages, no font can show.
func missingText(messages string) (missing []string) {
	for _, m := range cannotShow.FindAllStringSubmatch(messages, -1) {
		text := escape.ReplaceAllStringFunc(m[1], func(s string) string {
			e := escape.FindStringSubmatch(s)
			if code, err := strconv.ParseUint(e[1], 16, 32); err == nil {
				return string(rune(code))
			}
			if i := strings.Index("nrt0", e[2]); i >= 0 {
				return "\n\r\t\x00"[i : i+1]
			}
			return e[2]
		})
		if !slices.Contains(missing, text) {
			missing = append(missing, text)
		}
	}
	return missing
}

// firstLines returns the beginning of the compiler's messages, which quote the document.
func firstLines(text string) string {
	lines := strings.SplitN(text, "\n", 5)
	for i, l := range lines {
		if r := []rune(l); len(r) > 200 {
			lines[i] = string(r[:200]) + "…"
		}
	}
	return strings.Join(lines[:min(len(lines), 4)], "\n")
}
