package project

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// Every package and test has the right types where no test runs on all of them: other systems build
// other files and lack functions, and an int of 32 bits cannot hold every constant. go vet would
// compile them, and Go's own packages, once for each of these.
func TestTypesElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("loads all packages four times")
	}
	_ = os.Getenv(RunVariable)
	for _, on := range []struct{ system, tags string }{
		{"windows/amd64", ""},
		{"darwin/arm64", ""},
		{"linux/386", ""},
		{"linux/amd64", "purego"},
	} {
		t.Run(on.system+on.tags, func(t *testing.T) {
			goos, goarch, _ := strings.Cut(on.system, "/")
			all, err := packages.Load(&packages.Config{
				Mode:       packages.LoadAllSyntax,
				Env:        append(os.Environ(), "GOWORK=", "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch),
				BuildFlags: []string{"-tags=" + on.tags},
				Tests:      true,
			}, Module+"/...")
			if err != nil {
				t.Fatal(err)
			}
			if len(all) < 300 {
				t.Errorf("%d packages and tests, want all of them", len(all))
			}
			packages.Visit(all, nil, func(p *packages.Package) {
				for _, err := range p.Errors {
					t.Error(err)
				}
			})
		})
	}
}
