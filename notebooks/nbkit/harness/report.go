//go:build !js

package harness

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync"

	"github.com/mllabs-go/mllabs/notebooks/nbkit"
	"github.com/mllabs-go/mllabs/notebooks/nbkit/internal/grading"
	"github.com/mllabs-go/mllabs/notebooks/nbkit/internal/kernel"
	"github.com/mllabs-go/mllabs/notebooks/nbkit/judge"
)

// A Report is what a run reports: a line of JSON when the main function begins, with
// Begun, and another when the cell's body has ended.
type Report struct {
	Word   string  `json:"word"`
	Begun  bool    `json:"begun,omitempty"`
	Ended  bool    `json:"ended,omitempty"`
	Needs  string  `json:"needs,omitempty"` // the exercise that is not done and that the body needs
	Checks []Check `json:"checks,omitempty"`
}

// A Check is what a check tried: what each call came to, and what was expected where the
// program knows it. Programs of students' answers do not.
type Check struct {
	Title   string         `json:"title"`
	Cases   []judge.Case   `json:"cases"`
	Answers []judge.Answer `json:"answers"`
}

// channel is where reports go. The package is initialised before what students write.
var channel, word, cell = begin()

// shown are the cells whose outputs are recorded, by number, where that is what the program
// was started for.
var shown []string

func begin() (*os.File, string, int) {
	if len(os.Args) > 3 && os.Args[1] == "show" {
		kernel.Record(os.Args[2])
		shown = os.Args[3:]
		os.Args = os.Args[:1]
		return nil, "", -1
	}
	if len(os.Args) != 3 {
		return nil, "", -1
	}
	n, err := strconv.Atoi(os.Args[1])
	if err != nil {
		return nil, "", -1
	}
	word := os.Args[2]
	os.Args = os.Args[:1]
	grading.Begin()
	return os.NewFile(3, "report"), word, n
}

var (
	mu     sync.Mutex
	checks []Check
)

// most bounds the answers of a check in bytes of their report, of which no more than 12 MiB and
// half a million values are read. Each has an equal share, so that one that is too large costs no
// other.
const most = 8 << 20

// Try stands in place of [nbkit.Check] in a cell that gives points: what the calls come to is
// judged by whoever reads the report.
func Try(title string, cases ...nbkit.Case) bool {
	if channel == nil {
		return nbkit.Check(title, cases...)
	}
	c := Check{Title: title}
	c.Answers, c.Cases = nbkit.Try(cases...)
	for i, a := range c.Answers {
		if text, err := json.Marshal(a.Value); err != nil || len(text) > most/len(c.Answers) {
			c.Answers[i].Value = judge.Value{Kind: judge.Cut}
		}
	}
	mu.Lock()
	defer mu.Unlock()
	checks = append(checks, c)
	return false
}

// Main runs the body of the cell that the program's arguments name; of none, if no cell
// has that number. It does not return.
//
// Where the outputs of cells are recorded, it runs the bodies of all of these one after the
// other.
func Main(cells ...Cell) {
	if len(shown) > 0 {
		show(cells)
		os.Exit(0)
	}
	if channel == nil {
		fmt.Fprintln(os.Stderr, "this program is run by scripts/lab")
		os.Exit(2)
	}
	report(Report{Begun: true})
	for _, c := range cells {
		if c.Number == cell {
			run(c.Body)
		}
	}
	mu.Lock()
	report(Report{Ended: true, Checks: checks})
	os.Exit(0) // what the students' functions have left running ends here
}

// show runs the bodies of the cells to be shown, each between two marks in the record.
func show(cells []Cell) {
	for _, c := range cells {
		if slices.Contains(shown, strconv.Itoa(c.Number)) {
			kernel.Mark(fmt.Sprintf(`{"begun":%d}`, c.Number))
			c.Body()
			kernel.Mark(fmt.Sprintf(`{"ended":%d}`, c.Number))
		}
	}
}

// run runs a body, and ends the program where it needs an exercise that is not done.
func run(body func()) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case error:
			if !errors.Is(r, nbkit.ErrNotImplemented) {
				panic(r)
			}
			fmt.Println(r)
			report(Report{Ended: true, Needs: r.Error()})
			os.Exit(0)
		default:
			panic(r)
		}
	}()
	body()
}

func report(r Report) {
	r.Word = word
	line, err := json.Marshal(r)
	if err == nil {
		_, err = channel.Write(append(line, '\n'))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "the report cannot be written:", err)
		os.Exit(2)
	}
}
