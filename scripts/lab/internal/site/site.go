package site

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/compress"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/export"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// An Engine writes into the folder dir what runs cells in a page: the module engine.js
// and whatever that fetches. It returns a text that changes when any of it does.
type Engine func(ctx context.Context, dir string) (version string, err error)

// Options say what a site holds.
type Options struct {
	project.Project
	// Notebooks are those that get a page, in reading order.
	Notebooks []project.Notebook
	// HasCopy says whether students get a copy of a notebook, by its name.
	HasCopy func(name string) bool
	// DataSets are those that get a page; nil: all of the catalogue.
	DataSets []datasets.Set
	// Answers adds the worked form of each notebook, without its hidden tests.
	Answers bool
	// Engine makes what runs cells; nil: pages say that running is not built in.
	Engine Engine
	// Live makes what computes live figures; nil: there are none.
	Live func(ctx context.Context) (LiveModule, error)
	// Lite writes JupyterLab, as static files, into the folder dir, which is beside that of the
	// engine; nil: there is none.
	Lite func(ctx context.Context, dir string) error
	// Library is what the page for Go programmers shows; nil: there is no such page.
	Library *Library
	// Print makes a PDF of a notebook, to be downloaded; nil: there are none. One that
	// cannot be printed is a warning.
	Print func(ctx context.Context, s export.Source) ([]byte, error)
	// Edition says which state of the project the site shows, "" for nothing.
	Edition string
	// Cover is a picture for the front page, as PNG, and CoverAlt what it shows; nil: none.
	Cover    []byte
	CoverAlt string
	// Quick compresses for speed instead of size, for tests.
	Quick bool
	// Log is told what is being done.
	Log func(format string, args ...any)
}

// A Summary says what was written.
type Summary struct {
	Notebooks, DataSets, Files int
	Bytes                      int64 // of all files, compressed ones included
	// Warnings tell what was left out or not understood.
	Warnings []string
}

// Write writes a site to the folder dir, which is replaced whole or not at all. A folder
// that holds something else than a site, or something beside it, is an error, and stays as
// it is.
func Write(ctx context.Context, dir string, o Options) (*Summary, error) {
	if len(o.Notebooks) == 0 {
		return nil, errors.New("there are no notebooks to make a site of")
	}
	p, err := beside(dir)
	if err != nil {
		return nil, err
	}
	defer p.remove()
	b := &builder{Options: o, folder: folder{root: p.made}}
	if b.Log == nil {
		b.Log = func(string, ...any) {}
	}
	if b.DataSets == nil {
		b.DataSets = datasets.All()
	}
	// Said before the work, which takes minutes: somebody may want to keep what is there.
	if old, ok := readMark(dir); ok && old.Notebooks > len(b.Notebooks) {
		b.Log("%s holds a site of %d notebooks; this one, of %d, will take its place. --out writes to another folder.", dir, old.Notebooks, len(b.Notebooks))
	}
	if err := b.build(ctx); err != nil {
		return nil, err
	}
	if err := p.swap(); err != nil {
		return nil, err
	}
	b.summary.Files, b.summary.Bytes = b.folder.files, b.folder.bytes
	return &b.summary, nil
}

// A builder makes one site.
type builder struct {
	Options
	folder  folder
	assets  string // where styles, fonts and scripts are, from the top of the site
	engine  string // the version of the engine, "" if there is none
	courses []*course
	search  searchIndex
	summary Summary
}

func (b *builder) warn(name, warning string) {
	b.summary.Warnings = append(b.summary.Warnings, name+": "+warning)
}

func (b *builder) build(ctx context.Context) error {
	if b.Engine != nil {
		b.Log("building what runs cells in a page")
		dir := b.folder.path("engine")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		var err error
		if b.engine, err = b.Engine(ctx, dir); err != nil {
			return fmt.Errorf("what runs cells in a page: %w", err)
		}
	}
	if b.Lite != nil {
		b.Log("JupyterLab for the browser")
		if err := b.Lite(ctx, b.folder.path("lite")); err != nil {
			return fmt.Errorf("JupyterLab: %w", err)
		}
	}
	if err := b.writeAssets(ctx); err != nil {
		return err
	}
	if err := b.readCourses(ctx); err != nil {
		return err
	}
	steps := []func(context.Context) error{b.writeNotebooks, b.writeDataSets, b.writeLibrary, b.writeFront, b.writeSearch, b.writeMark}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	b.Log("compressing")
	effort := compress.Small
	if b.Quick {
		effort = compress.Fast
	}
	return b.folder.compress(ctx, effort)
}

// markName is a file in each site, by which it is known.
const markName = "site.json"

const generator = "mllabs lab site"

// A mark is what is in that file.
type mark struct {
	Generator string `json:"generator"`
	Edition   string `json:"edition"`
	Notebooks int    `json:"notebooks"`
	// Holds are the names at the top of the site, without those of compressed forms.
	Holds []string `json:"holds"`
}

func (b *builder) writeMark(context.Context) error {
	// GitHub's pages are served as they are if this file is there.
	if err := b.folder.write(".nojekyll", nil); err != nil {
		return err
	}
	entries, err := os.ReadDir(b.folder.root)
	if err != nil {
		return err
	}
	m := mark{Generator: generator, Edition: b.Edition, Notebooks: len(b.Notebooks), Holds: []string{markName}}
	for _, e := range entries {
		m.Holds = append(m.Holds, e.Name())
	}
	slices.Sort(m.Holds)
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return b.folder.write(markName, append(text, '\n'))
}

// readMark reads the mark of a folder, if it holds a site.
func readMark(dir string) (m mark, ok bool) {
	data, err := os.ReadFile(filepath.Join(dir, markName))
	return m, err == nil && json.Unmarshal(data, &m) == nil && m.Generator == generator
}
