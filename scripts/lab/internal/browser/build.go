package browser

import (
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/notebooks/closure"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/compress"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/handout"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/key"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/scratch"
)

// Options say what [Build] builds.
type Options struct {
	// Courses are those whose notebooks are to run, "lab3"; nil: all.
	Courses []string
	// Cache is the folder that keeps what was built; "": .lab/browser in the checkout.
	Cache string
	// Log is told what takes long; nil: nobody.
	Log io.Writer
	// Quick compresses for speed instead of size, for tests.
	Quick bool
}

func (o Options) cacheIn(root string) string {
	return cmp.Or(o.Cache, filepath.Join(root, ".lab", "browser"))
}

// Built says what [Build] has built.
type Built struct {
	// Version changes with any file. Pages import engine.js?v=VERSION.
	Version string
	// Download is how much a first visit fetches for a course by brotli, in bytes.
	Download map[string]int
}

// A manifest tells engine.js what there is.
type manifest struct {
	Go       string              `json:"go"`
	Lang     string              `json:"lang"`
	Debug    string              `json:"debug"`   // runtime.godebugDefault of programs
	Scripts  string              `json:"scripts"` // the folder of the workers' scripts
	Probe    File                `json:"probe"`
	Notice   File                `json:"notice"` // the licences of everything here
	Tools    map[string]File     `json:"tools"`
	Packs    map[string]File     `json:"packs"`
	Courses  map[string][]string `json:"courses"`  // the packs of each; "" for notebooks of no course
	Data     map[string]File     `json:"data"`     // by the file's name
	Names    map[string]File     `json:"names"`    // what cells of each course may name, for editors
	Recorded map[string]File     `json:"recorded"` // what peers answered, by the question's key
}

//go:embed web
var web embed.FS

// Build writes the engine for the notebooks of courses into a folder: static files that
// work under any path. What was built before is taken from the cache.
func Build(ctx context.Context, root, dir string, opts Options) (*Built, error) {
	b := &builder{root: root, opts: opts}
	b.cache = opts.cacheIn(root)
	if err := b.read(ctx); err != nil {
		return nil, err
	}
	list := filepath.Join(b.cache, "built", b.key+".json")
	files, err := readList(list, b.store().dir)
	if err != nil {
		if files, err = b.build(ctx); err != nil {
			return nil, err
		}
		if err := errors.Join(writeJSON(list, files), b.tidy(files)); err != nil {
			return nil, err
		}
	}
	return b.place(dir, files)
}

type builder struct {
	root, cache, key string
	opts             Options
	goVersion        string
	gocmd            *goCommand
	courses          map[string][]string // what the cells of each import
	solutions        []string            // which no package may hold
	notebooks        []string            // their names
}

// dataNotice is the path of the licences of the data files.
func (b *builder) dataNotice() string { return filepath.Join(b.root, "datasets", "NOTICE.md") }

// store keeps the files that were made, also for later builds.
func (b *builder) store() *fileStore {
	if b.opts.Quick {
		return &fileStore{filepath.Join(b.cache, "files-quick"), compress.Fast}
	}
	return &fileStore{filepath.Join(b.cache, "files"), compress.Small}
}

func (b *builder) say(format string, args ...any) {
	if b.opts.Log != nil {
		fmt.Fprintf(b.opts.Log, format+"\n", args...)
	}
}

// read reads the notebooks, and makes the key that changes with all that the engine is made
// of.
func (b *builder) read(ctx context.Context) error {
	var err error
	if b.gocmd, b.goVersion, err = newGoCommand(ctx, b.root); err != nil {
		return err
	}
	all, err := project.Project{Root: b.root}.Notebooks()
	if err != nil {
		return err
	}
	for _, name := range b.opts.Courses {
		if !slices.ContainsFunc(all, func(nb project.Notebook) bool { return nb.Course == name }) {
			return fmt.Errorf("no course is named %q", name)
		}
	}
	b.courses = map[string][]string{"": nil}
	var given []handout.Notebook
	for _, nb := range all {
		if nb.Course != "" && b.opts.Courses != nil && !slices.Contains(b.opts.Courses, nb.Course) {
			continue
		}
		b.notebooks = append(b.notebooks, nb.Name())
		worked, err := notebook.Read(nb.Path)
		if err != nil {
			return err
		}
		copied := exercise.Copy(nb.Name(), worked, exercise.Links{HasCopy: func(string) bool { return true }})
		given = append(given, handout.Notebook{Name: nb.Name(), Path: nb.Name(), Worked: worked, Copy: copied})
		for _, c := range worked.Cells {
			if c.IsSolution() {
				b.solutions = append(b.solutions, c.Source)
			}
		}
		imports := cell.NewPage(cell.ReadPage(copied), -1).Program().Imports()
		b.courses[nb.Course] = append(b.courses[nb.Course], imports...)
	}
	b.key, err = b.makeKey()
	if err != nil {
		return err
	}
	if project.Exists(filepath.Join(b.cache, "built", b.key+".json")) {
		return nil // it was found good
	}
	return handout.Check(ctx, b.root, given)
}

// makeKey returns the key of the engine: of its packages, of the programs that make it or judge
// whether students may have the packages, and of the solutions that it must not give out.
func (b *builder) makeKey() (string, error) {
	notice, err := os.ReadFile(b.dataNotice())
	if err != nil {
		return "", err
	}
	parts := []string{b.goVersion, fmt.Sprint(b.opts.Quick), string(notice)}
	parts = append(parts, b.solutions...)
	tree := closure.Open(b.root)
	for _, name := range slices.Sorted(maps.Keys(b.courses)) {
		b.courses[name] = slices.Compact(slices.Sorted(slices.Values(b.courses[name])))
		code, err := tree.Hash(append(slices.Clone(b.courses[name]), harness)...)
		if err != nil {
			return "", err
		}
		parts = append(parts, name, fmt.Sprint(b.courses[name]), code)
	}
	tool, err := tree.Hash(project.Module+"/scripts/lab/internal/browser", project.Module+"/scripts/lab/internal/browser/compose")
	return key.Of(append(parts, tool)...)[:24], err
}

// build fills the store and returns the manifest.
func (b *builder) build(ctx context.Context) (*manifest, error) {
	folder, err := scratch.New("browser")
	if err != nil {
		return nil, err
	}
	defer folder.Remove()
	s := b.store()
	m := &manifest{Go: b.goVersion, Tools: map[string]File{}, Packs: map[string]File{}, Courses: map[string][]string{}, Names: map[string]File{}}
	for _, tool := range []string{"compile", "link"} {
		data, err := b.tool(ctx, tool, folder.Path)
		if err == nil {
			m.Tools[tool], err = s.put(tool+".wasm", data)
		}
		if err != nil {
			return nil, err
		}
	}
	b.say("browser: the part that reads cells")
	composer := filepath.Join(folder.Path, "compose.wasm")
	if _, err := b.gocmd.runIn(ctx, filepath.Join(b.root, "scripts"), "build", "-trimpath", "-ldflags=-s -w", "-o", composer, "./lab/internal/browser/compose"); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(composer)
	if err == nil {
		m.Tools["compose"], err = s.put("compose.wasm", data)
	}
	if err != nil {
		return nil, err
	}
	if err := b.packs(ctx, m, s, folder.Path); err != nil {
		return nil, err
	}
	// What a page fetches first, to find out whether .br files come packed (store.js).
	m.Probe, err = s.put("probe.txt", []byte(probe))
	return m, err
}

// probe is long enough to become shorter.
var probe = strings.Repeat("mllabs ", 16)

// tool is the compiler or the linker, which change with the version of Go alone.
func (b *builder) tool(ctx context.Context, name, dir string) ([]byte, error) {
	texts, err := b.gocmd.laidOver(name)
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	io.WriteString(h, toolVersion)
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(h, "\n%s %d\n%s", path, len(texts[path]), texts[path])
	}
	kept := filepath.Join(b.cache, "tools", fmt.Sprintf("%s-%s-%x.wasm", name, b.goVersion, h.Sum(nil)[:4]))
	if data, err := os.ReadFile(kept); err == nil {
		return data, nil
	}
	b.say("browser: Go's %s for WebAssembly; this takes a minute or two, once for each version of Go", name)
	out := filepath.Join(dir, name+".wasm")
	err = b.gocmd.tool(ctx, name, texts, dir, out)
	asItIs := err != nil && ctx.Err() == nil // another version of Go may not take what is laid over it
	if asItIs {
		b.say("browser: the %s is built as it is, which is larger, for with what is laid over its sources it cannot be: %v", name, err)
		err = b.gocmd.tool(ctx, name, nil, dir, out)
	}
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(out)
	if err == nil && !asItIs {
		err = errors.Join(os.MkdirAll(filepath.Dir(kept), 0o755), atomicfile.Write(kept, data))
	}
	return data, err
}

// harness is what every program of cells imports.
const harness = project.Module + "/notebooks/nbkit/harness"

// packs compiles the packages and packs them.
func (b *builder) packs(ctx context.Context, m *manifest, s *fileStore, dir string) error {
	b.say("browser: the packages that cells import")
	always := append(slices.Clone(b.courses[""]), harness)
	always = append(always, cell.Standard()...)
	imports := slices.Clone(always)
	courses := maps.Clone(b.courses)
	delete(courses, "")
	for _, list := range courses {
		imports = append(imports, list...)
	}
	slices.Sort(imports)
	all, err := b.gocmd.packages(ctx, slices.Compact(imports), filepath.Join(dir, "main.go"))
	if err != nil {
		return err
	}
	notice, err := b.gocmd.notice(all)
	if err != nil {
		return err
	}
	ofData, err := os.ReadFile(b.dataNotice())
	if err != nil {
		return err
	}
	notice = fmt.Appendf(notice, "==== data files\n\n%s", ofData)
	if m.Notice, err = s.put("licences.txt", notice); err != nil {
		return err
	}
	m.Lang = language(all)
	m.Debug = all["command-line-arguments"].DefaultGODEBUG
	divided := divide(all, always, courses)
	for _, name := range slices.Sorted(maps.Keys(divided)) {
		data, err := pack(all, divided[name])
		if err != nil {
			return err
		}
		b.say("browser: pack %s, %d packages, %.1f MB", name, len(divided[name]), float64(len(data))/1e6)
		if m.Packs[name], err = s.put(name+".pack", data); err != nil {
			return err
		}
	}
	for name, own := range b.courses {
		text, err := names(all, slices.Compact(slices.Sorted(slices.Values(slices.Concat(b.courses[""], cell.Standard(), own)))))
		if err == nil {
			m.Names[name], err = s.put(name+"names.txt", text)
		}
		if err != nil {
			return err
		}
		m.Courses[name] = slices.DeleteFunc([]string{standardPack, libraryPack, name}, func(p string) bool { return m.Packs[p].Name == "" })
	}
	return nil
}

// toolVersion is part of what the tools are kept by. Change it with how they are built.
const toolVersion = "1"

// files are all that the manifest names.
func (m *manifest) files() []File {
	return slices.Concat([]File{m.Probe, m.Notice}, values(m.Tools), values(m.Packs), values(m.Names), values(m.Data), values(m.Recorded))
}

func values(m map[string]File) []File {
	var list []File
	for _, k := range slices.Sorted(maps.Keys(m)) {
		list = append(list, m[k])
	}
	return list
}

// forms are the endings of a file's forms.
var forms = []string{"", ".br", ".gz"}

// readList reads a manifest whose files are all in a store.
func readList(path, store string) (*manifest, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var m manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, err
	}
	for _, f := range m.files() {
		for _, form := range forms {
			if _, err := os.Stat(filepath.Join(store, f.Name+form)); err != nil {
				return nil, err
			}
		}
	}
	return &m, nil
}

func writeJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), atomicfile.Write(path, append(text, '\n')))
}

// tidy takes from the store what has not been needed for a month.
func (b *builder) tidy(m *manifest) error {
	needed := map[string]bool{}
	for _, f := range m.files() {
		for _, form := range forms {
			needed[f.Name+form] = true
		}
	}
	entries, err := os.ReadDir(b.store().dir)
	for _, e := range entries {
		if info, infoErr := e.Info(); infoErr == nil && !needed[e.Name()] && time.Since(info.ModTime()) > 30*24*time.Hour {
			err = errors.Join(err, os.Remove(filepath.Join(b.store().dir, e.Name())))
		}
	}
	return err
}

// place copies what the manifest names into the folder, with the scripts and the manifest
// itself, and takes away what an earlier build left there.
func (b *builder) place(dir string, m *manifest) (*Built, error) {
	scripts, err := b.scripts()
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(scripts)) {
		fmt.Fprintf(h, "%s %d\n%s", name, len(scripts[name]), scripts[name])
	}
	if m.Data, err = b.data(); err != nil { // what there is may change at any time
		return nil, err
	}
	if m.Recorded, err = b.recorded(); err != nil {
		return nil, err
	}
	m.Scripts = "scripts-" + hex.EncodeToString(h.Sum(nil)[:4])
	wanted := map[string]bool{"manifest.json": true, engineScript: true, m.Scripts: true}
	if err := os.MkdirAll(filepath.Join(dir, m.Scripts), 0o755); err != nil {
		return nil, err
	}
	for name, text := range scripts {
		to := filepath.Join(dir, m.Scripts, name)
		if name == engineScript {
			to = filepath.Join(dir, name)
		}
		if err := atomicfile.Write(to, text); err != nil {
			return nil, err
		}
	}
	for _, f := range m.files() {
		for _, form := range forms {
			wanted[f.Name+form] = true
			if err := copyFile(filepath.Join(b.store().dir, f.Name+form), filepath.Join(dir, f.Name+form)); err != nil {
				return nil, err
			}
		}
	}
	if err := writeJSON(filepath.Join(dir, "manifest.json"), m); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if ours.MatchString(e.Name()) && !wanted[e.Name()] {
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				return nil, err
			}
		}
	}
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	h.Write(text)
	built := &Built{Version: hex.EncodeToString(h.Sum(nil)[:4]), Download: map[string]int{}}
	for course, packs := range m.Courses {
		for _, f := range values(m.Tools) {
			built.Download[course] += f.Brotli
		}
		for _, p := range packs {
			built.Download[course] += m.Packs[p].Brotli
		}
	}
	return built, nil
}

// ours are the names that Build gives.
var ours = regexp.MustCompile(`^[a-z0-9]+-[0-9a-f]{8}(?:\.(?:wasm|pack|txt)(?:\.br|\.gz)?)?$`)

// engineScript is the one that pages import.
const engineScript = "engine.js"

// scripts are those of the page and its workers, with the one that Go itself brings along.
func (b *builder) scripts() (map[string][]byte, error) {
	scripts := map[string][]byte{}
	entries, err := web.ReadDir("web")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if scripts[e.Name()], err = web.ReadFile(path.Join("web", e.Name())); err != nil {
			return nil, err
		}
	}
	scripts["wasm_exec.js"], err = b.goScript()
	return scripts, err
}

// goScript is the one by which Go starts its programs in a page.
func (b *builder) goScript() ([]byte, error) {
	return os.ReadFile(filepath.Join(b.gocmd.goroot, "lib", "wasm", "wasm_exec.js"))
}

// copyFile copies a file that is called after its content.
func copyFile(from, to string) error {
	a, err := os.Stat(from)
	if err != nil {
		return err
	}
	if b, err := os.Stat(to); err == nil && a.Size() == b.Size() {
		return nil
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return atomicfile.Write(to, data)
}
