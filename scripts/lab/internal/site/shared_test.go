package site

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/chrome"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/waits"
)

// What tests share: browsers, which each has to itself for a while, and sites that they only
// read.

// atOnce is how many browsers run side by side. One alone leaves a processor idle, and each
// more takes memory.
const atOnce = 2

// chromiums are the browsers that no test has at the moment, not all of them started.
var chromiums = make(chan *chromium, atOnce)

func TestMain(m *testing.M) {
	for range atOnce {
		chromiums <- new(chromium)
	}
	// The small project's notebooks have figures like those of courses: the first one of each kind,
	// the second one of one.
	for _, name := range []string{"lab3/01_nearest_neighbours", "lab3/02_decision_trees", "lab3/03_random_forests", "lab3/04_adaboost", "cits5508/01_the_street",
		"ada511/09_classification_with_networks", "co395/08_unsupervised_learning", "ada511/04b_boosting", "ada511/07_descent"} {
		liveFigures["lab/01_first"] = append(liveFigures["lab/01_first"], liveFigures[name]...)
	}
	liveFigures["lab/02_second"] = []liveFigure{{Kind: "tree", Sample: "multi", Text: "Here."}}

	code := m.Run()
	for range atOnce {
		(<-chromiums).close()
	}
	for _, s := range []*sharedSite{plainSite, workedSite, playSite} {
		os.RemoveAll(s.parent)
	}
	os.Exit(code)
}

// A chromium is a browser. The zero value has yet to be started.
type chromium struct {
	ctx  context.Context
	ends []func() // what closes it, the last first
}

// takeChromium waits for a browser, and starts it if no other test has. Where there is none the
// test is skipped, but not with CI set.
func takeChromium(t *testing.T) *chromium {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes its time")
	}
	_, err := chrome.Installed()
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("needs a browser: ", err)
	} else if err != nil {
		t.Fatal(err)
	}
	c := <-chromiums
	if c.ctx != nil {
		return c
	}
	if err := c.start(); err != nil {
		c.close()
		chromiums <- c
		t.Fatal(err)
	}
	return c
}

func (c *chromium) start() error {
	program, err := chrome.Installed()
	if err != nil {
		return err
	}
	// The browser may still be writing to its folder when it has ended. It is not named as package
	// scratch names its folders, for that removes those that stand empty.
	dir, err := os.MkdirTemp("", "chromium-of-tests-")
	if err != nil {
		return err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.UserDataDir(filepath.Join(dir, "profile")),
		// Recent browsers make their own parts of each window of pages, too, which takes them longer than
		// the page of a test. The first three are those that chromedp names.
		chromedp.Flag("disable-features", "site-per-process,Translate,BlinkGenPropertyTrees,WebUIOmniboxPopup,WebUIOmniboxAimPopup"),
		chromedp.DisableGPU, chromedp.Flag("disable-quic", true), chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("disable-component-update", true),
		chromedp.Env("HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+dir), chromedp.WSURLReadTimeout(waits.Long))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, endAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
	c.ctx, c.ends = ctx, []func(){func() { os.RemoveAll(dir) }, endAllocator, end}
	return chromedp.Run(ctx)
}

// profile makes a profile that has nothing yet, and a page of it in a window of its own.
func (c *chromium) profile() (profile cdp.BrowserContextID, page target.ID, err error) {
	ctx, cancel := context.WithTimeout(cdp.WithExecutor(c.ctx, chromedp.FromContext(c.ctx).Browser), waits.Long)
	defer cancel()
	if profile, err = target.CreateBrowserContext().Do(ctx); err == nil {
		page, err = target.CreateTarget("about:blank").WithBrowserContextID(profile).WithNewWindow(true).Do(ctx)
	}
	return profile, page, err
}

// drop removes a profile with its pages.
func (c *chromium) drop(profile cdp.BrowserContextID) error {
	ctx, cancel := context.WithTimeout(cdp.WithExecutor(c.ctx, chromedp.FromContext(c.ctx).Browser), waits.Long)
	defer cancel()
	return target.DisposeBrowserContext(profile).Do(ctx)
}

// close ends the browser, which may be started again.
func (c *chromium) close() {
	for len(c.ends) > 0 {
		last := len(c.ends) - 1
		c.ends[last]()
		c.ends = c.ends[:last]
	}
	c.ctx = nil
}

// A sharedSite is a site of the small project, made when the first test asks for it.
type sharedSite struct {
	change func(*Options)
	once   sync.Once
	parent string // of its folder
	made   bool
}

var (
	plainSite  = new(sharedSite)
	workedSite = &sharedSite{change: func(o *Options) { o.Answers = true }}
	playSite   = &sharedSite{change: func(o *Options) {
		o.Live = func(context.Context) (LiveModule, error) { return liveModule() }
	}}
)

// folder is where the site is. Nobody may change it.
func (s *sharedSite) folder(t *testing.T) string {
	t.Helper()
	s.once.Do(func() {
		var err error
		if s.parent, err = os.MkdirTemp("", "site-of-tests-"); err != nil {
			t.Fatal(err)
		}
		write(t, sample(t), s.dir(), s.change)
		s.made = true
	})
	if !s.made {
		t.Fatal("the site could not be made, as another test says")
	}
	return s.dir()
}

func (s *sharedSite) dir() string { return filepath.Join(s.parent, "a site") }
