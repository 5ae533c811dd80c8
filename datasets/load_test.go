package datasets

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/frame"
)

// must returns what was loaded.
func must(t testing.TB, load func() (dataframe.DataFrame, error)) dataframe.DataFrame {
	t.Helper()
	df, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return df
}

func counts(s series.Series) map[string]int {
	n := make(map[string]int)
	for _, v := range s.Records() {
		n[v]++
	}
	return n
}

// The oracle: counts that were taken from the files by other means than this package.
func TestLoad(t *testing.T) {
	tested := map[string]bool{}
	for _, tc := range []struct {
		name    string
		load    func() (dataframe.DataFrame, error)
		rows    int
		cols    int
		label   string
		classes map[string]int
		missing map[string]int
	}{
		{"car", nil, 1728, 7, "class", map[string]int{"unacc": 1210, "acc": 384, "good": 69, "vgood": 65}, nil},
		{"breast", nil, 699, 11, "class", map[string]int{"2": 458, "4": 241}, map[string]int{"bare_nuclei": 16}},
		{"wdbc", nil, 569, 32, "diagnosis", map[string]int{"B": 357, "M": 212}, nil},
		{"ecoli", nil, 336, 9, "class", map[string]int{"cp": 143, "im": 77, "pp": 52, "imU": 35, "om": 20, "omL": 5, "imL": 2, "imS": 2}, nil},
		{"mushroom", nil, 8124, 23, "class", map[string]int{"e": 4208, "p": 3916}, map[string]int{"stalk-root": 2480}},
		{"letter", nil, 20000, 17, "lettr", map[string]int{
			"A": 789, "B": 766, "C": 736, "D": 805, "E": 768, "F": 775, "G": 773, "H": 734, "I": 755,
			"J": 747, "K": 739, "L": 761, "M": 792, "N": 783, "O": 753, "P": 803, "Q": 783, "R": 758,
			"S": 748, "T": 796, "U": 813, "V": 764, "W": 752, "X": 787, "Y": 786, "Z": 734}, nil},
		{"income", IncomeTrain, 11306, 9, "income", map[string]int{"<=50K": 8515, ">50K": 2791}, nil},
		{"income", IncomeTest, 33915, 9, "income", map[string]int{"<=50K": 25499, ">50K": 8416}, nil},
		{"income", nil, 45221, 9, "income", map[string]int{"<=50K": 8515 + 25499, ">50K": 2791 + 8416}, nil},
		{"adult", AdultTrain, 32561, 15, "income", map[string]int{"<=50K": 24720, ">50K": 7841},
			map[string]int{"workclass": 1836, "occupation": 1843, "native-country": 583}},
		{"adult", AdultTest, 16281, 15, "income", map[string]int{"<=50K": 12435, ">50K": 3846},
			map[string]int{"workclass": 963, "occupation": 966, "native-country": 274}},
		{"hitters", nil, 322, 20, "NewLeague", map[string]int{"A": 176, "N": 146}, map[string]int{"Salary": 59}},
		{"hitters", nil, 322, 20, "Division", map[string]int{"W": 165, "E": 157}, map[string]int{"Salary": 59}},
		{"week3", nil, 178, 4, "Binary", map[string]int{"1": 112, "0": 66}, nil},
		{"week3", nil, 178, 4, "Multi", map[string]int{"1": 65, "2": 63, "0": 50}, nil},
		{"iris", Iris, 150, 5, "class", map[string]int{"Iris-setosa": 50, "Iris-versicolor": 50, "Iris-virginica": 50}, nil},
		{"synthetic", Synthetic, 178, 4, "Multi", nil, nil},
	} {
		tested[tc.name] = true
		load := tc.load
		if load == nil {
			load = func() (dataframe.DataFrame, error) { return Load(tc.name) }
		}
		t.Run(tc.name+" "+tc.label+" "+strconv.Itoa(tc.rows), func(t *testing.T) {
			df := must(t, load)
			if df.Nrow() != tc.rows || df.Ncol() != tc.cols {
				t.Fatalf("%d×%d, want %d×%d", df.Nrow(), df.Ncol(), tc.rows, tc.cols)
			}
			if got := counts(df.Col(tc.label)); tc.classes != nil && !reflect.DeepEqual(got, tc.classes) {
				t.Errorf("classes %v, want %v", got, tc.classes)
			}
			set, err := Lookup(tc.name)
			if err != nil {
				t.Fatal(err)
			}
			for j, c := range set.Columns {
				col := df.Col(c.Name)
				if df.Names()[j] != c.Name || col.Type() != c.Type {
					t.Errorf("column %d is %q of type %s, want %q of %s", j, df.Names()[j], col.Type(), c.Name, c.Type)
				}
				missing := 0
				for _, na := range col.IsNaN() {
					if na {
						missing++
					}
				}
				if missing != tc.missing[c.Name] {
					t.Errorf("column %q lacks %d values, want %d", c.Name, missing, tc.missing[c.Name])
				}
				if c.Levels != nil {
					for v := range counts(col) {
						if !slices.Contains(c.Levels, v) {
							t.Errorf("column %q has a value %q that its levels lack", c.Name, v)
						}
					}
				}
			}
		})
	}
	for _, name := range Names() {
		if !tested[name] {
			t.Errorf("set %s is in no row of this test: add one, with rows, columns, classes and missing values counted by other means than this package", name)
		}
	}
}

// The oracle: the numbers of distinct values of each nominal column, counted as above; ?
// is one of them.
func TestDistinctValues(t *testing.T) {
	for _, tc := range []struct {
		name string
		load func() (dataframe.DataFrame, error)
		want []int
	}{
		{"mushroom", func() (dataframe.DataFrame, error) { return Load("mushroom") },
			[]int{2, 6, 4, 10, 2, 9, 2, 2, 2, 12, 2, 5, 4, 4, 9, 9, 1, 4, 3, 5, 9, 6, 7}},
		{"income train", IncomeTrain, []int{7, 16, 7, 14, 6, 5, 2, 40, 2}},
		{"income test", IncomeTest, []int{7, 16, 7, 14, 6, 5, 2, 41, 2}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			df := must(t, tc.load)
			for j, name := range df.Names() {
				if got := len(counts(df.Col(name))); got != tc.want[j] {
					t.Errorf("column %q has %d distinct values, want %d", name, got, tc.want[j])
				}
			}
		})
	}
}

func TestValues(t *testing.T) {
	// Salary: counted as above. The rest: the files' own first and last rows.
	t.Run("hitters", func(t *testing.T) {
		salary := must(t, func() (dataframe.DataFrame, error) { return Load("hitters") }).Col("Salary")
		n, sum, lo, hi := 0, 0.0, math.Inf(1), math.Inf(-1)
		for _, v := range salary.Float() {
			if !math.IsNaN(v) {
				n, sum, lo, hi = n+1, sum+v, min(lo, v), max(hi, v)
			}
		}
		if n != 263 || lo != 67.5 || hi != 2460 || math.Abs(sum/float64(n)-535.9259) > 5e-5 {
			t.Errorf("%d salaries from %v to %v, mean %v", n, lo, hi, sum/float64(n))
		}
	})
	for _, tc := range []struct {
		load func() (dataframe.DataFrame, error)
		row  int
		want []string
	}{
		{AdultTrain, 0, []string{"39", "State-gov", "77516", "Bachelors", "13", "Never-married", "Adm-clerical",
			"Not-in-family", "White", "Male", "2174", "0", "40", "United-States", "<=50K"}},
		{AdultTest, 0, []string{"25", "Private", "226802", "11th", "7", "Never-married", "Machine-op-inspct",
			"Own-child", "Black", "Male", "0", "0", "40", "United-States", "<=50K"}},
		{func() (dataframe.DataFrame, error) { return Load("ecoli") }, 0, []string{"AAT_ECOLI",
			"0.490000", "0.290000", "0.480000", "0.500000", "0.560000", "0.240000", "0.350000", "cp"}},
		{Car, 1727, []string{"low", "low", "5more", "more", "big", "high", "vgood"}},
		{Iris, 34, []string{"4.900000", "3.100000", "1.500000", "0.100000", "Iris-setosa"}},
	} {
		df := must(t, tc.load)
		for j, want := range tc.want {
			if got := df.Elem(tc.row, j).String(); got != want {
				t.Errorf("row %d, column %d: %q, want %q", tc.row, j, got, want)
			}
		}
	}
}

func TestLoadDataset(t *testing.T) {
	for _, tc := range []struct {
		name     string
		target   []string
		rows, d  int
		classes  []string
		hasReals bool
	}{
		{"car", nil, 1728, 6, []string{"unacc", "acc", "good", "vgood"}, false},
		{"iris", nil, 150, 4, []string{"setosa", "versicolor", "virginica"}, false},
		{"breast", nil, 699, 9, []string{"benign", "malignant"}, false},
		{"synthetic", nil, 178, 2, []string{"0", "1", "2"}, false},
		{"synthetic", []string{"Binary"}, 178, 2, []string{"0", "1"}, false},
		{"hitters", nil, 263, 19, nil, true},
		{"wdbc", nil, 569, 30, []string{"benign", "malignant"}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ds, err := LoadDataset(tc.name, tc.target...)
			if err != nil {
				t.Fatal(err)
			}
			if err := ds.Validate(); err != nil {
				t.Fatal(err)
			}
			if ds.Len() != tc.rows || ds.NumFeatures() != tc.d || !slices.Equal(ds.ClassNames, tc.classes) || (ds.Target != nil) != tc.hasReals {
				t.Errorf("%d×%d, classes %q, %d targets", ds.Len(), ds.NumFeatures(), ds.ClassNames, len(ds.Target))
			}
		})
	}
	if _, err := LoadDataset("iris", "colour"); !errors.Is(err, mlcore.ErrColumn) {
		t.Errorf("unknown target: %v", err)
	}
	if _, err := LoadDataset("irises"); !errors.Is(err, ErrUnknown) {
		t.Errorf("unknown set: %v", err)
	}
}

// A Dataset has the values that the frame of its set has, for each target.
func TestLoadDatasetIsOfTheFrame(t *testing.T) {
	for _, set := range All() {
		for _, target := range set.Targets {
			t.Run(set.Name+" "+target, func(t *testing.T) {
				got, err := LoadDataset(set.Name, target)
				if err != nil {
					t.Fatal(err)
				}
				df, err := Load(set.Name)
				if err != nil {
					t.Fatal(err)
				}
				opts := frame.Options{Name: set.Title, Features: set.Features(), Levels: map[string][]string{}, SkipMissingTarget: true}
				var names []string
				for _, c := range set.Columns {
					if c.Levels != nil && (c.Name == target || slices.Contains(opts.Features, c.Name)) {
						opts.Levels[c.Name] = c.Levels
					}
					if c.Name == target {
						names = c.LevelNames
					}
				}
				opts.Label = target
				if set.Task == Regression {
					opts.Label, opts.Target = "", target
				}
				want, err := frame.ToDataset(df, opts)
				if err != nil {
					t.Fatal(err)
				}
				if names != nil {
					want.ClassNames = names
				}
				for _, ds := range []*mlcore.Dataset{got, want} { // NaN is not equal to itself
					for i := range ds.Len() {
						row := ds.X.RawRowView(i)
						for j, v := range row {
							if v != v {
								row[j] = -1e300
							}
						}
					}
				}
				if !reflect.DeepEqual(got, want) {
					t.Error("they differ")
				}
			})
		}
	}
}

func TestLoadSplit(t *testing.T) {
	for _, tc := range []struct {
		name        string
		train, test int
	}{
		{"income", 11306, 33915}, {"adult", 32561, 16281}, {"letter", 16000, 4000},
	} {
		t.Run(tc.name, func(t *testing.T) {
			train, test, err := LoadSplit(tc.name)
			if err != nil {
				t.Fatal(err)
			}
			if train.Len() != tc.train || test.Len() != tc.test {
				t.Errorf("%d and %d rows, want %d and %d", train.Len(), test.Len(), tc.train, tc.test)
			}
		})
	}
	if _, _, err := LoadSplit("iris"); !errors.Is(err, ErrUnknown) {
		t.Errorf("a set without a split: %v", err)
	}
}

func BenchmarkLoadAdult(b *testing.B) {
	for b.Loop() {
		if df, err := Load("adult"); err != nil || df.Nrow() != 48842 {
			b.Fatal(df.Nrow(), err)
		}
	}
}

func BenchmarkLoadSplitIncome(b *testing.B) {
	for b.Loop() {
		if _, _, err := LoadSplit("income"); err != nil {
			b.Fatal(err)
		}
	}
}
