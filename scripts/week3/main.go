// Week3 runs the hand-out's script, which tests the functions that you write and draws
// what they learn as a figure of four class maps:
//
//	go run ./scripts/week3 -s 0 -n 178 -r 100 week_3.pdf
//
// The script is notebooks/work/lab3/week_3.go, in which you write them. The first run lays
// it there, with an empty function for each task, because Git ignores that folder, so that
// git pull never meets what you have written.
//
// The options are those of the hand-out, and -h lists them. A function that is not
// written yet is drawn as an empty panel. Exit status: 0 all drawn, 1 something failed,
// 2 bad usage.
package main

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/mllabs-go/mllabs/notebooks/lab3/week3"
)

//go:embed week_3.go
var script []byte

func main() {
	if _, err := week3.CommandLine(os.Args[1:]); err != nil {
		week3.Main(week3.Lab{}) // says what is wrong, or the help, and exits
	}
	err := run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		os.Exit(exit.ExitCode()) // the compiler or the script has said why
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "week3: %v\n", err)
		os.Exit(1)
	}
}

// run lays the script in its place unless it is there, builds it and runs it.
func run() error {
	file, err := place()
	if err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err == nil {
		_, err = f.Write(script)
		err = errors.Join(err, f.Close())
		fmt.Printf("write your functions in %s, in the places of the empty ones\n", file)
	}
	if err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	folder, err := os.MkdirTemp("", "week3-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	program := filepath.Join(folder, "week_3.exe")
	if err := command("go", "build", "-o", program, file).Run(); err != nil {
		return err
	}
	return command(program, os.Args[1:]...).Run()
}

// place returns the path of the student's script and makes its folder.
func place() (string, error) {
	list := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/mllabs-go/mllabs/notebooks")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return "", fmt.Errorf("cannot find the notebooks; run this in the folder of the course: %v", err)
	}
	folder := filepath.Join(strings.TrimSpace(string(out)), "work", "lab3")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	return filepath.Rel(here, filepath.Join(folder, "week_3.go"))
}

func command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd
}
