package site

import (
	"flag"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

var (
	axeFile    = flag.String("axe", "", "hold pages against WCAG 2.1 AA by this `file`, axe.min.js of the npm package axe-core")
	siteFolder = flag.String("site", "", "the `folder` that lab site wrote, for TestPagesAreAccessible")
)

// accessible looks for what axe-core finds wrong on the page.
func (b *tab) accessible(what string) {
	b.Helper()
	if *axeFile == "" {
		return
	}
	axe, err := os.ReadFile(*axeFile)
	if err != nil {
		b.Fatal(err)
	}
	b.js(string(axe) + "; 0")
	found := b.asyncJS(`axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] }).then(({ violations }) =>
		violations.map((v) => v.id + ": " + v.help + " " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | ")).join("\n"))`)
	if found != "" {
		b.Errorf("%s: axe-core finds\n%v", what, found)
	}
}

// Every page of a site, by day, by night and on a telephone: the sample's here, those of a whole
// site where -site names one. CI says -axe.
func TestPagesAreAccessible(t *testing.T) {
	if *axeFile == "" {
		t.Skip("-axe names no file of axe-core")
	}
	t.Parallel()
	dir := *siteFolder
	if dir == "" {
		dir = plainSite.folder(t)
	}
	url := serve(t, dir)
	var pages []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && path.Ext(name) == ".html" && !strings.HasPrefix(name, "lite/") { // JupyterLab is others' work
			pages = append(pages, name)
		}
		return err
	})
	if err != nil || len(pages) < 3 {
		t.Fatal(pages, err)
	}
	b := newTab(t)
	for _, name := range pages {
		for _, way := range []struct {
			name, scheme string
			wide, high   int64
		}{{"by day", "light", 1280, 900}, {"by night", "dark", 1280, 900}, {"on a telephone", "light", 390, 800}} {
			b.size(way.wide, way.high)
			b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: way.scheme}}))
			b.do(chromedp.Navigate(url + name))
			b.until(`document.readyState === "complete"`)
			b.accessible(name + " " + way.name)
		}
	}
	t.Logf("%d pages", len(pages))
}
