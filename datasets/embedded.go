package datasets

import (
	"embed"
	"sync"
)

// iris.data is the file at UCI; synthetic.csv is what syntheticCSV computes.
//
//go:embed files/iris.data files/synthetic.csv
var embedded embed.FS

var carOnce = sync.OnceValue(carData)

// embeddedFile returns the copy of a file inside this package. Where there is
// none, the error wraps fs.ErrNotExist.
func embeddedFile(name string) ([]byte, error) {
	if name == "car.data" {
		return carOnce(), nil
	}
	return embedded.ReadFile("files/" + name)
}
