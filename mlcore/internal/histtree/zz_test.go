package histtree

import (
	"fmt"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
)

func BenchmarkPulls(b *testing.B) {
	const n = 500_000
	rng := mlcore.NewRand(1)
	var words [3][]uint64
	for k := range words {
		words[k] = make([]uint64, n)
		for i := range words[k] {
			for j := range 8 {
				words[k][i] |= uint64(rng.IntN(255)) << (8 * j)
			}
		}
	}
	pulls := make([]Pull, n)
	for i := range pulls {
		pulls[i] = Pull{float32(rng.NormFloat64()), 0.25}
	}
	s := newScale(n, 10, 0.25)
	f := s.fixing()
	for _, every := range []int{1, 2, 5, 20} {
		var rows []int32
		for i := range n {
			if rng.IntN(every) == 0 {
				rows = append(rows, int32(i))
			}
		}
		hist := make(histogram, 3)
		for _, c := range []struct {
			name  string
			parts [][3]int
		}{{"884", [][3]int{{0, 0, 8}, {1, 0, 8}, {2, 0, 4}}}, {"44444", [][3]int{{0, 0, 4}, {0, 4, 8}, {1, 0, 4}, {1, 4, 8}, {2, 0, 4}}}} {
			b.Run(fmt.Sprint(every, "/", c.name), func(b *testing.B) {
				for b.Loop() {
					for from := 0; from < len(rows); from += 4096 {
						to := min(len(rows), from+4096)
						for _, p := range c.parts {
							hist[p[0]].addPulls(p[1], p[2], words[p[0]], rows[from:to], pulls, &f)
						}
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(rows)*20), "ns/cell")
			})
		}
	}
}
