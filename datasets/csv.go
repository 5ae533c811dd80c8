package datasets

import (
	"io"

	"github.com/go-gota/gota/dataframe"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/frame"
)

// ReadCSV reads the named columns of a table of commas with a header line as a gota frame,
// as [frame.CSV.Frame] does, which also reads other tables.
func ReadCSV(r io.Reader, columns ...Column) (dataframe.DataFrame, error) {
	return frame.CSV{}.Frame(r, fields(columns)...)
}

// ReadCSVFile is [ReadCSV] for a file, under the rules of [frame.CSV.DatasetFile].
func ReadCSVFile(path string, columns ...Column) (dataframe.DataFrame, error) {
	return frame.CSV{}.FrameFile(path, fields(columns)...)
}

// ReadDataset reads a table of commas with a header line as a Dataset, as
// [frame.CSV.Dataset] does, which also reads other tables.
func ReadDataset(r io.Reader, opts frame.Options) (*mlcore.Dataset, error) {
	return frame.CSV{}.Dataset(r, opts)
}

// ReadDatasetFile is [ReadDataset] for a file, under the rules of [frame.CSV.DatasetFile].
func ReadDatasetFile(path string, opts frame.Options) (*mlcore.Dataset, error) {
	return frame.CSV{}.DatasetFile(path, opts)
}

// ReadRows reads the columns that a fitted model expects from a table of commas with a
// header line, as [frame.CSV.Rows] does, which also reads other tables.
func ReadRows(r io.Reader, model any) (*mlcore.Dataset, error) { return frame.CSV{}.Rows(r, model) }

// ReadRowsFile is [ReadRows] for a file, under the rules of [frame.CSV.DatasetFile].
func ReadRowsFile(path string, model any) (*mlcore.Dataset, error) {
	return frame.CSV{}.RowsFile(path, model)
}
