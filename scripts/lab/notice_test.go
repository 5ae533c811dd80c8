package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What words of a licence tell it from others, by its SPDX name.
var licenceWords = map[string]string{
	"Apache-2.0":        "Apache License",
	"BSD-2-Clause":      "Redistribution and use in source and binary forms",
	"BSD-3-Clause":      "Redistribution and use in source and binary forms",
	"CC-BY-4.0":         "Creative Commons Attribution 4.0",
	"FTL":               "The FreeType License",
	"GUST-Font-License": "GUST Font License",
	"MIT":               "Permission is hereby granted, free of charge",
	"OFL-1.1":           "SIL OPEN FONT LICENSE",
}

var noticeRow = regexp.MustCompile(`(?m)^\| ((?:[a-z0-9-]+\.)+[a-z]+/\S+) \| ([^|]+) \|`)

// NOTICE.md names every module of others that the tool is linked with, and no more,
// with the licences that the modules themselves bring.
func TestNoticeNamesWhatIsLinked(t *testing.T) {
	notice, err := os.ReadFile(filepath.Join("..", "NOTICE.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]string{}
	for _, m := range noticeRow.FindAllStringSubmatch(string(notice), -1) {
		named[m[1]] = m[2]
	}
	out, err := exec.Command("go", "list", "-deps", "-f", `{{with .Module}}{{if .Version}}{{.Path}}	{{.Dir}}{{end}}{{end}}`, "./internal/tool").Output()
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Fields(string(out))
	seen := map[string]bool{}
	for i := 0; i+1 < len(linked); i += 2 {
		path, dir := linked[i], linked[i+1]
		if seen[path] || strings.HasPrefix(path, "github.com/mllabs-go/") {
			continue
		}
		seen[path] = true
		licence, ok := named[path]
		if !ok {
			t.Errorf("%s is linked, and not in scripts/NOTICE.md", path)
			continue
		}
		text, known := licenceText(t, dir), false
		for name, words := range licenceWords {
			if !strings.Contains(licence, name) {
				continue
			}
			known = true
			if !strings.Contains(text, words) {
				t.Errorf("%s: NOTICE.md says %s, its own licence does not", path, name)
			}
		}
		if !known {
			t.Errorf("%s: no known licence in %q", path, licence)
		}
	}
	for path := range named {
		if !seen[path] {
			t.Errorf("scripts/NOTICE.md names %s, which is not linked", path)
		}
	}
}

// licenceText is what the files of a module say about its licence, with single spaces.
func licenceText(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		if e.Type().IsRegular() && (strings.HasPrefix(name, "LICEN") || strings.HasPrefix(name, "COPYING")) {
			text, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			b.Write(text)
			b.WriteByte('\n')
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// It names what pages embed, too: their fonts, and programs in folders with a licence.
func TestNoticeNamesWhatIsEmbedded(t *testing.T) {
	notice, err := os.ReadFile(filepath.Join("..", "NOTICE.md"))
	if err != nil {
		t.Fatal(err)
	}
	fonts, err := os.ReadFile(filepath.Join("internal", "export", "fonts.go"))
	if err != nil {
		t.Fatal(err)
	}
	families := regexp.MustCompile(`\bface\("([^"]+)"`).FindAllStringSubmatch(string(fonts), -1)
	if len(families) == 0 {
		t.Error("pages embed no font?")
	}
	for _, m := range families {
		if !strings.Contains(string(notice), m[1]) {
			t.Errorf("pages embed %s, which is not in scripts/NOTICE.md", m[1])
		}
	}
	found := 0
	for _, pkg := range []string{"export", "site"} {
		out, err := exec.Command("go", "list", "-f", `{{range .EmbedFiles}}{{.}} {{end}}`, "./internal/"+pkg).Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range strings.Fields(string(out)) {
			if folder, ok := strings.CutSuffix(name, "/LICENSE"); ok {
				found++
				if !strings.Contains(string(notice), "lab/internal/"+pkg+"/"+name) {
					t.Errorf("pages embed %s, whose licence is not in scripts/NOTICE.md", folder)
				}
			}
		}
	}
	if found < 2 {
		t.Errorf("%d embedded folders with a licence were found", found)
	}
}
