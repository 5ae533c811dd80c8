package export

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	nethtml "golang.org/x/net/html"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/chrome"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/waits"
)

// These tests export hostile notebooks and ask two oracles whether the pages are
// inert. One is Chromium: it loads a page that would set an attribute if a script
// ran, beside a server that counts requests. The other reads the page's HTML.

// attacks on a page; URL is an address that must not be asked for, RUN a script
// that must not run.
var (
	markdownAttacks = []string{
		`<script>RUN</script>`, `<img src=URL onerror="RUN">`, `<javascript:RUN>`, `[c](javascript:RUN)`,
		`[c](&#106;avascript:RUN)`, `[c](&#x6A;&#x61;vascript:RUN)`, `[c](java&Tab;script:RUN)`, `[c](\javascript:RUN)`,
		`[c](vbscript:RUN)`, `[c](data:text/html,<script>RUN</script>)`, `[c](<javascript:RUN>)`, "[c][r]\n\n[r]: javascript:RUN",
		`![p](URL)`, `![p](javascript:RUN)`, `![p](&#104;ttp://URL)`, `![p](dot.png "\" onerror=\"RUN")`, `![" onerror="RUN](dot.png)`,
		`[t](https://a "\"><script>RUN</script>")`, `# <svg/onload=RUN>`, "```\"><script>RUN</script>\nx\n```", "    <script>RUN</script>",
		`| <script>RUN</script> |` + "\n|--|\n", `- [x] <img src=x onerror=RUN>`, `<!--><script>RUN</script>-->`, `<?php?><script>RUN</script>`,
		`![$"><script>RUN</script>$](dot.png)`, `[a](https://x/$"onclick="RUN$)`, `<style>@import 'URL';</style>`, `<link rel=stylesheet href=URL>`,
		`<base href=URL>`, `<meta http-equiv=refresh content="0;url=URL">`, `<iframe src=URL></iframe>`, `<a href="javascript:RUN">x</a>`,
		"\uE0000\uE001", `<details open ontoggle=RUN>`, `</main></body><script>RUN</script>`,
	}
	formulaAttacks = []string{
		`\mmlToken{mi}[href="javascript:RUN"]{x}`, `\mmlToken{mglyph}[src="URL"]{}`, `\mmlToken{mglyph}[src="URL",alt="x"]{x}`,
		`\mmlToken{mi}[style="background:url(URL)"]{x}`, `\mmlToken{mi}[mathcolor="url(URL)"]{x}`, `\mmlToken{mi}[mathbackground="url(URL)"]{x}`,
		`\color{url(URL)}{x}`, `\color{url(URL)}x`, `\textcolor{url(URL)}{x}`, `\colorbox{url(URL)}{x}`, `\fcolorbox{url(URL)}{red}{x}`,
		`\fcolorbox{red}{url(URL)}{x}`, `\mmlToken{mi}[onclick="RUN"]{x}`, `\mmlToken{mi}[class="title-page",id="x"]{x}`, `\href{javascript:RUN}{x}`,
		`\text{<script>RUN</script>}`, `\text{</svg><script>RUN</script>}`, `\unicode{x3c}script\unicode{x3e}`, `\mmlToken{mtext}[fontfamily="x;background:url(URL)"]{x}`,
		`\mmlToken{mspace}[width="1em",style="list-style:url(URL)"]{}`, `\require{html}`, `\def\x{\x\x}\x`, `x`, `\frac{1}{2}`, `\sum_i`,
	}
	htmlAttacks = []string{
		`<script>RUN</script>`, `<img src="URL">`, `<img src=x onerror=RUN>`, `<svg onload=RUN><script>RUN</script></svg>`, `<svg><image href="URL"/></svg>`,
		`<svg><use href="URL#x"/></svg>`, `<svg><style>@import "URL"</style></svg>`, `<math><mglyph src="URL"/></math>`, `<math href="javascript:RUN">x</math>`,
		`<p style="background:url(URL)">x</p>`, `<p style="background:\75rl(URL)">x</p>`, `<p style="color:red;background-image:image-set('URL' 1x)">x</p>`,
		`<p style='list-style:url("URL")'>x</p>`, `<style>p{background:url(URL)}</style>`, `<link rel="stylesheet" href="URL">`, `<iframe src="URL"></iframe>`,
		`<iframe srcdoc="<script>RUN</script>"></iframe>`, `<object data="URL"></object>`, `<embed src="URL">`, `<video src="URL" poster="URL"></video>`,
		`<audio src="URL" autoplay></audio>`, `<picture><source srcset="URL"><img src="x"></picture>`, `<img srcset="URL 1x">`, `<input type="image" src="URL">`,
		`<body background="URL" onload=RUN>`, `<table background="URL"><td background="URL">x</table>`, `<base href="URL">`, `<meta http-equiv="refresh" content="0;url=URL">`,
		`<form action="URL"><button autofocus onfocus=RUN>x</button></form>`, `<details open ontoggle="RUN">x</details>`, `<a href="javascript:RUN">x</a>`,
		`<a href="&#106;avascript:RUN">x</a>`, `<a href="java&#10;script:RUN">x</a>`, `<a href="data:text/html,<script>RUN</script>">x</a>`, `<a ping="URL" href="https://a">x</a>`,
		`<noscript><p title="</noscript><img src=x onerror=RUN>">`, `<template><script>RUN</script></template>`, `<xmp><script>RUN</script></xmp>`,
		`<textarea></textarea><script>RUN</script>`, `<title></title><img src=URL>`, `<plaintext><img src=URL>`, `<!--><img src=x onerror=RUN>-->`,
		`<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=RUN&gt;">`, `<svg></p><style><a id="</style><img src=x onerror=RUN>">`,
		`</div></section></main><script>RUN</script>`, `<img alt="x" src="data:image/svg+xml;base64,PHN2Zy8+">`, `<select><img src=URL></select>`,
		`<frameset onload=RUN>`, `<marquee onstart=RUN>x</marquee>`, `<p title='"><script>RUN</script>'>x</p>`, `<img src="data:image/png;base64,aGk=" onload=RUN>`,
	}
)

// hostile puts an address and a script into an attack.
func hostile(attack, address string) string {
	return strings.NewReplacer("URL", address, "RUN", `document.documentElement.setAttribute('data-ran','1')`).Replace(attack)
}

// mutate makes an attack of pieces of others.
func mutate(r *rand.Rand, attacks []string) string {
	pick := func() string { return attacks[r.IntN(len(attacks))] }
	s := pick()
	for range r.IntN(3) {
		t := pick()
		i, j := r.IntN(len(s)+1), r.IntN(len(t)+1)
		switch r.IntN(3) {
		case 0:
			s = s[:i] + t + s[i:]
		case 1:
			s = s[:i] + t[j:]
		default:
			s += t
		}
	}
	return strings.ToValidUTF8(s, "")
}

// hostileNotebook is a notebook of the known attacks and of some made of them.
func hostileNotebook(r *rand.Rand, address string, mutations int) *notebook.Notebook {
	nb := &notebook.Notebook{}
	add := func(attacks []string, cell func(string) *notebook.Cell) {
		for _, a := range attacks {
			nb.Cells = append(nb.Cells, cell(hostile(a, address)))
		}
		for range mutations {
			nb.Cells = append(nb.Cells, cell(hostile(mutate(r, attacks), address)))
		}
	}
	add(markdownAttacks, markdownCell)
	add(formulaAttacks, func(s string) *notebook.Cell { return markdownCell("$" + s + "$") })
	add(htmlAttacks, outputCell)
	add(htmlAttacks, markdownCell)
	return nb
}

func outputCell(page string) *notebook.Cell {
	return &notebook.Cell{Type: "code", Source: "x", Outputs: []*notebook.Output{{Type: "display_data", Data: map[string]any{"text/html": page}}}}
}

// installed finds a browser. Where there is none the test is skipped, but not with
// CI set.
func installed(t *testing.T) string {
	t.Helper()
	browser, err := chrome.Installed()
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("needs a browser: ", err)
	} else if err != nil {
		t.Fatal(err)
	}
	return browser
}

// chromium loads a page and returns what became of it.
func chromium(t *testing.T, page []byte) string {
	t.Helper()
	browser := installed(t)
	// The browser may still be writing to its folder when it has ended.
	dir, err := os.MkdirTemp("", "inert-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	file := filepath.Join(dir, "page.html")
	if err := os.WriteFile(file, page, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), waits.Left(t))
	defer cancel()
	cmd := process.Command(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
		"--user-data-dir="+filepath.Join(dir, "profile"), "--virtual-time-budget=3000", "--dump-dom", "file://"+file)
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+dir)
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	if err := cmd.Run(); err != nil || !strings.Contains(out.String(), "</html>") {
		t.Fatalf("the browser failed: %v\n%s", err, log.String())
	}
	return out.String()
}

// A listener counts the requests that pages make.
type listener struct {
	*httptest.Server
	mu   sync.Mutex
	seen []string
}

func listen(t *testing.T) *listener {
	t.Helper()
	l := &listener{}
	l.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.seen = append(l.seen, r.URL.Path)
	}))
	t.Cleanup(l.Close)
	return l
}

func (l *listener) requests() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	seen := l.seen
	l.seen = nil
	return seen
}

var policyTag = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>\n`)

func TestPagesAreInert(t *testing.T) {
	l := listen(t)
	address := l.URL + "/x.png"
	mutations := 150
	if testing.Short() {
		mutations = 30
	}
	p, err := Single(context.Background(), Source{Course: "lab3", Topic: "01_x", Notebook: hostileNotebook(rand.New(rand.NewPCG(1, 1)), address, mutations), Folder: root, Root: root})
	if err != nil {
		t.Fatal(err)
	}
	raw := hostile(strings.Join([]string{htmlAttacks[0], htmlAttacks[1], htmlAttacks[9]}, ""), address)
	policy := policyTag.Find(p.HTML)
	if policy == nil {
		t.Fatal("the page has no policy")
	}
	for _, c := range []struct {
		name  string
		page  []byte
		inert bool
	}{
		{"page", p.HTML, true},
		{"page without its policy", policyTag.ReplaceAll(p.HTML, nil), true},
		{"policy without a page", fmt.Appendf(nil, "<html><head>%s</head><body>%s", policy, raw), true},
		{"neither", fmt.Appendf(nil, "<html><head></head><body>%s", raw), false}, // the oracle works
	} {
		t.Run(c.name, func(t *testing.T) {
			dom := chromium(t, c.page)
			requests, ran := l.requests(), strings.Contains(dom, `data-ran="1"`)
			if c.inert && (len(requests) > 0 || ran) || !c.inert && (len(requests) == 0 || !ran) {
				t.Errorf("%d requests, a script ran: %t", len(requests), ran)
			}
			if c.name == "page" {
				if err := inert(dom); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// inert finds what in a page could run, load or lead somewhere bad.
func inert(page string) error {
	doc, err := nethtml.Parse(strings.NewReader(page))
	if err != nil {
		return err
	}
	forbidden := map[string]bool{
		"script": true, "iframe": true, "object": true, "embed": true, "link": true, "base": true, "form": true, "frameset": true,
		"image": true, "use": true, "foreignObject": true, "animate": true, "set": true, "video": true, "audio": true, "math": true, "template": true,
	}
	for n := range doc.Descendants() {
		if n.Type != nethtml.ElementNode {
			continue
		}
		if forbidden[n.Data] || n.Data == "style" && n.Parent.Data != "head" || n.Data == "meta" && n.Parent.Data != "head" {
			return fmt.Errorf("there is a <%s>", n.Data)
		}
		for _, a := range n.Attr {
			v := strings.ToLower(strings.Join(strings.Fields(a.Val), ""))
			switch {
			case strings.HasPrefix(strings.ToLower(a.Key), "on"):
				return fmt.Errorf("<%s> has %s", n.Data, a.Key)
			case a.Key == "href" && n.Data == "a" && a.Namespace == "":
				if strings.Contains(v, ":") && !strings.HasPrefix(v, "https:") && !strings.HasPrefix(v, "http:") && !strings.HasPrefix(v, "mailto:") && !strings.HasPrefix(v, "#") {
					return fmt.Errorf("link to %q", a.Val)
				}
			case a.Key == "src" && n.Data == "img":
				if !strings.HasPrefix(v, "data:image/") {
					return fmt.Errorf("picture from %q", a.Val)
				}
			case a.Key == "href", a.Key == "src", a.Key == "srcset", a.Key == "poster", a.Key == "background", a.Key == "ping", a.Key == "action", a.Key == "srcdoc":
				return fmt.Errorf("<%s> has %s", n.Data, a.Key)
			case a.Key != "aria-label" && a.Key != "alt" && a.Key != "title" && a.Key != "content" && a.Key != "id" && strings.Contains(v, "url("):
				return fmt.Errorf("<%s> has %s=%q", n.Data, a.Key, a.Val)
			}
		}
	}
	return nil
}

func FuzzPage(f *testing.F) {
	for i, m := range markdownAttacks {
		f.Add(m+"$"+formulaAttacks[i%len(formulaAttacks)]+"$", htmlAttacks[i%len(htmlAttacks)])
	}
	for _, a := range htmlAttacks {
		f.Add("", a)
	}
	f.Fuzz(func(t *testing.T, markdown, output string) {
		if len(markdown)+len(output) > 1000 {
			return // longer than attacks need to be
		}
		_, body := render(t, markdownCell(markdown), outputCell(output))
		if err := inert(body); err != nil {
			t.Error(err)
		}
	})
}
