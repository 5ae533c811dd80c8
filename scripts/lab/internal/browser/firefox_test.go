package browser

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/waits"
)

var firefoxPath = flag.String("firefox", "", "run TestFirefox with this `program`, such as firefox-esr")

// What holds in Chromium holds in Firefox: the notebooks that -notebooks names run whole,
// with the same text and figures. CI leaves it out, for it costs minutes.
func TestFirefox(t *testing.T) {
	if *firefoxPath == "" {
		t.Skip("-firefox names none")
	}
	f := startFirefox(t)
	f.must("WebDriver:NewSession", map[string]any{"capabilities": map[string]any{}}, nil)
	f.must("WebDriver:SetTimeouts", map[string]any{"script": waits.Long.Milliseconds(), "pageLoad": waits.Long.Milliseconds()}, nil)
	for _, nb := range resolved(t, *whichNotebooks) {
		worked, err := notebook.Read(nb.Path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(nb.Name(), func(t *testing.T) {
			address := serve(t, func(files http.Handler) http.Handler { return answered(t, recordedOf(nb.Name(), "worked"), files) })
			f.must("WebDriver:Navigate", map[string]any{"url": address}, nil)
			p := &tab{t: t, evaluate: f.evaluate}
			p.described = call[description](p, "open_", nb.Course)
			runWhole(t, p, nb.Name(), worked)
		})
	}
}

// A worker that works for another one is not collected, although no script refers to it but
// its own answer. The control is an object that is.
func TestFirefoxKeepsWorkers(t *testing.T) {
	if *firefoxPath == "" {
		t.Skip("-firefox names none")
	}
	f := startFirefox(t)
	f.must("WebDriver:NewSession", map[string]any{"capabilities": map[string]any{}}, nil)
	f.must("WebDriver:SetTimeouts", map[string]any{"script": waits.Long.Milliseconds()}, nil)
	f.must("WebDriver:Navigate", map[string]any{"url": serveScripts(t)}, nil)
	f.must("Marionette:SetContext", map[string]any{"value": "chrome"}, nil)
	f.must("WebDriver:ExecuteScript", map[string]any{"args": []any{}, "script": `const { setInterval } = ChromeUtils.importESModule("resource://gre/modules/Timer.sys.mjs");
		Services.wm.getMostRecentWindow(null).collecting = setInterval(() => {
			for (const what of ["child-gc-request", "child-cc-request"]) Services.obs.notifyObservers(null, what);
		}, 100);`}, nil)
	f.must("Marionette:SetContext", map[string]any{"value": "content"}, nil)
	p := &tab{t: t, evaluate: f.evaluate}
	for range 3 { // what goes in a circle takes more than one collection
		if there := call[struct{ Asking, Other bool }](p, "asks"); !there.Asking {
			t.Fatal("a worker was collected that somebody waits for")
		}
		time.Sleep(time.Second)
	}
}

// A firefox is driven by its own protocol, Marionette: commands and answers in JSON, each
// after its length.
type firefox struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
	last int
}

func startFirefox(t *testing.T) *firefox {
	dir, err := os.MkdirTemp("", "firefox-of-tests-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	// Port 0 is one that is free, and a file of the profile tells which.
	prefs := "user_pref(\"marionette.port\", 0);\nuser_pref(\"datareporting.policy.dataSubmissionEnabled\", false);\nuser_pref(\"app.update.enabled\", false);\n" +
		"user_pref(\"network.captive-portal-service.enabled\", false);\nuser_pref(\"network.connectivity-service.enabled\", false);\nuser_pref(\"browser.safebrowsing.downloads.enabled\", false);\n"
	if err := os.WriteFile(filepath.Join(dir, "user.js"), []byte(prefs), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(*firefoxPath, "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", dir)
	cmd.Env = append(os.Environ(), "HOME="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	for end := time.Now().Add(waits.Left(t)); ; time.Sleep(200 * time.Millisecond) {
		port, err := os.ReadFile(filepath.Join(dir, "MarionetteActivePort"))
		var conn net.Conn
		if err == nil {
			conn, err = net.Dial("tcp", net.JoinHostPort("127.0.0.1", strings.TrimSpace(string(port))))
		}
		if err == nil {
			t.Cleanup(func() { conn.Close() })
			f := &firefox{t: t, conn: conn, in: bufio.NewReader(conn)}
			if _, err := f.read(); err != nil { // it greets
				t.Fatal(err)
			}
			return f
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

func (f *firefox) read() ([]byte, error) {
	length, err := f.in.ReadString(':')
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(strings.TrimSuffix(length, ":"))
	if err != nil {
		return nil, err
	}
	message := make([]byte, n)
	_, err = io.ReadFull(f.in, message)
	return message, err
}

func (f *firefox) do(command string, args, result any) error {
	f.last++
	message, err := json.Marshal([]any{0, f.last, command, args})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(f.conn, "%d:%s", len(message), message); err != nil {
		return err
	}
	answer, err := f.read()
	if err != nil {
		return err
	}
	var parts [4]json.RawMessage // type, id, error, result
	if err := json.Unmarshal(answer, &parts); err != nil {
		return err
	}
	if string(parts[2]) != "null" {
		return fmt.Errorf("%s: %s", command, parts[2])
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(parts[3], result)
}

func (f *firefox) must(command string, args, result any) {
	f.t.Helper()
	if err := f.do(command, args, result); err != nil {
		f.t.Fatal(err)
	}
}

// evaluate calls a function of the page, as the page itself sees it, for a promise.
func (f *firefox) evaluate(expression string, result any) error {
	var answer struct {
		Value struct{ Value, Failed string }
	}
	script := "const done = arguments[arguments.length - 1]; (window.wrappedJSObject ?? window)." + expression +
		".then((value) => done({ value: JSON.stringify(value) ?? \"null\", failed: \"\" }), (error) => done({ value: \"\", failed: String(error) }));"
	if err := f.do("WebDriver:ExecuteAsyncScript", map[string]any{"script": script, "args": []any{}}, &answer); err != nil {
		return err
	}
	if answer.Value.Failed != "" {
		return fmt.Errorf("the page says %s", answer.Value.Failed)
	}
	return json.Unmarshal([]byte(answer.Value.Value), result)
}
