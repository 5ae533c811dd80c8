package lite

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Version is that of the kernel. Raise it when the kernel changes.
const Version = "0.1.0"

// WheelName is what pip wants the file of the wheel to be called.
const WheelName = "mllabs_go_kernel-" + Version + "-py3-none-any.whl"

const (
	extension = "mllabs-go-kernel"
	// extensions is where a wheel's files for JupyterLab lie.
	extensions = "mllabs_go_kernel-" + Version + ".data/data/share/jupyter/labextensions/" + extension + "/"
	info       = "mllabs_go_kernel-" + Version + ".dist-info/"
)

//go:embed web
var web embed.FS

// A wheel is the files of one, by their names.
type wheel map[string][]byte

// Wheel makes a wheel with the kernel. engine is the folder of an engine that goes along, for
// the notebooks of all courses; "" for none: then the settings of a site say where one is.
func Wheel(engine string) ([]byte, error) {
	w := wheel{}
	for _, name := range []string{"remoteEntry.js", "README.md"} {
		data, err := web.ReadFile("web/" + name)
		if err != nil {
			return nil, err
		}
		w[map[string]string{"remoteEntry.js": extensions + "static/", "README.md": extensions}[name]+name] = data
	}
	pkg, err := json.MarshalIndent(map[string]any{
		"name": extension, "version": Version, "license": "MIT", "description": "Go for JupyterLite: compiled and run in the browser",
		"jupyterlab": map[string]any{"extension": true, "outputDir": "labextension", "_build": map[string]any{"load": "static/remoteEntry.js", "extension": "./extension"}},
	}, "", "  ")
	if err != nil {
		return nil, err
	}
	w[extensions+"package.json"] = pkg
	w[extensions+"install.json"] = []byte(`{"packageManager": "python", "packageName": "mllabs_go_kernel", "uninstallInstructions": "pip uninstall mllabs_go_kernel"}` + "\n")
	if engine != "" {
		if err := w.addEngine(engine); err != nil {
			return nil, fmt.Errorf("the engine in the wheel: %w", err)
		}
	}
	w[info+"METADATA"] = fmt.Appendf(nil, "Metadata-Version: 2.1\nName: mllabs_go_kernel\nVersion: %s\nSummary: Go for JupyterLite: compiled and run in the browser\nLicense: MIT\nRequires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n%s", Version, w[extensions+"README.md"])
	w[info+"WHEEL"] = []byte("Wheel-Version: 1.0\nGenerator: mllabs lab site\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
	return w.zip()
}

// addEngine adds an engine. Of the forms of a file only that by gzip goes along, which every
// browser that runs WebAssembly of this kind can take apart.
func (w wheel) addEngine(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		return err
	}
	var manifest map[string]any
	if err := json.Unmarshal(text, &manifest); err != nil {
		return err
	}
	// A notebook that lies in no course's folder may be of any.
	packs, ok := manifest["packs"].(map[string]any)
	courses, ok2 := manifest["courses"].(map[string]any)
	if !ok || !ok2 {
		return fmt.Errorf("%s lists no packs", filepath.Join(dir, "manifest.json"))
	}
	var all []string
	for name := range packs {
		all = append(all, name)
	}
	slices.Sort(all)
	courses[""] = all
	if text, err = json.Marshal(manifest); err != nil {
		return err
	}
	to := extensions + "static/engine/"
	w[to+"manifest.json"] = text
	scripts, _ := manifest["scripts"].(string)
	return fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		packed := strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".br")
		switch {
		case (name == "engine.js" || path.Dir(name) == scripts) && !packed:
		case path.Dir(name) == "." && strings.HasSuffix(name, ".gz") && name != "engine.js.gz" && name != "manifest.json.gz" && !strings.HasPrefix(name, "probe-"):
		default:
			return nil
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		w[to+name] = data
		return err
	})
}

// zip is the wheel's file: the same bytes for the same files.
func (w wheel) zip() ([]byte, error) {
	var names []string
	for name := range w {
		names = append(names, name)
	}
	slices.Sort(names)
	var record strings.Builder
	for _, name := range names {
		sum := sha256.Sum256(w[name])
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(w[name]))
	}
	fmt.Fprintf(&record, "%sRECORD,,\n", info)
	w[info+"RECORD"] = []byte(record.String())
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range append(names, info+"RECORD") {
		method := zip.Deflate
		if strings.HasSuffix(name, ".gz") {
			method = zip.Store
		}
		f, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err == nil {
			_, err = f.Write(w[name])
		}
		if err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}
