//go:build !js

package harness

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/mllabs-go/mllabs/notebooks/nbkit"
	"github.com/mllabs-go/mllabs/notebooks/nbkit/internal/grading"
	"github.com/mllabs-go/mllabs/notebooks/nbkit/internal/kernel"
	"github.com/mllabs-go/mllabs/notebooks/nbkit/judge"
)

// A Report is a line of JSON. A run reports one when the main function begins, with Begun, one
// for each case when it has been tried, and one when the cell's body has ended.
type Report struct {
	Word  string `json:"word"`
	Begun bool   `json:"begun,omitempty"`
	Tried *Tried `json:"tried,omitempty"`
	Ended bool   `json:"ended,omitempty"`
	Needs string `json:"needs,omitempty"` // the exercise that is not done and that the body needs
	Stuck bool   `json:"stuck,omitempty"` // instead of all further ones: nothing goes on before the first case
}

// A Tried is what the call of a case came to, and what was expected where the program knows it.
// Programs of students' answers do not.
type Tried struct {
	Check  int          `json:"check"` // the number of the check, from 0
	Title  string       `json:"title"`
	Case   judge.Case   `json:"case"`
	Answer judge.Answer `json:"answer"`
}

// channel is where reports go. The package is initialised before what students write.
var channel, word, cell = begin()

// given are the constants of the bodies, where the program was given them.
var given []string

// prepared says that the first case begins, or the end has come: until then it is no case's matter
// that nothing goes on.
var prepared = func() {}

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
	if text := os.Getenv("MLLABS_GIVEN"); text != "" && json.Unmarshal([]byte(text), &given) != nil {
		return nil, "", -1
	}
	os.Unsetenv("MLLABS_GIVEN")
	os.Args = os.Args[:1]
	grading.Begin()
	return os.NewFile(3, "report"), word, n
}

// init is called after the variables above have got their values.
func init() {
	if channel == nil {
		return
	}
	up, stop := grading.After(time.Hour) // or when nothing is done; who runs this bounds the work
	prepared = sync.OnceFunc(stop)
	go func() {
		<-up
		report(Report{Stuck: true})
		os.Exit(2)
	}()
}

// Types of constants, by names that no student can take from a check.
type (
	Bool    = bool
	String  = string
	Int     = int
	Int8    = int8
	Int16   = int16
	Int32   = int32
	Int64   = int64
	Uint    = uint
	Uint8   = uint8
	Uint16  = uint16
	Uint32  = uint32
	Uint64  = uint64
	Uintptr = uintptr
	Float32 = float32
	Float64 = float64
)

// Given is a constant that was taken out of the body of a cell.
func Given[T any](number int) T {
	var of T
	v, text := reflect.ValueOf(&of).Elem(), given[number]
	var err error
	switch {
	case v.Kind() == reflect.String:
		text, err = strconv.Unquote(text)
		v.SetString(text)
	case v.Kind() == reflect.Bool:
		v.SetBool(text == "true")
	case v.CanInt():
		var n int64
		n, err = strconv.ParseInt(text, 10, 64)
		v.SetInt(n)
	case v.CanUint():
		var n uint64
		n, err = strconv.ParseUint(text, 10, 64)
		v.SetUint(n)
	default:
		var x float64
		x, err = strconv.ParseFloat(text, 64)
		v.SetFloat(x)
	}
	if err != nil {
		panic(err)
	}
	return of
}

var mu sync.Mutex // of the channel

// checks counts the checks of the body.
var checks int

// most bounds the answers of a check in bytes of their report, of which no more than 12 MiB and
// half a million values are read. Each has an equal share, so that one that is too large costs no
// other.
const most = 8 << 20

// Try stands in place of [nbkit.Check] in a cell that gives points: what the calls come to is
// judged by whoever reads the report. Each is reported before the next begins, which may end the
// program.
func Try(title string, cases ...nbkit.Case) bool {
	if channel == nil {
		return nbkit.Check(title, cases...)
	}
	prepared()
	nbkit.Try(func(a judge.Answer, c judge.Case) {
		if text, err := json.Marshal(a.Value); err != nil || len(text) > most/len(cases) {
			a.Value = judge.Value{Kind: judge.Cut}
		}
		report(Report{Tried: &Tried{checks, title, c, a}})
	}, cases...)
	checks++
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
	prepared()
	report(Report{Ended: true})
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
	mu.Lock()
	defer mu.Unlock()
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
