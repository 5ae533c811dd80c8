package datasets

import (
	"bytes"

	"github.com/go-gota/gota/series"
)

const (
	uci    = "https://archive.ics.uci.edu/ml/machine-learning-databases/"
	github = "https://raw.githubusercontent.com/"
	own    = github + "mllabs-go/mllabs/main/datasets/files/"

	ccBy4 = "CC BY 4.0"
)

// The layouts of the files.
var (
	comma     = layout{}
	headed    = layout{header: true}
	spaces    = layout{separator: ' '}
	adultTest = layout{clean: func(data []byte) []byte {
		_, rows, _ := bytes.Cut(data, []byte("\n")) // the first line is a remark
		return bytes.ReplaceAll(rows, []byte(".\n"), []byte("\n"))
	}}
)

// A layout says how the bytes of a file are laid out in lines and fields, as [frame.CSV] does.
type layout struct {
	separator rune
	// header says that the first line holds the column names, which are those of the set.
	header bool
	// clean takes away what is not data, or is nil.
	clean func([]byte) []byte
}

// catalogue is in alphabetical order. URLs into other people's repositories name a commit.
var catalogue = []Set{
	{
		Name:        "adult",
		Title:       "Adult (Census Income)",
		Description: "Working adults of the 1994 census of the United States: does income exceed 50,000 dollars a year? Train and test parts as published; the full stops that end the labels of the test part are dropped.",
		Home:        "https://archive.ics.uci.edu/dataset/2/adult",
		Licence:     ccBy4,
		Citation:    "Becker, B. and Kohavi, R. (1996). Adult. UCI Machine Learning Repository. doi:10.24432/C5XW20",
		Files: []File{
			{Name: "adult.data", Part: "train", Size: 3974305, Rows: 32561, layout: comma,
				SHA256: "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d",
				URL:    uci + "adult/adult.data"},
			{Name: "adult.test", Part: "test", Size: 2003153, Rows: 16281, layout: adultTest,
				SHA256: "a2a9044bc167a35b2361efbabec64e89d69ce82d9790d2980119aac5fd7e9c05",
				URL:    uci + "adult/adult.test"},
		},
		Columns: columns(
			ints("age"), missing(texts("workclass")), ints("fnlwgt"), texts("education"), ints("education-num"),
			texts("marital-status"), missing(texts("occupation")), texts("relationship", "race", "sex"),
			ints("capital-gain", "capital-loss", "hours-per-week"), missing(texts("native-country")), texts("income"),
		),
		Targets: []string{"income"},
		Task:    Classification,
	},
	{
		Name:        "breast",
		Title:       "Breast Cancer Wisconsin (Original)",
		Description: "Nine cell features, graded 1 to 10 under the microscope, of 699 tumours. Some patients appear more than once: the id is not a feature and not a key.",
		Home:        "https://archive.ics.uci.edu/dataset/15/breast+cancer+wisconsin+original",
		Licence:     ccBy4,
		Citation:    "Wolberg, W. (1990). Breast Cancer Wisconsin (Original). UCI Machine Learning Repository. doi:10.24432/C5HP4Z",
		Files: []File{
			{Name: "breast-cancer-wisconsin.data", Size: 19889, Rows: 699, layout: comma,
				SHA256: "402c585309c399237740f635ef9919dc512cca12cbeb20de5e563a4593f22b64",
				URL:    uci + "breast-cancer-wisconsin/breast-cancer-wisconsin.data"},
		},
		Columns: columns(
			identifier("id"),
			ints("clump_thickness", "cell_size_uniformity", "cell_shape_uniformity", "marginal_adhesion", "single_epithelial_cell_size"),
			missing(ints("bare_nuclei")), ints("bland_chromatin", "normal_nucleoli", "mitoses"),
			named("class", "2", "benign", "4", "malignant"),
		),
		Targets: []string{"class"},
		Task:    Classification,
	},
	{
		Name:        "car",
		Title:       "Car Evaluation",
		Description: "Every combination of six attributes of a car, judged by a decision model. The copy inside this package is computed from the published model.",
		Home:        "https://archive.ics.uci.edu/dataset/19/car+evaluation",
		Licence:     ccBy4,
		Citation:    "Bohanec, M. (1988). Car Evaluation. UCI Machine Learning Repository. doi:10.24432/C5JP48",
		Files: []File{
			{Name: "car.data", Size: 51867, Rows: 1728, layout: comma,
				SHA256: "b703a9ac69f11e64ce8c223c0a40de4d2e9d769f7fb20be5f8f2e8a619893d83",
				URL:    uci + "car/car.data"},
		},
		Columns: carColumns,
		Targets: []string{"class"},
		Task:    Classification,
	},
	{
		Name:        "ecoli",
		Title:       "Ecoli",
		Description: "Where in the cell of E. coli a protein is found, from seven scores computed from its sequence.",
		Home:        "https://archive.ics.uci.edu/dataset/39/ecoli",
		Licence:     ccBy4,
		Citation:    "Nakai, K. (1996). Ecoli. UCI Machine Learning Repository. doi:10.24432/C5388M",
		Files: []File{
			{Name: "ecoli.data", Size: 19488, Rows: 336, layout: spaces,
				SHA256: "008bd8fbb1d8b34040c3c8c4e987cac2a7ebf116e008b140cc6441be5261ba1d",
				URL:    uci + "ecoli/ecoli.data"},
		},
		Columns: columns(
			identifier("sequence_name"), floats("mcg", "gvh", "lip", "chg", "aac", "alm1", "alm2"), texts("class"),
		),
		Targets: []string{"class"},
		Task:    Classification,
	},
	{
		Name:        "hitters",
		Title:       "Hitters",
		Description: "Baseball players of the 1986 season and their salaries of 1987 in thousands of dollars, without their names; 59 salaries are missing. The values are those of the Python package ISLP 0.6.0, with salaries rounded to three decimals.",
		Home:        "https://github.com/intro-stat-learning/ISLP",
		Licence:     "BSD-3-Clause",
		Citation:    "James, G., Witten, D., Hastie, T., Tibshirani, R. and Taylor, J. (2023). An Introduction to Statistical Learning with Applications in Python. Springer. Python package ISLP 0.6.0",
		Files: []File{
			// scripts/oracles/hitters.py makes this file; it is published in this repository only.
			{Name: "Hitters.csv", Size: 20465, Rows: 322, layout: headed,
				SHA256: "f4ca2cdfbeea35fd60a0237ed057a0dddae079afb870b643628ccd41fac8ea36",
				URL:    own + "Hitters.csv"},
		},
		Columns: columns(
			ints("AtBat", "Hits", "HmRun", "Runs", "RBI", "Walks", "Years",
				"CAtBat", "CHits", "CHmRun", "CRuns", "CRBI", "CWalks"),
			texts("League", "Division"), ints("PutOuts", "Assists", "Errors"), missing(floats("Salary")), texts("NewLeague"),
		),
		Targets: []string{"Salary"},
		Task:    Regression,
	},
	{
		Name:        "income",
		Title:       "Adult Income, nominal",
		Description: "The complete cases of Adult with its eight nominal attributes, shuffled and cut anew for the course ADA511. The test part is the larger, and one country occurs only there.",
		Home:        "https://github.com/pglpm/ADA511",
		Licence:     "CC BY-SA 4.0 (course ADA511), of values under CC BY 4.0 (UCI Adult)",
		Citation:    "Porta Mana, P. G. L. ADA511. doi:10.5281/zenodo.11412835; Becker, B. and Kohavi, R. (1996). Adult. doi:10.24432/C5XW20",
		Files: []File{
			{Name: "train-income_data_nominal_nomissing.csv", Part: "train", Size: 1012042, Rows: 11306, layout: headed,
				SHA256: "ed889a3f9a890d93933e4f5761b6f0e944f38e0dc0b458cc896f0b07063134b0",
				URL:    github + "pglpm/ADA511/0373f17f4a947587f0fbfc827dcc39f9eda82c29/datasets/train-income_data_nominal_nomissing.csv"},
			{Name: "test-income_data_nominal_nomissing.csv", Part: "test", Size: 3038026, Rows: 33915, layout: headed,
				SHA256: "4c2a88e428c30b77de6809483fa2f3aa536a3452aca35ae6f8401e8dc803c871",
				URL:    github + "pglpm/ADA511/0373f17f4a947587f0fbfc827dcc39f9eda82c29/datasets/test-income_data_nominal_nomissing.csv"},
		},
		Columns: columns(
			texts("workclass", "education", "marital_status", "occupation", "relationship", "race", "sex", "native_country", "income"),
		),
		Targets: []string{"income"},
		Task:    Classification,
	},
	{
		Name:        "iris",
		Title:       "Iris",
		Description: "Four lengths of 150 flowers of three species. This is the copy at UCI, which differs from Fisher's table in rows 35 and 38.",
		Home:        "https://archive.ics.uci.edu/dataset/53/iris",
		Licence:     ccBy4,
		Citation:    "Fisher, R. A. (1936). Iris. UCI Machine Learning Repository. doi:10.24432/C56C76",
		Files: []File{
			{Name: "iris.data", Size: 4551, Rows: 150, layout: comma,
				SHA256: "6f608b71a7317216319b4d27b4d9bc84e6abd734eda7872b71a458569e2656c0",
				URL:    uci + "iris/iris.data"},
		},
		Columns: columns(
			floats("sepal_length", "sepal_width", "petal_length", "petal_width"),
			named("class", "Iris-setosa", "setosa", "Iris-versicolor", "versicolor", "Iris-virginica", "virginica"),
		),
		Targets: []string{"class"},
		Task:    Classification,
	},
	{
		Name:        "letter",
		Title:       "Letter Recognition",
		Description: "Sixteen measures, scaled to 0..15, of 20,000 distorted pictures of capital letters. The usual split trains on the first 16,000.",
		Home:        "https://archive.ics.uci.edu/dataset/59/letter+recognition",
		Licence:     ccBy4,
		Citation:    "Slate, D. (1991). Letter Recognition. UCI Machine Learning Repository. doi:10.24432/C5ZP40",
		Files: []File{
			{Name: "letter-recognition.data", Size: 712565, Rows: 20000, layout: comma,
				SHA256: "2b89f3602cf768d3c8355267d2f13f2417809e101fc2b5ceee10db19a60de6e2",
				URL:    uci + "letter-recognition/letter-recognition.data"},
		},
		Columns: columns(
			texts("lettr"),
			ints("x-box", "y-box", "width", "high", "onpix", "x-bar", "y-bar", "x2bar",
				"y2bar", "xybar", "x2ybr", "xy2br", "x-ege", "xegvy", "y-ege", "yegvx"),
		),
		Targets:   []string{"lettr"},
		Task:      Classification,
		trainRows: 16000,
	},
	{
		Name:        "mushroom",
		Title:       "Mushroom",
		Description: "Looks, smell and habitat of 8,124 gilled mushrooms, edible or poisonous. 2,480 values of stalk-root are missing; veil-type is constant.",
		Home:        "https://archive.ics.uci.edu/dataset/73/mushroom",
		Licence:     ccBy4,
		Citation:    "Mushroom (1981). UCI Machine Learning Repository. doi:10.24432/C5959T",
		Files: []File{
			{Name: "agaricus-lepiota.data", Size: 373704, Rows: 8124, layout: comma,
				SHA256: "e65d082030501a3ebcbcd7c9f7c71aa9d28fdfff463bf4cf4716a3fe13ac360e",
				URL:    uci + "mushroom/agaricus-lepiota.data"},
		},
		Columns: columns(
			named("class", "e", "edible", "p", "poisonous"),
			texts("cap-shape", "cap-surface", "cap-color", "bruises", "odor",
				"gill-attachment", "gill-spacing", "gill-size", "gill-color", "stalk-shape"),
			missing(texts("stalk-root")),
			texts("stalk-surface-above-ring", "stalk-surface-below-ring", "stalk-color-above-ring", "stalk-color-below-ring",
				"veil-type", "veil-color", "ring-number", "ring-type", "spore-print-color", "population", "habitat"),
		),
		Targets: []string{"class"},
		Task:    Classification,
	},
	{
		Name:        "synthetic",
		Title:       "Two features, made up",
		Description: "178 points in the plane with a binary and a 3-class label, in the spirit of the lab 3 data: curved borders and some noise. Computed by this package.",
		Home:        "https://github.com/mllabs-go/mllabs",
		Licence:     "MIT",
		Citation:    "mllabs, package datasets",
		Files: []File{
			{Name: "synthetic.csv", Size: 3393, Rows: 178, layout: headed,
				SHA256: "a2170a51563201f58ad2e76ed5f739b0b49d040dc466fcc5523712a2c5f12fe9",
				URL:    own + "synthetic.csv"},
		},
		Columns: planeColumns,
		Targets: []string{"Multi", "Binary"},
		Task:    Classification,
	},
	{
		Name:        "wdbc",
		Title:       "Breast Cancer Wisconsin (Diagnostic)",
		Description: "Thirty real features of the cell nuclei in pictures of 569 tumours: mean, standard error and worst of ten measures.",
		Home:        "https://archive.ics.uci.edu/dataset/17/breast+cancer+wisconsin+diagnostic",
		Licence:     ccBy4,
		Citation:    "Wolberg, W., Mangasarian, O., Street, N. and Street, W. (1993). Breast Cancer Wisconsin (Diagnostic). UCI Machine Learning Repository. doi:10.24432/C5DW2B",
		Files: []File{
			{Name: "wdbc.data", Size: 124103, Rows: 569, layout: comma,
				SHA256: "d606af411f3e5be8a317a5a8b652b425aaf0ff38ca683d5327ffff94c3695f4a",
				URL:    uci + "breast-cancer-wisconsin/wdbc.data"},
		},
		Columns: wdbcColumns(),
		Targets: []string{"diagnosis"},
		Task:    Classification,
	},
	{
		Name:        "week3",
		Title:       "COMP0088 lab 3",
		Description: "178 points in the plane with a binary and a 3-class label: the data of the lab 3 handout.",
		Home:        "https://github.com/comp0088/labs",
		Licence:     "MIT, Copyright (c) 2021 Matthew Caldwell",
		Citation:    "Caldwell, M. COMP0088 labs, University College London",
		Files: []File{
			{Name: "week_3_data.csv", Size: 7560, Rows: 178, layout: headed,
				SHA256: "940dcd7cd9aef52ab95b9ddbca488da8409a0b9dc24698e38b56645b7ec96a03",
				URL:    github + "comp0088/labs/b13ef4bc6be425f72132da8f2418a600af8635ca/week_3_data.csv"},
		},
		Columns: planeColumns,
		Targets: []string{"Multi", "Binary"},
		Task:    Classification,
	},
}

var carColumns = columns(
	levels("buying", "low", "med", "high", "vhigh"),
	levels("maint", "low", "med", "high", "vhigh"),
	levels("doors", "2", "3", "4", "5more"),
	levels("persons", "2", "4", "more"),
	levels("lug_boot", "small", "med", "big"),
	levels("safety", "low", "med", "high"),
	levels("class", "unacc", "acc", "good", "vgood"),
)

var planeColumns = columns(floats("X1", "X2"), ints("Binary", "Multi"))

func wdbcColumns() []Column {
	cols := columns(identifier("id"), named("diagnosis", "B", "benign", "M", "malignant"))
	for _, statistic := range []string{"mean", "se", "worst"} {
		for _, measure := range []string{"radius", "texture", "perimeter", "area", "smoothness",
			"compactness", "concavity", "concave_points", "symmetry", "fractal_dimension"} {
			cols = append(cols, floats(measure+"_"+statistic)...)
		}
	}
	return cols
}

func columns(groups ...[]Column) []Column {
	var all []Column
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

func typed(t series.Type, names []string) []Column {
	cols := make([]Column, len(names))
	for i, name := range names {
		cols[i] = Column{Name: name, Type: t}
	}
	return cols
}

func texts(names ...string) []Column  { return typed(series.String, names) }
func ints(names ...string) []Column   { return typed(series.Int, names) }
func floats(names ...string) []Column { return typed(series.Float, names) }

func identifier(name string) []Column {
	return []Column{{Name: name, Type: series.String, Identifier: true}}
}

func levels(name string, values ...string) []Column {
	return []Column{{Name: name, Type: series.String, Levels: values}}
}

// named is levels with each value followed by what it means.
func named(name string, pairs ...string) []Column {
	c := Column{Name: name, Type: series.String}
	for i := 0; i < len(pairs); i += 2 {
		c.Levels = append(c.Levels, pairs[i])
		c.LevelNames = append(c.LevelNames, pairs[i+1])
	}
	return []Column{c}
}

func missing(cols []Column) []Column {
	for i := range cols {
		cols[i].Missing = true
	}
	return cols
}
