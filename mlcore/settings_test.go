package mlcore_test

import (
	"go/importer"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const library = "github.com/mllabs-go/mllabs/mlcore"

// libraryPackages are those that a program can import, in the order of their paths.
func libraryPackages(t *testing.T) []*types.Package {
	t.Helper()
	paths, lookup := exported(t)
	imports := importer.ForCompiler(token.NewFileSet(), "gc", lookup)
	var all []*types.Package
	for _, path := range slices.Sorted(maps.Values(paths)) {
		if path != library && !strings.HasPrefix(path, library+"/") {
			continue
		}
		p, err := imports.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// configurations finds every exported struct of the library that callers fill in, by
// "package.Type": one with exported fields that the library does not make, by itself or
// within what it returns and what it hands to a caller's method or function.
func configurations(t *testing.T) map[string]*types.Struct {
	t.Helper()
	all, made := map[string]*types.Struct{}, map[*types.TypeName]bool{}
	for _, p := range libraryPackages(t) {
		for _, name := range p.Scope().Names() {
			switch o := p.Scope().Lookup(name).(type) {
			case *types.Func:
				within(made, o.Signature().Results())
			case *types.TypeName:
				named, ok := o.Type().(*types.Named)
				if !ok || !o.Exported() {
					continue
				}
				for m := range types.NewMethodSet(types.NewPointer(named)).Methods() {
					if m.Obj().Exported() {
						within(made, m.Type().(*types.Signature).Results())
					}
				}
				switch u := named.Underlying().(type) {
				case *types.Interface:
					for m := range u.Methods() {
						within(made, m.Signature().Params())
					}
				case *types.Struct:
					if exportedFields(u) > 0 {
						all[p.Name()+"."+name] = u
					}
					for f := range u.Fields() {
						if s, ok := f.Type().(*types.Signature); ok {
							within(made, s.Params())
						}
					}
				}
			}
		}
	}
	for o := range made {
		delete(all, o.Pkg().Name()+"."+o.Name())
	}
	return all
}

func exportedFields(s *types.Struct) (n int) {
	for f := range s.Fields() {
		if f.Exported() {
			n++
		}
	}
	return n
}

// within adds the types of the library that t is made of.
func within(made map[*types.TypeName]bool, t types.Type) {
	switch t := t.(type) {
	case *types.Tuple:
		for v := range t.Variables() {
			within(made, v.Type())
		}
	case *types.Pointer:
		within(made, t.Elem())
	case *types.Slice:
		within(made, t.Elem())
	case *types.Map:
		within(made, t.Elem())
	case *types.Named:
		o := t.Obj()
		if made[o] || o.Pkg() == nil || !strings.HasPrefix(o.Pkg().Path(), library) {
			return
		}
		made[o] = true
		if s, ok := t.Underlying().(*types.Struct); ok {
			for f := range s.Fields() {
				if f.Exported() {
					within(made, f.Type())
				}
			}
		}
	}
}

// synonyms are names that settings do not have, and the name of their concept.
var synonyms = map[string]string{
	"Tolerance": "Tol", "Precision": "Tol",
	"MaxIterations": "MaxIter", "MaxIters": "MaxIter", "Iterations": "MaxIter", "Passes": "MaxIter", "MaxEpochs": "Epochs",
	"Trees": "Estimators", "Members": "Estimators", "Rounds": "Estimators", "Models": "Estimators", "Bags": "Estimators",
	"SampleShare": "Subsample", "MaxSamples": "Subsample", "RowShare": "Subsample",
	"FeaturesPerTree": "FeaturesPerEstimator", "FeaturesPerMember": "FeaturesPerEstimator",
	"Base": "Tree", "Estimator": "Learner", "BaseLearner": "Learner",
	"Vote": "Voting", "Soft": "Voting", "Hard": "Voting",
	"Depth": "MaxDepth", "MinLeaf": "MinSamplesLeaf", "LeafSize": "MinSamplesLeaf", "MinLeafSize": "MinSamplesLeaf", "MinLeafSamples": "MinSamplesLeaf", "MinSize": "MinSamplesSplit",
	"MaxLeaves": "MaxLeafNodes", "Leaves": "MaxLeafNodes", "Measure": "Criterion", "Impurity": "Criterion",
	"Rate": "LearningRate", "LearnRate": "LearningRate", "Eta": "LearningRate", "StepSize": "LearningRate",
	"EarlyStopping": "Patience", "NIterNoChange": "Patience", "ValidationShare": "ValidationFraction",
	"Balanced": "ClassWeight", "ClassWeights": "ClassWeight", "ClassWeighting": "ClassWeight",
	"Classes": "the Dataset's ClassNames", "HandleUnknown": "Unknown", "UnknownCategories": "Unknown",
	"Intercept": "NoIntercept", "FitIntercept": "NoIntercept", "BiasScale": "InterceptScaling", "Ridge": "RegCovar",
	"Neighbours": "Neighbors", "KNeighbors": "Neighbors",
	"Restarts": "Starts", "Tries": "Starts", "Inits": "Starts",
	"InOrder": "NoShuffle", "KeepOrder": "NoShuffle", "Ordered": "NoShuffle",
	"CV": "Splitter", "Times": "Repeats", "Repetitions": "Repeats",
	"Train": "TrainSize", "Test": "TestSize", "TrainFraction": "TrainSize", "TestFraction": "TestSize", "Shares": "TrainSizes", "Binning": "Strategy",
	"RandomState": "Seed", "RandomSeed": "Seed", "Rand": "Seed", "RNG": "Seed",
	"Jobs": "Workers", "Goroutines": "Workers", "Parallelism": "Workers", "Threads": "Workers", "Parallel": "Workers", "Concurrency": "Workers",
	"OnEpoch": "Progress", "OnGeneration": "Progress", "OnProgress": "Progress", "Callback": "Progress", "Verbose": "Progress",
	"Ctx": "Context",
}

// withCount matches scikit-learn's n_, in Go's spelling.
var withCount = regexp.MustCompile(`^(N|Num)[A-Z]`)

func TestOneNameForOneConcept(t *testing.T) {
	// In whatever case: SubSample is another name than Subsample.
	names := map[string]string{}
	for name, use := range synonyms {
		names[strings.ToLower(name)] = use
	}
	for _, name := range tableOfNames(t) {
		names[strings.ToLower(name)] = name
	}
	for config, s := range sortedMap(configurations(t)) {
		for f := range s.Fields() {
			if use, is := names[strings.ToLower(f.Name())]; is && f.Name() != use && config != "mlcore."+use {
				t.Errorf("%s has a field %s: the name of that concept is %s", config, f.Name(), use)
			}
			if withCount.MatchString(f.Name()) {
				t.Errorf("%s has a field %s: a number of things is named after them, without Num or N", config, f.Name())
			}
		}
	}
}

// manyTypes are the names that may have several types, and why.
var manyTypes = map[string]string{
	"Loss":      "each family of models has losses of its own",
	"Kernel":    "the hills of a density are no inner products",
	"Weights":   "numbers for members, classes or rows, and the rule by which neighbours count",
	"Strategy":  "what fills gaps is no way to cut bins",
	"Criterion": "ID3 ranks by gain, CART by impurity",
	"Splitter":  "in a tree it looks for thresholds, elsewhere it makes folds; Repeated needs one that can be shuffled",
	"Init":      "the first weights of a network are no centres of k-means",
	"Features":  "by number in a learner, by name where columns have names",
	"Curve":     "a plot for each kind of curve",
	"Levels":    "their numbers, and their names",
	"Steps":     "those of a pipeline, and of a line that is drawn as stairs",
}

func TestOneTypeForOneName(t *testing.T) {
	type place struct {
		config string
		typ    types.Type
	}
	first, several := map[string]place{}, map[string]bool{}
	for config, s := range sortedMap(configurations(t)) {
		for f := range s.Fields() {
			if !f.Exported() || f.Embedded() {
				continue
			}
			have, seen := first[f.Name()]
			if !seen {
				first[f.Name()] = place{config, f.Type()}
				continue
			}
			if types.Identical(have.typ, f.Type()) {
				continue
			}
			if several[f.Name()] = true; manyTypes[f.Name()] == "" {
				t.Errorf("%s is %v in %s and %v in %s: give it the same type, or another name if it is another concept", f.Name(), f.Type(), config, have.typ, have.config)
			}
		}
	}
	for name := range manyTypes {
		if !several[name] {
			t.Errorf("%s has one type only, and no need of an exception", name)
		}
	}
}

// manyEnumerations are the names that enumerations of several packages have, and why.
var manyEnumerations = map[string]string{
	"BinStrategy": "MDL cuts where classes change, which is no way to draw a calibration curve",
	"Init":        "the first weights of a network are no centres of k-means",
	"Loss":        "each family of models has losses of its own",
}

// A concept has one enumeration, or each of several says in its name of what.
func TestOneEnumerationForOneConcept(t *testing.T) {
	in := map[string][]string{}
	for _, p := range libraryPackages(t) {
		for _, name := range p.Scope().Names() {
			o, ok := p.Scope().Lookup(name).(*types.TypeName)
			if !ok || !o.Exported() || o.IsAlias() {
				continue
			}
			if _, basic := o.Type().Underlying().(*types.Basic); basic {
				in[name] = append(in[name], p.Name())
			}
		}
	}
	for name, packages := range sortedMap(in) {
		switch several := len(packages) > 1; {
		case several && manyEnumerations[name] == "":
			t.Errorf("%q have an enumeration %s each: use one for all, or name each after what it is of", packages, name)
		case !several && manyEnumerations[name] != "":
			t.Errorf("%s is there once, and no need of an exception", name)
		}
	}
}

// tableOfNames returns the names in the table of the documentation of package mlcore.
func tableOfNames(t *testing.T) (names []string) {
	t.Helper()
	_, rest, found := strings.Cut(read(t, "doc.go"), "//\tconcept ")
	table, _, ends := strings.Cut(rest, "\n//\n")
	if !found || !ends {
		t.Fatal("doc.go has no table of names")
	}
	gap := regexp.MustCompile(` {2,}`)
	for _, row := range strings.Split(table, "\n")[1:] {
		cells := gap.Split(strings.TrimPrefix(row, "//\t"), -1)
		if len(cells) != 3 {
			t.Fatalf("doc.go: %q has %d cells: a concept, its name here and scikit-learn's, two spaces or more between them", row, len(cells))
		}
		names = append(names, strings.Split(cells[1], ", ")...)
	}
	if len(names) < 30 {
		t.Fatalf("doc.go: %d names", len(names))
	}
	return names
}

// The table in the documentation of package mlcore names settings that there are.
func TestTableOfNames(t *testing.T) {
	known := map[string]bool{}
	for _, s := range configurations(t) {
		for f := range s.Fields() {
			known[f.Name()] = true
		}
	}
	for _, name := range tableOfNames(t) {
		if !known[name] {
			t.Errorf("no configuration has a field %s, which is in the table of doc.go", name)
		}
		if use, is := synonyms[name]; is {
			t.Errorf("%s is in the table of doc.go, and a synonym of %s", name, use)
		}
	}
}

// sortedMap yields the entries in the order of their keys.
func sortedMap[V any](m map[string]V) func(yield func(string, V) bool) {
	return func(yield func(string, V) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}
