package onnx

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// A runCase is a file to be run by ONNX Runtime; see testdata/run.py.
type runCase struct {
	File   string                 `json:"file"`
	Inputs map[string]*testTensor `json:"inputs"`
}

// A testTensor is what goes into a file, or comes out.
type testTensor struct {
	Type    string   `json:"type"`
	Shape   []int    `json:"shape"`
	Doubles []byte   `json:"doubles"`
	Strings []string `json:"strings"`
}

func doubleValues(shape []int, v []float64) *testTensor {
	t := &testTensor{Shape: shape}
	for _, x := range v {
		t.Doubles = binary.LittleEndian.AppendUint64(t.Doubles, math.Float64bits(x))
	}
	return t
}

func (t *testTensor) numbers() []float64 {
	v := make([]float64, len(t.Doubles)/8)
	for i := range v {
		v[i] = math.Float64frombits(binary.LittleEndian.Uint64(t.Doubles[8*i:]))
	}
	return v
}

// A runAnswer is what ONNX Runtime made of a case.
type runAnswer struct {
	About   map[string]string      `json:"about"`
	Error   string                 `json:"error"`
	Outputs map[string]*testTensor `json:"outputs"`
}

// inputsOf are rows as a file of a model with such columns takes them.
func inputsOf(columns []mlcore.Column, X *mat.Dense) map[string]*testTensor {
	n, d := X.Dims()
	byName := false
	for _, c := range columns {
		byName = byName || c.Categorical()
	}
	if !byName {
		return map[string]*testTensor{"X": doubleValues([]int{n, d}, mat.DenseCopyOf(X).RawMatrix().Data)}
	}
	inputs := map[string]*testTensor{}
	for j, c := range columns {
		v := mat.Col(nil, j, X)
		if !c.Categorical() {
			inputs[c.Name] = doubleValues([]int{n, 1}, v)
			continue
		}
		t := &testTensor{Shape: []int{n, 1}, Strings: make([]string, n)}
		for i, code := range v {
			if !math.IsNaN(code) {
				t.Strings[i] = c.Levels[int(code)]
			}
		}
		inputs[c.Name] = t
	}
	return inputs
}

// A python is a process of testdata/run.py, which takes longer to import what it needs than
// to run the cases of a test.
type python struct {
	mu      sync.Mutex
	cmd     *exec.Cmd
	folders io.Writer
	answers *json.Decoder
	stderr  bytes.Buffer
}

// started is the process of all tests, in the first interpreter that has ONNX Runtime: the one
// named by MLLABS_PYTHON, that of the checkout's private environment, or python3 on the
// PATH; nil where none has. It ends with the tests, which hold its standard input.
var started = sync.OnceValue(func() *python {
	private := filepath.Join("..", "..", ".lab", "onnx", "bin", "python")
	if runtime.GOOS == "windows" {
		private = filepath.Join("..", "..", ".lab", "onnx", "Scripts", "python.exe")
	}
	for _, name := range []string{os.Getenv("MLLABS_PYTHON"), private, "python3"} {
		cmd := exec.Command(name, filepath.Join("testdata", "run.py"))
		p := &python{cmd: cmd}
		cmd.Stderr = &p.stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			continue
		}
		out, err := cmd.StdoutPipe()
		if err != nil || cmd.Start() != nil {
			continue
		}
		p.folders, p.answers = in, json.NewDecoder(out)
		var wrong string
		if p.answers.Decode(&wrong) == nil {
			return p
		}
		cmd.Wait()
	}
	return nil
})

// pythonOrSkip is the process of all tests. A test without one is skipped but in continuous
// integration.
func pythonOrSkip(t testing.TB) *python {
	t.Helper()
	if p := started(); p != nil {
		return p
	}
	const why = "needs a Python with onnx and onnxruntime; go run ./scripts/lab test installs them into .lab/onnx"
	if _, err := os.Stat(filepath.Join("..", "..", "scripts", "lab")); os.Getenv("CI") != "" && err == nil {
		t.Fatal(why)
	}
	t.Skip(why)
	return nil
}

// run has the cases of a folder run.
func (p *python) run(dir string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var wrong string
	_, err := fmt.Fprintln(p.folders, dir)
	if err == nil {
		err = p.answers.Decode(&wrong)
	}
	if err != nil {
		p.cmd.Process.Kill()
		p.cmd.Wait()
		return fmt.Errorf("%w\n%s", err, p.stderr.Bytes())
	}
	if wrong != "" {
		return errors.New(wrong)
	}
	return nil
}

// runAll runs the cases, whose files are in dir.
func runAll(t testing.TB, dir string, cases []runCase) []runAnswer {
	t.Helper()
	text, err := json.Marshal(cases)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "cases.json"), text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := pythonOrSkip(t).run(dir); err != nil {
		t.Fatalf("run.py: %v", err)
	}
	var said struct {
		Versions map[string]string
		Answers  []runAnswer
	}
	if text, err = os.ReadFile(filepath.Join(dir, "answers.json")); err == nil {
		err = json.Unmarshal(text, &said)
	}
	if err != nil || len(said.Answers) != len(cases) {
		t.Fatalf("%d answers for %d cases: %v", len(said.Answers), len(cases), err)
	}
	t.Logf("onnx %s, ONNX Runtime %s", said.Versions["onnx"], said.Versions["onnxruntime"])
	return said.Answers
}

// A bench collects models and rows, and compares what ONNX Runtime says of them with what
// they say themselves.
type bench struct {
	t      *testing.T
	dir    string
	cases  []runCase
	checks []func(t *testing.T, a runAnswer)
	names  []string
}

func newBench(t *testing.T) *bench {
	pythonOrSkip(t)
	return &bench{t: t, dir: t.TempDir()}
}

// add makes a case of a model and inputs; check looks at the answer.
func (b *bench) add(name string, model any, inputs map[string]*testTensor, check func(t *testing.T, a runAnswer)) {
	b.t.Helper()
	data, err := Marshal(model)
	if err != nil {
		b.t.Errorf("%s: %v", name, err)
		return
	}
	file := strconv.Itoa(len(b.cases)) + ".onnx"
	if err := os.WriteFile(filepath.Join(b.dir, file), data, 0o644); err != nil {
		b.t.Fatal(err)
	}
	b.names, b.cases, b.checks = append(b.names, name), append(b.cases, runCase{file, inputs}), append(b.checks, check)
}

func (b *bench) run() {
	b.t.Helper()
	for i, a := range runAll(b.t, b.dir, b.cases) {
		b.t.Run(b.names[i], func(t *testing.T) { b.checks[i](t, a) })
	}
}
