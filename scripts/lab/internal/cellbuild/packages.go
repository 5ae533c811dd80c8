package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/archives"
)

// packages are what the programs of a kernel are made of, as the go command tells.
type packages struct {
	// Roots were asked for, and the set holds these and all that they import, with the
	// settings of the kernel's go.mod.
	Roots []string
	archives.Set
	// Env and Watched are what the answer depends on: which Go it was, with the
	// environment's settings of it, and the state of files and folders.
	Env     []string
	Watched []watched
}

// A watched is the state of something when the go command was asked.
type watched struct {
	watch
	Digest string
}

// keptName is the file in the kernel's folder that keeps the packages for the next cell.
const keptName = ".cellbuild.json"

var errChanged = errors.New("something has changed since the go command was asked")

// kept reads what is kept in dir. If the go command might answer differently now, the
// error is errChanged, and only the roots are of use.
func kept(dir, goroot string) (p packages, err error) {
	b, err := os.ReadFile(filepath.Join(dir, keptName))
	if err != nil {
		return packages{}, err
	}
	if err := json.Unmarshal(b, &p); err != nil {
		return packages{}, err
	}
	if !slices.Equal(p.Env, settings(goroot)) {
		return p, errChanged
	}
	for _, w := range p.Watched {
		if now, _, err := w.digest(); err != nil || now != w.Digest {
			return p, errChanged
		}
	}
	for _, archive := range p.Archives { // the go command deletes what is old
		if _, err := os.Stat(archive); err != nil {
			return p, errChanged
		}
	}
	return p, nil
}

// settings are which Go it is and the environment's settings of it.
func settings(goroot string) []string {
	s := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return strings.HasPrefix(kv, "GONB") || !strings.HasPrefix(kv, "GO") && !strings.HasPrefix(kv, "CGO_")
	})
	config, _ := os.UserConfigDir() // where the settings of "go env -w" are, unless GOENV says
	s = append(s, "GOROOT is "+goroot, "GOENV may be in "+config)
	slices.Sort(s)
	return s
}

// withSum is a go.mod or go.work with the file of checksums beside it.
func withSum(path string) []watch {
	return []watch{{file, path}, {file, strings.TrimSuffix(path, ".mod") + ".sum"}}
}

// ask lets the go command compile all that the cell in dir and roots import, and the
// cell itself, whose archive it returns. What it tells is kept in dir.
func ask(dir, goroot string, roots, imports []string) (p packages, cell string, err error) {
	os.Remove(filepath.Join(dir, keptName))
	// The clock of the file system may be a little late.
	start := time.Now().Add(-50 * time.Millisecond)
	roots = slices.Compact(slices.Sorted(slices.Values(slices.Concat(roots, imports))))
	p = packages{Roots: roots, Env: settings(goroot)}
	goCommand := func(args ...string) ([]byte, error) {
		cmd := exec.Command(filepath.Join(goroot, "bin", "go"), args...)
		cmd.Dir = dir
		return cmd.Output()
	}
	all, err := workspace(dir, goroot, goCommand)
	if err != nil {
		return p, "", err
	}
	out, err := goCommand(slices.Concat([]string{"list", "-deps", "-export", "-json=" + archives.Fields, "."}, roots)...)
	if err != nil {
		return p, "", err
	}
	listed, err := archives.Read(out)
	if err != nil {
		return p, "", err
	}
	for _, l := range listed {
		p.Add(l)
		if l.Name == "main" {
			if cell != "" || l.Lang() == "" {
				return p, "", errOther
			}
			cell = l.Export
			continue
		}
		switch {
		case l.Standard, l.Module != nil && !l.Module.Main && l.Module.Replace == nil:
			// It is the same for ever.
		case l.Module == nil:
			return p, "", errOther
		default:
			made, err := watches(l)
			if err != nil {
				return p, "", err
			}
			all = append(all, made...)
		}
	}
	if cell == "" {
		return p, "", errOther
	}
	seen := map[watch]bool{}
	for _, w := range all {
		if seen[w] {
			continue
		}
		seen[w] = true
		digest, changed, err := w.digest()
		if err != nil || changed.After(start) { // perhaps after the go command had looked at it
			return p, cell, nil
		}
		p.Watched = append(p.Watched, watched{w, digest})
	}
	b, err := json.Marshal(p)
	if err != nil {
		return p, "", err
	}
	return p, cell, os.WriteFile(filepath.Join(dir, keptName), b, 0o600)
}

// workspace lists what decides which versions of modules are taken: every go.mod that
// can change, of modules that no package is from too, the workspace and the settings.
func workspace(dir, goroot string, goCommand func(...string) ([]byte, error)) ([]watch, error) {
	out, err := goCommand("env", "-json", "GOENV", "GOWORK", "GOMOD")
	if err != nil {
		return nil, err
	}
	var env struct{ GOENV, GOWORK, GOMOD string }
	if err := json.Unmarshal(out, &env); err != nil {
		return nil, err
	}
	all := []watch{{file, filepath.Join(goroot, "VERSION")}, {file, env.GOENV}, {file, filepath.Join(goroot, "go.env")}}
	all = append(all, withSum(env.GOMOD)...)
	if env.GOWORK != "" {
		all = append(all, watch{file, env.GOWORK}, watch{file, env.GOWORK + ".sum"})
	}
	// A go.mod or go.work nearer than these would count in their place.
	for up := dir; ; up = filepath.Dir(up) {
		abs, err := filepath.Abs(up)
		if err != nil {
			return nil, err
		}
		up = abs
		all = append(all, watch{file, filepath.Join(up, "go.mod")}, watch{file, filepath.Join(up, "go.work")})
		if filepath.Dir(up) == up {
			break
		}
	}
	if out, err = goCommand("list", "-m", "-json=GoMod,Main,Replace", "all"); err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var m struct {
			GoMod   string
			Main    bool
			Replace *struct{ GoMod, Version string }
		}
		if err := d.Decode(&m); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		switch {
		case m.Main:
			all = append(all, withSum(m.GoMod)...)
		case m.Replace != nil && m.Replace.Version == "": // a folder
			all = append(all, watch{file, m.Replace.GoMod})
		}
	}
}
