package datasets

import (
	"embed"
	"sync"
)

// iris.data is the file at UCI; synthetic.csv is what syntheticCSV computes.
//
//go:embed embedded/iris.data embedded/synthetic.csv
var embedded embed.FS

var carOnce = sync.OnceValue(carData)

// embeddedFile returns the copy of a file inside this package, and whether
// there is one.
func embeddedFile(name string) ([]byte, bool) {
	if name == "car.data" {
		return carOnce(), true
	}
	data, err := embedded.ReadFile("embedded/" + name)
	return data, err == nil
}
