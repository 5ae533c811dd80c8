package onnx

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
	"github.com/mllabs-go/mllabs/mlcore/internal/atomicfile"
)

// The outputs of a file, under the names that sklearn-onnx gives them.
const (
	labelOutput = "label"
	probaOutput = "probabilities"
	valueOutput = "variable"
)

// What a file asks of the program that runs it: ONNX 1.12, of 2022.
const (
	irVersion = 8
	opset     = 17
	mlOpset   = 3
	mlDomain  = "ai.onnx.ml"
)

// maxBytes is the most that a protocol buffer can be.
const maxBytes = math.MaxInt32

// Save writes a fitted model, pipeline or transformer to an ONNX file, which is replaced
// as a whole or not at all. See [Marshal] for the errors.
func Save(path string, model any) error {
	data, err := Marshal(model)
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return atomicfile.Write(path, data)
}

// Marshal returns what [Save] writes to a file: the same bytes for the same model.
//
// A kind of model that has no form in ONNX, alone or as part of another, is an error that
// wraps [mlcore.ErrKind] and names it; a model that is not fitted one that wraps
// [mlcore.ErrNotFitted]. A Go function that the caller supplied in a model, and a type
// that is not the library's, are errors that wrap [mlcore.ErrConfig]. Where columns
// become inputs by name, two of one name are an error that wraps [mlcore.ErrColumn].
func Marshal(model any) ([]byte, error) {
	data, err := marshal(model, mlcore.Version)
	if err != nil {
		return nil, fmt.Errorf("onnx: %w", err)
	}
	return data, nil
}

func marshal(model any, version string) ([]byte, error) {
	r, err := archive.TakeApart(model)
	if err != nil {
		return nil, err
	}
	about := describe(r, model)
	if err := about.check(); err != nil {
		return nil, err
	}
	g := &graph{}
	x, err := g.input(about.columns, about.features)
	if err != nil {
		return nil, err
	}
	a, err := g.convert(r, x, about.features)
	if err == nil {
		err = r.Err()
	}
	if err != nil {
		return nil, err
	}
	g.answer(a, about.classNames)
	g.prune()

	var m, core, ml message
	m.int(1, irVersion)
	m.string(2, "mllabs")
	m.string(3, version)
	m.bytes(7, g.encode(r.Kind()))
	core.string(1, "")
	core.int(2, opset)
	m.bytes(8, core)
	ml.string(1, mlDomain)
	ml.int(2, mlOpset)
	m.bytes(8, ml)
	about.encode(&m, r.Kind())
	if len(m) > maxBytes {
		return nil, fmt.Errorf("%w: the file would have %d bytes, and ONNX files have up to %d; fit a smaller model", mlcore.ErrConfig, len(m), maxBytes)
	}
	return m, nil
}

// answer makes outputs of what a model says.
func (g *graph) answer(a answer, classNames []string) {
	if a.codes == "" {
		g.output(valueOutput, a.value, doubles, anySize, a.width)
		return
	}
	if numbered(classNames) || len(classNames) < a.classes {
		g.output(labelOutput, a.codes, int64s, anySize)
	} else {
		g.output(labelOutput, g.gather(g.constant(stringTensor(classNames)), a.codes, 0), text, anySize)
	}
	if a.proba != "" {
		g.output(probaOutput, a.proba, doubles, anySize, a.classes)
	}
}

// numbered reports whether names are the codes themselves, as FromMatrix makes them.
func numbered(classNames []string) bool {
	for k, name := range classNames {
		if name != strconv.Itoa(k) {
			return false
		}
	}
	return true
}

// A description is what a file says of a model besides its computation.
type description struct {
	features   int
	columns    []mlcore.Column // nil of a model without a Schema
	classNames []string
	targetName string
}

func describe(r *archive.Record, model any) description {
	var about description
	switch m := model.(type) {
	case interface{ NumFeatures() int }:
		about.features = m.NumFeatures()
	case interface{ Inputs() int }: // a bare network
		about.features = m.Inputs()
	case interface{ InputColumns() []mlcore.Column }:
		about.columns = m.InputColumns()
		about.features = len(about.columns)
	}
	if s := r.Schema(); s != nil {
		about.columns, about.classNames, about.targetName = s.Columns, s.ClassNames, s.TargetName
	}
	return about
}

func (d description) featureNames() []string {
	names := make([]string, len(d.columns))
	for j, c := range d.columns {
		names[j] = c.Name
	}
	return names
}

func (d description) check() error {
	for _, c := range d.columns {
		if err := checkNames("the category", c.Levels); err != nil {
			return err
		}
	}
	if err := checkNames("the column", d.featureNames()); err != nil {
		return err
	}
	if err := checkNames("the target", []string{d.targetName}); err != nil {
		return err
	}
	return checkNames("the class", d.classNames)
}

// encode appends the metadata to ModelProto.
func (d description) encode(m *message, kind string) {
	property := func(key, value string) {
		var p message
		p.string(1, key)
		p.string(2, value)
		m.bytes(14, p)
	}
	list := func(key string, names []string) {
		if len(names) > 0 {
			list, _ := json.Marshal(names) // nothing fails
			property(key, string(list))
		}
	}
	property("kind", kind)
	list("feature_names", d.featureNames())
	list("class_names", d.classNames)
	if d.targetName != "" {
		property("target_name", d.targetName)
	}
}
