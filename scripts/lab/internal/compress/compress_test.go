package compress

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
)

// The oracle is zlib and brotli as Node has them.
func TestNodeDecompresses(t *testing.T) {
	node, err := exec.LookPath("node")
	if errors.Is(err, exec.ErrNotFound) && os.Getenv("CI") == "" {
		t.Skip("needs Node (Debian: apt-get install nodejs)")
	}
	if err != nil {
		t.Fatal(err)
	}
	noise, random := make([]byte, 100_000), rand.NewChaCha8([32]byte{})
	random.Read(noise)
	for _, c := range []struct {
		function string
		compress func([]byte, Effort) ([]byte, error)
	}{{"gunzipSync", Gzip}, {"brotliDecompressSync", Brotli}} {
		for name, data := range map[string][]byte{"nothing": {}, "a text": bytes.Repeat([]byte("a text that repeats; "), 5000), "noise": noise} {
			for _, effort := range []Effort{Small, Fast} {
				packed, err := c.compress(data, effort)
				if err != nil {
					t.Fatal(err)
				}
				cmd := exec.Command(node, "-e", "process.stdout.write(zlib."+c.function+"(fs.readFileSync(0)))")
				cmd.Stdin = bytes.NewReader(packed)
				got, err := cmd.Output()
				if err != nil || !bytes.Equal(got, data) {
					t.Errorf("%s of %s, effort %d: %d bytes of %d, %v", c.function, name, effort, len(got), len(data), err)
				}
				if name == "a text" && len(packed) > len(data)/50 {
					t.Errorf("%s of %s, effort %d: %d bytes of %d", c.function, name, effort, len(packed), len(data))
				}
			}
		}
	}
}
