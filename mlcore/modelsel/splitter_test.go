package modelsel_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"gonum.org/v1/gonum/mat"
)

// draw makes rows with classes and groups of uneven sizes.
func draw(seed uint64, n, classes int) modelsel.Rows {
	rng := mlcore.NewRand(seed)
	rows := modelsel.Rows{N: n, Labels: make([]int, n), Groups: make([]int, n)}
	for i := range n {
		rows.Labels[i] = rng.IntN(1 + rng.IntN(classes))
		rows.Groups[i] = rng.IntN(20) * rng.IntN(3)
	}
	return rows
}

func mustSplit(t *testing.T, s modelsel.Splitter, rows modelsel.Rows) *modelsel.Folds {
	t.Helper()
	f, err := s.Split(rows)
	if err != nil {
		t.Fatalf("%T %+v: %v", s, s, err)
	}
	return f
}

func TestFoldsPartitionTheRows(t *testing.T) {
	for seed := range uint64(20) {
		rows := draw(seed, 60+int(seed)*7, 3)
		k := 2 + int(seed)%6
		for _, s := range []modelsel.Splitter{
			modelsel.KFold{Folds: k}, modelsel.KFold{Folds: k, Shuffle: true, Seed: seed},
			modelsel.StratifiedKFold{Folds: k, AllowRare: true}, modelsel.StratifiedKFold{Folds: k, Shuffle: true, Seed: seed, AllowRare: true},
			modelsel.GroupKFold{Folds: k}, modelsel.GroupKFold{Folds: k, Shuffle: true, Seed: seed},
			modelsel.LeaveOneOut{},
		} {
			f := mustSplit(t, s, rows)
			tested := make([]int, rows.N)
			for i, fold := range f.All() {
				checkDisjoint(t, fmt.Sprintf("%T, fold %d", s, i), rows.N, fold)
				if len(fold.Train)+len(fold.Test) != rows.N || !slices.IsSorted(fold.Train) || !slices.IsSorted(fold.Test) {
					t.Errorf("%T, fold %d: %d + %d of %d rows, or not in order", s, i, len(fold.Train), len(fold.Test), rows.N)
				}
				for _, r := range fold.Test {
					tested[r]++
				}
			}
			if slices.Min(tested) != 1 || slices.Max(tested) != 1 {
				t.Errorf("%T: rows are tested %d to %d times", s, slices.Min(tested), slices.Max(tested))
			}
		}
	}
}

// checkDisjoint checks that no row is out of range, twice in a part or in both.
func checkDisjoint(t *testing.T, name string, n int, parts ...any) {
	t.Helper()
	seen := make([]bool, n)
	var lists [][]int
	for _, p := range parts {
		switch p := p.(type) {
		case modelsel.Fold:
			lists = append(lists, p.Train, p.Test)
		case []int:
			lists = append(lists, p)
		}
	}
	for _, rows := range lists {
		if len(rows) == 0 {
			t.Errorf("%s: an empty part", name)
		}
		for _, r := range rows {
			if seen[r] {
				t.Fatalf("%s: row %d twice", name, r)
			}
			seen[r] = true
		}
	}
}

func spread(counts []int) int { return slices.Max(counts) - slices.Min(counts) }

func TestFoldsAreBalanced(t *testing.T) {
	for seed := range uint64(20) {
		rows := draw(seed, 80+int(seed), 4)
		k := 2 + int(seed)%7
		for _, s := range []modelsel.Splitter{
			modelsel.KFold{Folds: k, Shuffle: true, Seed: seed},
			modelsel.StratifiedKFold{Folds: k, AllowRare: true},
			modelsel.StratifiedKFold{Folds: k, AllowRare: true, Shuffle: true, Seed: seed},
		} {
			f := mustSplit(t, s, rows)
			sizes, perClass := make([]int, k), make([][]int, 4)
			for i, fold := range f.All() {
				sizes[i] = len(fold.Test)
				for class, n := range classCounts(rows.Labels, fold.Test, 4) {
					perClass[class] = append(perClass[class], n)
				}
			}
			if spread(sizes) > 1 {
				t.Errorf("%+v: folds of %v rows", s, sizes)
			}
			if _, stratified := s.(modelsel.StratifiedKFold); !stratified {
				continue
			}
			for class, counts := range perClass {
				if spread(counts) > 1 {
					t.Errorf("%+v: class %d has %v rows in the folds", s, class, counts)
				}
			}
		}
	}
}

func TestGroupsStayTogether(t *testing.T) {
	rows := draw(5, 200, 2)
	for _, s := range []modelsel.Splitter{modelsel.GroupKFold{Folds: 4}, modelsel.GroupKFold{Folds: 4, Shuffle: true, Seed: 2}} {
		for i, fold := range mustSplit(t, s, rows).All() {
			for _, r := range fold.Train {
				for _, q := range fold.Test {
					if rows.Groups[r] == rows.Groups[q] {
						t.Fatalf("%+v, fold %d: group %d is in both parts", s, i, rows.Groups[r])
					}
				}
			}
		}
	}
}

func TestRandomPartsAreProportional(t *testing.T) {
	rows := draw(9, 203, 3)
	total := classCounts(rows.Labels, allRows(rows.N), 3)
	near := func(name string, part []int, share float64) {
		t.Helper()
		for class, n := range classCounts(rows.Labels, part, 3) {
			if want := share * float64(total[class]); float64(n) < want-1 || float64(n) > want+1 {
				t.Errorf("%s: %d rows of class %d, want %.1f within 1", name, n, class, want)
			}
		}
	}
	f := mustSplit(t, modelsel.StratifiedShuffleSplit{Splits: 8, TestSize: 0.3, TrainSize: 0.4, Seed: 3}, rows)
	if f.Len() != 8 {
		t.Errorf("%d splits, want 8", f.Len())
	}
	for i, fold := range f.All() {
		name := fmt.Sprintf("split %d", i)
		checkDisjoint(t, name, rows.N, fold)
		near(name+", test", fold.Test, 61./203)
		near(name+", training", fold.Train, 81./203)
	}
	train, validation, test, err := modelsel.TrainValidationTestSplit{Stratified: true, Seed: 4}.Rows(rows)
	if err != nil {
		t.Fatal(err)
	}
	checkDisjoint(t, "three parts", rows.N, train, validation, test)
	if len(train) != 121 || len(validation) != 41 || len(test) != 41 {
		t.Errorf("%d : %d : %d rows, want 121 : 41 : 41", len(train), len(validation), len(test))
	}
	for name, part := range map[string][]int{"training": train, "validation": validation, "test": test} {
		changes := 0
		for i := 1; i < len(part); i++ {
			if rows.Labels[part[i]] != rows.Labels[part[i-1]] {
				changes++
			}
		}
		if changes < len(part)/4 {
			t.Errorf("%s rows stand class by class: %d changes in %d rows", name, changes, len(part))
		}
	}
	near("three parts, training", train, 121./203)
	near("three parts, validation", validation, 41./203)
	near("three parts, test", test, 41./203)
}

func allRows(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// A single split of 150 rows by the shares of the CO395 notes, and of shares whose
// products are not whole in floating point.
// Five rows of six: a quota of two and a half of either class, and of one and two
// thirds of each of three. What is left over goes to the class that occurs first.
func TestLeftoverRowsOfATie(t *testing.T) {
	for _, tc := range []struct {
		labels []int
		test   float64
		want   []int // rows of each class to test
	}{
		{[]int{1, 0, 1, 0, 1, 0}, 5. / 6, []int{2, 3}},
		{[]int{0, 1, 1, 0, 1, 0}, 5. / 6, []int{3, 2}},
		{[]int{2, 0, 1, 0, 1, 2}, 5. / 6, []int{2, 1, 2}},
	} {
		f, err := modelsel.TrainTestSplit{TestSize: tc.test, Stratified: true, AllowRare: true}.Rows(modelsel.Rows{N: 6, Labels: tc.labels})
		if err != nil {
			t.Fatal(err)
		}
		got := make([]int, len(tc.want))
		for _, r := range f.Test {
			got[tc.labels[r]]++
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%v: tests %v of each class, want %v", tc.labels, got, tc.want)
		}
	}
}

func TestPartSizes(t *testing.T) {
	for _, tc := range []struct {
		n                 int
		s                 modelsel.TrainTestSplit
		trainRows, tested int
	}{
		{150, modelsel.TrainTestSplit{}, 112, 38},
		{150, modelsel.TrainTestSplit{TestSize: 0.2}, 120, 30},
		{100, modelsel.TrainTestSplit{TestSize: 0.07}, 93, 7},
		{10, modelsel.TrainTestSplit{TestSize: 0.25, TrainSize: 0.29}, 2, 3},
		{100, modelsel.TrainTestSplit{TestSize: 0.42, TrainSize: 0.58}, 58, 42},
		{20000, modelsel.TrainTestSplit{TestSize: 0.2, NoShuffle: true}, 16000, 4000},
		{2, modelsel.TrainTestSplit{TestSize: 0.5}, 1, 1},
		{10, modelsel.TrainTestSplit{TestSize: 0.2, TrainSize: 0.5, NoShuffle: true}, 5, 2},
	} {
		f, err := tc.s.Rows(modelsel.Rows{N: tc.n})
		if err != nil {
			t.Fatal(err)
		}
		checkDisjoint(t, "split", tc.n, f)
		if len(f.Train) != tc.trainRows || len(f.Test) != tc.tested {
			t.Errorf("%+v of %d rows: %d and %d, want %d and %d", tc.s, tc.n, len(f.Train), len(f.Test), tc.trainRows, tc.tested)
		}
		if tc.s.NoShuffle && !slices.Equal(slices.Concat(f.Train, f.Test), allRows(tc.n)[tc.n-tc.trainRows-tc.tested:]) {
			t.Errorf("%+v: not the last rows in order", tc.s)
		}
	}
	for _, tc := range []struct {
		s    modelsel.TrainValidationTestSplit
		want [3]int
	}{
		{modelsel.TrainValidationTestSplit{}, [3]int{90, 30, 30}},
		{modelsel.TrainValidationTestSplit{ValidationSize: 0.1, TestSize: 0.1}, [3]int{120, 15, 15}},
		{modelsel.TrainValidationTestSplit{ValidationSize: 0.1, TestSize: 0.3}, [3]int{90, 15, 45}},
	} {
		train, validation, test, err := tc.s.Rows(modelsel.Rows{N: 150})
		if got := [3]int{len(train), len(validation), len(test)}; err != nil || got != tc.want {
			t.Errorf("%+v: %v, want %v (%v)", tc.s, got, tc.want, err)
		}
	}
}

// What the documentation says of zero values.
func TestDefaultSplits(t *testing.T) {
	rows := draw(1, 100, 2)
	for _, tc := range []struct {
		s             modelsel.Splitter
		folds, tested int
	}{
		{modelsel.KFold{}, 5, 20},
		{modelsel.StratifiedKFold{}, 5, 20},
		{modelsel.LeaveOneOut{}, 100, 1},
		{modelsel.Repeated{}, 50, 20},
		{modelsel.ShuffleSplit{}, 10, 10},
		{modelsel.StratifiedShuffleSplit{}, 10, 10},
		{modelsel.TrainTestSplit{}, 1, 25},
	} {
		tests := testsOf(mustSplit(t, tc.s, rows))
		if len(tests) != tc.folds || len(tests[0]) != tc.tested {
			t.Errorf("%T: %d folds that test %d rows, want %d that test %d", tc.s, len(tests), len(tests[0]), tc.folds, tc.tested)
		}
	}
}

func TestSplitsDependOnTheSeedAlone(t *testing.T) {
	rows := draw(1, 90, 2)
	for _, of := range []func(seed uint64) modelsel.Splitter{
		func(s uint64) modelsel.Splitter { return modelsel.KFold{Shuffle: true, Seed: s} },
		func(s uint64) modelsel.Splitter { return modelsel.StratifiedKFold{Shuffle: true, Seed: s} },
		func(s uint64) modelsel.Splitter { return modelsel.GroupKFold{Shuffle: true, Seed: s} },
		func(s uint64) modelsel.Splitter { return modelsel.ShuffleSplit{Splits: 3, Seed: s} },
		func(s uint64) modelsel.Splitter { return modelsel.StratifiedShuffleSplit{Splits: 3, Seed: s} },
		func(s uint64) modelsel.Splitter { return modelsel.TrainTestSplit{Seed: s} },
		func(s uint64) modelsel.Splitter {
			return modelsel.Repeated{Splitter: modelsel.KFold{Folds: 3}, Repeats: 2, Seed: s}
		},
	} {
		a, again, other := testsOf(mustSplit(t, of(7), rows)), testsOf(mustSplit(t, of(7), rows)), testsOf(mustSplit(t, of(8), rows))
		if !slices.EqualFunc(a, again, slices.Equal) {
			t.Errorf("%+v: two calls differ", of(7))
		}
		if slices.EqualFunc(a, other, slices.Equal) {
			t.Errorf("%+v: seed 8 gives the same", of(7))
		}
	}
	for _, s := range []modelsel.Splitter{modelsel.ShuffleSplit{Splits: 2}, modelsel.StratifiedShuffleSplit{Splits: 2}} {
		if tests := testsOf(mustSplit(t, s, rows)); slices.Equal(tests[0], tests[1]) {
			t.Errorf("%+v: both splits test %v", s, tests[0])
		}
	}
	// A longer run begins like a shorter one.
	short, long := modelsel.ShuffleSplit{Splits: 2, Seed: 1}, modelsel.ShuffleSplit{Splits: 5, Seed: 1}
	if a, b := testsOf(mustSplit(t, short, rows)), testsOf(mustSplit(t, long, rows)); !slices.EqualFunc(a, b[:2], slices.Equal) {
		t.Error("the first splits depend on how many there are")
	}
}

// Class codes are names: the same classes under other codes give the same splits. The
// oracle is scikit-learn, whose stratified splitters number classes by occurrence
// (test_stratified_kfold_label_invariance of its test_split.py).
func TestStrataDoNotDependOnClassCodes(t *testing.T) {
	rows := draw(3, 120, 4)
	for _, codes := range [][]int{{1, 0, 2, 3}, {3, 2, 1, 0}, {7, 0, 5, 2}} {
		renamed := modelsel.Rows{N: rows.N, Labels: make([]int, rows.N)}
		for i, k := range rows.Labels {
			renamed.Labels[i] = codes[k]
		}
		for _, s := range []modelsel.Splitter{
			modelsel.StratifiedKFold{Folds: 4},
			modelsel.StratifiedKFold{Folds: 4, Shuffle: true, Seed: 9},
			modelsel.StratifiedShuffleSplit{Splits: 3, TestSize: 0.3, Seed: 9},
			modelsel.TrainTestSplit{Stratified: true, Seed: 9},
			modelsel.Repeated{Repeats: 2, Splitter: modelsel.StratifiedKFold{Folds: 4}, Seed: 9},
		} {
			a, b := mustSplit(t, s, rows), mustSplit(t, s, renamed)
			for i, fold := range a.All() {
				if !reflect.DeepEqual(fold, b.At(i)) {
					t.Errorf("%T %+v: fold %d with codes %v is another", s, s, i, codes)
					break
				}
			}
		}
		split := modelsel.TrainValidationTestSplit{Stratified: true, Seed: 9}
		train, validation, test, err := split.Rows(rows)
		train2, validation2, test2, err2 := split.Rows(renamed)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if !slices.Equal(train, train2) || !slices.Equal(validation, validation2) || !slices.Equal(test, test2) {
			t.Errorf("%T with codes %v is another", split, codes)
		}
	}
}

func TestRepeatedSplitsAnew(t *testing.T) {
	rows := draw(2, 60, 2)
	s := modelsel.Repeated{Splitter: modelsel.StratifiedKFold{Folds: 5}, Seed: 3}
	f := mustSplit(t, s, rows)
	if f.Len() != 50 {
		t.Fatalf("%d folds, want 10 times 5", f.Len())
	}
	tests := testsOf(f)
	for repeat := range 10 {
		part := tests[5*repeat : 5*repeat+5]
		all := slices.Concat(part...)
		slices.Sort(all)
		if !slices.Equal(all, allRows(60)) {
			t.Errorf("repeat %d does not test every row once", repeat)
		}
		if repeat > 0 && slices.EqualFunc(part, tests[:5], slices.Equal) {
			t.Errorf("repeat %d is the first over again", repeat)
		}
	}
}

func TestSplitDataset(t *testing.T) {
	rows := draw(4, 50, 2)
	ds := &mlcore.Dataset{Name: "made up", X: mat.NewDense(50, 1, nil), Columns: []mlcore.Column{{Name: "row"}}, Y: rows.Labels, ClassNames: []string{"a", "b"}}
	for i := range 50 {
		ds.X.Set(i, 0, float64(i))
	}
	train, test, err := modelsel.TrainTestSplit{Stratified: true}.SplitDataset(ds)
	if err != nil {
		t.Fatal(err)
	}
	a, b, c, err := modelsel.TrainValidationTestSplit{}.SplitDataset(ds)
	if err != nil {
		t.Fatal(err)
	}
	for name, parts := range map[string][]*mlcore.Dataset{"two": {train, test}, "three": {a, b, c}} {
		var seen []int
		for _, part := range parts {
			for i := range part.Len() {
				r := int(part.X.At(i, 0))
				seen = append(seen, r)
				if part.Y[i] != rows.Labels[r] {
					t.Errorf("%s parts: row %d lost its label", name, r)
				}
			}
		}
		slices.Sort(seen)
		if !slices.Equal(seen, allRows(50)) {
			t.Errorf("%s parts hold rows %v", name, seen)
		}
	}
}

func TestBadSplits(t *testing.T) {
	rows := modelsel.Rows{N: 6, Labels: []int{0, 0, 0, 0, 0, 1}, Groups: []int{1, 1, 1, 2, 2, 2}}
	bare := modelsel.Rows{N: 6}
	three := func(s modelsel.TrainValidationTestSplit, rows modelsel.Rows) splitFunc {
		return func(modelsel.Rows) (*modelsel.Folds, error) {
			_, _, _, err := s.Rows(rows)
			return nil, err
		}
	}
	for _, tc := range []struct {
		name string
		s    modelsel.Splitter
		rows modelsel.Rows
		want error
		says string
	}{
		{"no rows", modelsel.KFold{}, modelsel.Rows{}, mlcore.ErrEmpty, "0 rows"},
		{"one fold", modelsel.KFold{Folds: 1}, bare, mlcore.ErrConfig, "at least 2"},
		{"negative folds", modelsel.StratifiedKFold{Folds: -3}, rows, mlcore.ErrConfig, "-3"},
		{"more folds than rows", modelsel.KFold{Folds: 7}, bare, mlcore.ErrConfig, "7 folds of 6 rows"},
		{"no labels", modelsel.StratifiedKFold{Folds: 2}, bare, mlcore.ErrConfig, "need class labels"},
		{"short labels", modelsel.StratifiedKFold{Folds: 2}, modelsel.Rows{N: 6, Labels: []int{1}}, mlcore.ErrShape, "1 labels"},
		{"bad label", modelsel.StratifiedKFold{Folds: 2}, modelsel.Rows{N: 2, Labels: []int{0, -1}}, mlcore.ErrLabel, "row 1"},
		{"rare class", modelsel.StratifiedKFold{Folds: 2}, rows, mlcore.ErrConfig, "class 1 has 1 rows, fewer than the 2 folds"},
		{"no groups", modelsel.GroupKFold{Folds: 2}, bare, mlcore.ErrConfig, "set Groups"},
		{"short groups", modelsel.GroupKFold{Folds: 2}, modelsel.Rows{N: 6, Groups: []int{1}}, mlcore.ErrShape, "1 groups"},
		{"more folds than groups", modelsel.GroupKFold{Folds: 3}, rows, mlcore.ErrConfig, "3 folds of 2 groups"},
		{"one row left out", modelsel.LeaveOneOut{}, modelsel.Rows{N: 1}, mlcore.ErrConfig, "at least 2 rows"},
		{"negative splits", modelsel.ShuffleSplit{Splits: -1}, bare, mlcore.ErrConfig, "-1"},
		{"all rows tested", modelsel.ShuffleSplit{TestSize: 1}, bare, mlcore.ErrConfig, "TestSize is 1"},
		{"none trained on", modelsel.ShuffleSplit{TestSize: 0.9}, bare, mlcore.ErrConfig, "0 to train on"},
		{"negative share", modelsel.ShuffleSplit{TrainSize: -0.5}, bare, mlcore.ErrConfig, "TrainSize is -0.5"},
		{"too large together", modelsel.TrainTestSplit{TestSize: 0.5, TrainSize: 0.7}, bare, mlcore.ErrConfig, "6 rows cannot give 3 to test and 4"},
		{"class too rare for a part", modelsel.TrainTestSplit{Stratified: true}, rows, mlcore.ErrConfig, "class 1 has 1 rows"},
		{"shuffle splits of rare class", modelsel.StratifiedShuffleSplit{}, rows, mlcore.ErrConfig, "AllowRare"},
		{"in order and stratified", modelsel.TrainTestSplit{NoShuffle: true, Stratified: true}, rows, mlcore.ErrConfig, "NoShuffle"},
		{"absurd splits", modelsel.ShuffleSplit{Splits: 1 << 30}, bare, mlcore.ErrConfig, "1073741824"},
		{"absurd repeats", modelsel.Repeated{Repeats: 1 << 30}, bare, mlcore.ErrConfig, "1073741824"},
		{"absurd folds", modelsel.KFold{Folds: 1 << 30}, bare, mlcore.ErrConfig, "1073741824"},
		{"negative repeats", modelsel.Repeated{Repeats: -2}, bare, mlcore.ErrConfig, "-2"},
		{"repeats of what fails", modelsel.Repeated{Splitter: modelsel.KFold{Folds: 9}}, bare, mlcore.ErrConfig, "9 folds"},
		{"no folds", modelsel.Predefined{}, bare, mlcore.ErrEmpty, "no folds"},
		{"row out of range", modelsel.Predefined{{Test: []int{6}}}, bare, mlcore.ErrShape, "test row 6 of 6"},
		{"training row out of range", modelsel.Predefined{{Test: []int{1}, Train: []int{-1}}}, bare, mlcore.ErrShape, "training row -1"},
		{"row in both parts", modelsel.Predefined{{Test: []int{1}, Train: []int{0, 1}}}, bare, mlcore.ErrConfig, "trains on row 1 and tests it"},
		{"row twice", modelsel.Predefined{{Test: []int{1, 1}}}, bare, mlcore.ErrConfig, "tests row 1 twice"},
		{"nothing to test", modelsel.Predefined{{Train: []int{1}}}, bare, mlcore.ErrEmpty, "no test rows"},
		{"nothing to train on", modelsel.Predefined{{Test: allRows(6)}}, bare, mlcore.ErrEmpty, "no training rows"},
		{"three parts of two rows", three(modelsel.TrainValidationTestSplit{}, modelsel.Rows{N: 2}), bare, mlcore.ErrConfig, "any to train on"},
		{"validation share", three(modelsel.TrainValidationTestSplit{ValidationSize: 2}, bare), bare, mlcore.ErrConfig, "ValidationSize is 2"},
		{"test share", three(modelsel.TrainValidationTestSplit{TestSize: -1}, bare), bare, mlcore.ErrConfig, "TestSize is -1"},
		{"three stratified parts", three(modelsel.TrainValidationTestSplit{Stratified: true}, rows), bare, mlcore.ErrConfig, "class 1"},
	} {
		_, err := tc.s.Split(tc.rows)
		if !errors.Is(err, tc.want) || !strings.Contains(fmt.Sprint(err), tc.says) {
			t.Errorf("%s: error %v, want %v that says %q", tc.name, err, tc.want, tc.says)
		}
	}
}

type splitFunc func(modelsel.Rows) (*modelsel.Folds, error)

func (f splitFunc) Split(rows modelsel.Rows) (*modelsel.Folds, error) { return f(rows) }

// A Dataset that cannot be divided is an error, not a panic.
func TestSplitsOfBadDatasets(t *testing.T) {
	X := mat.NewDense(10, 1, nil)
	for name, tc := range map[string]struct {
		ds   *mlcore.Dataset
		want error
	}{
		"nil":                  {nil, mlcore.ErrEmpty},
		"without rows":         {&mlcore.Dataset{}, mlcore.ErrEmpty},
		"labels of some rows":  {mlcore.FromMatrix(X, []int{0, 1}, nil), mlcore.ErrShape},
		"targets of some rows": {mlcore.FromMatrix(X, []float64{0, 1}, nil), mlcore.ErrShape},
		"weights of some rows": {mlcore.FromMatrix[int](X, nil, []float64{1}), mlcore.ErrShape},
	} {
		if _, _, err := (modelsel.TrainTestSplit{}).SplitDataset(tc.ds); !errors.Is(err, tc.want) {
			t.Errorf("%s, into two: error %v, want %v", name, err, tc.want)
		}
		if _, _, _, err := (modelsel.TrainValidationTestSplit{}).SplitDataset(tc.ds); !errors.Is(err, tc.want) {
			t.Errorf("%s, into three: error %v, want %v", name, err, tc.want)
		}
	}
}
