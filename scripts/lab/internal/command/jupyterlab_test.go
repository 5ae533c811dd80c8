//go:build !handout && !light

package command

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/chrome"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/mistakes"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/waits"
)

var (
	inJupyterLab = flag.String("jupyter", "", "the notebooks whose copies TestCopiesInJupyterLab works on, by name, with spaces between")
	pictures     = flag.String("pictures", "", "a folder for pictures of their last cells")
)

// A student's copy in JupyterLab: exercise 1 is right, exercise 2 is a known mistake, the
// others are not begun. All cells are run by the menu, and the table at the end says so.
// The oracle is the catalogue: which case the mistake fails, and the points.
func TestCopiesInJupyterLab(t *testing.T) {
	if *inJupyterLab == "" {
		t.Skip("it takes minutes; -jupyter names notebooks (CONTRIBUTING.md tells how)")
	}
	browser, err := chrome.Installed()
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	nbs, err := project.Project{Root: root}.Resolve(strings.Fields(*inJupyterLab))
	if err != nil {
		t.Fatal(err)
	}
	address := startJupyterLab(t, root)
	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(browser), chromedp.UserDataDir(t.TempDir()), chromedp.Flag("headless", true), chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-dev-shm-usage", true), chromedp.WindowSize(1280, 1100)}
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	defer cancel()
	for _, nb := range nbs {
		t.Run(nb.Name(), func(t *testing.T) {
			w := workedOn(t, root, nb)
			ctx, cancel := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
			defer cancel()
			ctx, cancel = context.WithTimeout(ctx, waits.Left(t))
			defer cancel()
			outputs := runInLab(t, ctx, address, nb.Course+"/exercises/"+filepath.Base(w.path))
			table := outputs[exercise.CheckAllID]
			for _, want := range w.says {
				if !strings.Contains(table, want) {
					t.Errorf("the table at the end lacks %q:\n%s", want, table)
				}
			}
			if got := outputs[w.wrongCell]; !strings.Contains(got, w.caughtBy) {
				t.Errorf("the check of exercise 2 does not name the case %q:\n%s", w.caughtBy, got)
			}
			if *pictures != "" {
				var picture []byte
				if err := chromedp.Run(ctx, chromedp.Sleep(time.Second), chromedp.CaptureScreenshot(&picture)); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(*pictures, strings.ReplaceAll(nb.Name(), "/", "-")+".png"), picture, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// A workedCopy is a student's copy with two answers in it.
type workedCopy struct {
	path                string
	says                []string // what the table at the end says
	wrongCell, caughtBy string   // the id of the check that fails, and the case
}

func workedOn(t *testing.T, root string, nb project.Notebook) workedCopy {
	t.Helper()
	worked, err := notebook.Read(nb.Path)
	if err != nil {
		t.Fatal(err)
	}
	exercises, problems := exercise.Find(worked)
	if len(problems) > 0 || len(exercises) < 2 {
		t.Fatalf("%d exercises, problems %v; two are needed", len(exercises), problems)
	}
	catalogue, err := mistakes.Read(mistakes.Path(nb.Path))
	if err != nil {
		t.Fatal(err)
	}
	copied := exercise.Copy(nb.Name(), worked, exercise.Links{HasCopy: func(string) bool { return true }})
	right, second := exercises[0], exercises[1]
	copied.Cells[right.Solution].Source = worked.Cells[right.Solution].Source
	w := workedCopy{wrongCell: worked.Cells[second.Graded].ID}
	for _, b := range catalogue.Of(second.Number) {
		if b.Right {
			continue
		}
		if copied.Cells[second.Solution].Source, err = b.Answer(worked.Cells[second.Solution].Source); err != nil {
			t.Fatal(err)
		}
		w.caughtBy = b.CaughtBy
		break
	}
	w.says = []string{"Points so far: ", fmt.Sprintf("%d of %d", right.Points, right.Points), "cases pass"}
	if len(exercises) > 2 {
		w.says = append(w.says, "not implemented yet")
	}
	w.path = filepath.Join(root, "notebooks", nb.Course, "exercises", fmt.Sprintf("tried_%d.ipynb", os.Getpid()))
	data, err := copied.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(w.path) })
	return w
}

// startJupyterLab runs the command that students run, with more arguments, and waits for its pages.
func startJupyterLab(t *testing.T, root string, args ...string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	// The page offers its commands to scripts where it is told to.
	ctx, stop := context.WithCancel(context.Background())
	cmd := process.Gentle(ctx, time.Minute, "go", slices.Concat([]string{"run", "./scripts/lab", "jupyter"}, args, []string{"--", "--no-browser", fmt.Sprintf("--port=%d", port),
		"--IdentityProvider.token=", "--LabApp.expose_app_in_browser=True", "--ServerApp.disable_check_xsrf=True"})...)
	cmd.Dir = root
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		stop()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		cmd.Wait()
		if t.Failed() {
			t.Logf("JupyterLab said:\n%s", said.String())
		}
	})
	address = fmt.Sprintf("http://127.0.0.1:%d", port)
	for end := time.Now().Add(waits.Left(t)); ; time.Sleep(300 * time.Millisecond) {
		if r, err := http.Get(address + "/api"); err == nil {
			r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return address
			}
		}
		if time.Now().After(end) {
			t.Fatal("JupyterLab does not answer")
		}
	}
}

// runInLab opens a notebook, runs all of its cells as the menu does, and returns the
// outputs' text by the cells' ids. No earlier workspace, with tabs of its own, is restored.
func runInLab(t *testing.T, ctx context.Context, address, path string) map[string]string {
	t.Helper()
	panel := fmt.Sprintf(`[...(window.jupyterapp?.shell?.widgets("main") ?? [])].find(w => w.context?.path === %q)`, path)
	js := func(expression string) (result string) {
		t.Helper()
		if err := chromedp.Run(ctx, chromedp.Evaluate(expression, &result)); err != nil {
			t.Fatalf("%s: %v", expression, err)
		}
		return result
	}
	until := func(expression string) {
		t.Helper()
		for end := time.Now().Add(waits.Left(t)); js("String("+expression+")") != "true"; time.Sleep(300 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("never true: %s\nthe kernel is %s; the page says %s", expression, js(`String(`+panel+`?.sessionContext?.session?.kernel?.status)`), js(`document.body.innerText.slice(0, 2000)`))
			}
		}
	}
	if err := chromedp.Run(ctx, chromedp.Navigate(address+"/lab/workspaces/tried/tree/"+path+"?reset")); err != nil {
		t.Fatal(err)
	}
	until(panel + `?.content?.model?.cells?.length > 3`)
	until(panel + `?.sessionContext?.isReady === true`)
	js(`jupyterapp.shell.activateById(` + panel + `.id), "active"`)
	js(`jupyterapp.commands.execute("notebook:run-all-cells"), "started"`)
	// The last code cell is that of the table.
	last := `[...` + panel + `.content.model.cells].filter(c => c.type === "code").at(-1)`
	until(last + `.executionCount > 0`)
	until(last + `.outputs.length > 0`)
	js(panel + `.content.scrollToItem(` + panel + `.content.model.cells.length - 1, "end"), "scrolled"`)
	var outputs map[string]string
	text := js(`JSON.stringify(Object.fromEntries([...` + panel + `.content.model.cells].filter(c => c.type === "code").map(c => [c.id,
		c.outputs.toJSON().map(o => [].concat(o.text ?? [], o.traceback ?? [], o.data?.["text/plain"] ?? [], o.data?.["text/html"] ?? []).join("\n")).join("\n")])))`)
	if err := json.Unmarshal([]byte(text), &outputs); err != nil {
		t.Fatal(err)
	}
	return outputs
}
