package owndata

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/frame"
)

// Texts reads all columns of a CSV file as texts, so that nothing is guessed about them: a
// number is still written as it is in the file. Missing values are NaN. The columns that
// settings name have to be there.
func Texts(path string, format frame.CSV, settings ...string) (dataframe.DataFrame, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	names, err := header(data, format)
	if err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("%s: %w", path, err)
	}
	for _, name := range settings {
		if !slices.Contains(names, name) {
			return dataframe.DataFrame{}, fmt.Errorf("%s: %w: there is no column %q, only %q; change the settings or the separator",
				path, mlcore.ErrColumn, name, names)
		}
	}
	var fields []frame.Field
	for _, name := range names {
		fields = append(fields, frame.Field{Name: name, Type: series.String, Missing: true})
	}
	return format.FrameFile(path, fields...)
}

// header returns the names in the first line. frame.CSV, which reads the file afterwards,
// reports whatever is wrong with it.
func header(data []byte, format frame.CSV) ([]string, error) {
	if format.Names != nil {
		return format.Names, nil
	}
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\uFEFF"))))
	r.LazyQuotes = true
	if format.Separator == ' ' {
		return nil, fmt.Errorf("%w: a table with spaces between its fields needs frame.CSV{Names: ...}", mlcore.ErrConfig)
	}
	if format.Separator != 0 {
		r.Comma = format.Separator
	}
	names, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("no header line: %w", err)
	}
	for j, name := range names {
		names[j] = strings.TrimSpace(name)
	}
	for j, name := range names { // named as frame.CSV names them
		for k := 0; name == "" && names[j] == ""; k++ {
			if free := fmt.Sprint("X", k); !slices.Contains(names, free) {
				names[j] = free
			}
		}
	}
	return names, nil
}

// text is a value as it is shown. Six digits hide what a change of units does to the last one.
func text(value any) string {
	if x, ok := value.(float64); ok {
		return fmt.Sprintf("%.6g", x)
	}
	return fmt.Sprint(value)
}

// A Column describes one column of a frame.
type Column struct {
	Name      string `table:"column"`
	Missing   int    `table:"missing"`
	Different int    `table:"different values"`
	Examples  string `table:"the most frequent"`
}

// Columns describes the columns of a frame: how many values are missing, how many different
// ones there are, and the four most frequent, texts in quotes.
func Columns(df dataframe.DataFrame) []Column {
	var columns []Column
	for _, name := range df.Names() {
		col := df.Col(name)
		counts, missing := map[string]int{}, 0
		isNaN := col.IsNaN()
		for i := range col.Len() {
			if isNaN[i] {
				missing++
			} else {
				counts[text(col.Val(i))]++
			}
		}
		var texts []string
		for value := range counts {
			texts = append(texts, value)
		}
		slices.SortFunc(texts, func(a, b string) int {
			if counts[a] != counts[b] {
				return counts[b] - counts[a]
			}
			return strings.Compare(a, b)
		})
		for i, value := range texts[:min(4, len(texts))] {
			verb := "%s (%d)"
			if col.Type() == series.String {
				verb = "%q (%d)"
			}
			texts[i] = fmt.Sprintf(verb, value, counts[value])
		}
		examples := strings.Join(texts[:min(4, len(texts))], ", ")
		columns = append(columns, Column{name, missing, len(texts), examples})
	}
	return columns
}
