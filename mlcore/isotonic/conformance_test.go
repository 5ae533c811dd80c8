package isotonic_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/isotonic"
	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
)

func TestConformance(t *testing.T) {
	mlcoretest.Regressor(t, mlcoretest.Traits{OneColumn: true}, func(int) isotonic.Config { return isotonic.Config{} })
}
