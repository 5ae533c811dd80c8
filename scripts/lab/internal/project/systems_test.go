package project

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// The types of every package and test are also right for systems on which we run few tests or none.
// There, other files are built, functions may be missing, and an int of 32 bits cannot hold every
// constant. go vet would find this too, but it compiles every package, and Go's own, for each system.
func TestTypesElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("loads all packages four times")
	}
	_ = os.Getenv(TestedVariable)
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
