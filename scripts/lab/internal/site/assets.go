package site

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/export"
)

// web holds the style sheet and the scripts of the pages, and CodeMirror with its licence.
//
//go:embed web
var web embed.FS

// An asset is a file that pages share.
type asset struct {
	name string
	data []byte
}

// sharedAssets are the files that all pages share, in alphabetical order.
func sharedAssets() ([]asset, error) {
	var list []asset
	err := fs.WalkDir(web, "web", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) == ".md" || path.Ext(name) == ".mjs" {
			return err
		}
		data, err := web.ReadFile(name)
		if err != nil {
			return err
		}
		list = append(list, asset{strings.TrimPrefix(name, "web/"), data})
		return nil
	})
	if err != nil {
		return nil, err
	}
	var style bytes.Buffer
	style.WriteString(export.Credits)
	for _, f := range export.Fonts() {
		name := fmt.Sprintf("fonts/%s-%s-%s.%s", strings.ToLower(strings.ReplaceAll(f.Family, " ", "-")), f.Weight, f.Style, f.Format)
		fmt.Fprintf(&style, "@font-face{font-family:%q;font-weight:%s;font-style:%s;font-display:swap;src:url(%s)}\n", f.Family, f.Weight, f.Style, name)
		list = append(list, asset{name, f.Data})
	}
	style.WriteString(export.Style())
	for i, a := range list {
		if a.name == "site.css" {
			list[i].data = append(style.Bytes(), a.data...)
		}
	}
	slices.SortFunc(list, func(a, b asset) int { return cmp.Compare(a.name, b.name) })
	return list, nil
}

// shortHash is the beginning of a hash, for names of files.
func shortHash(data ...[]byte) string {
	h := sha256.New()
	for _, d := range data {
		fmt.Fprintf(h, "%d ", len(d))
		h.Write(d)
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}

// writeAssets writes what pages share into a folder whose name changes with it, so that
// browsers may keep it for ever. The worker that serves pages without a network has to
// stand at the top of the site.
func (b *builder) writeAssets(ctx context.Context) error {
	list, err := sharedAssets()
	if err != nil {
		return err
	}
	moving, err := b.liveAssets(ctx)
	if err != nil {
		return err
	}
	list = append(list, moving...)
	var all [][]byte
	for _, a := range list {
		all = append(all, []byte(a.name), a.data)
	}
	b.assets = path.Join("assets", shortHash(all...))
	for _, a := range list {
		name, data := path.Join(b.assets, a.name), a.data
		if a.name == "offline.js" {
			name, data = a.name, bytes.Replace(data, []byte(`"ASSETS"`), []byte(strconv.Quote(b.assets+"/")), 1)
		}
		if err := b.folder.write(name, data); err != nil {
			return err
		}
	}
	return nil
}
