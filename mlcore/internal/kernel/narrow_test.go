package kernel

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// plainly runs f with the assembly, where this processor has it, and without.
func plainly(t *testing.T, f func(t *testing.T)) {
	if useWide {
		t.Run("wide", f)
		setWide(false)
		defer setWide(true)
	}
	t.Run("narrow", f)
	if useNarrow {
		setNarrow(false)
		defer setNarrow(true)
		t.Run("Go", f)
	}
}

// The oracle is exact arithmetic, in numbers with digits enough: scores are wrong by no more than d+2
// roundings to float32 may bring about, and the marks are those of the scores.
func TestTops(t *testing.T) {
	plainly(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		for trial := range 40 {
			d, k, n := 1+rng.IntN(40), 1+rng.IntN(20), 1+rng.IntN(40)
			if trial == 0 {
				d, k, n = 200, 300, 17
			}
			points, offsets := make([]float64, k*d), make([]float64, k)
			for at := range points {
				points[at] = float64(float32(rng.NormFloat64()))
			}
			for at := range offsets {
				offsets[at] = float64(float32(rng.NormFloat64()))
			}
			if k > 2 { // a tie
				copy(points[2*d:3*d], points[:d])
				offsets[2] = offsets[0]
			}
			var s Scorer
			s.Set(points, offsets, d)
			panels, rows := make([]float32, PanelSize(n, d)), make([][]float64, n)
			for i := range rows {
				rows[i] = make([]float64, d)
				for j := range rows[i] {
					rows[i][j] = float64(float32(rng.NormFloat64()))
				}
				FillPanel(panels, i, rows[i])
			}
			tops := make([]Top, PanelSize(n, 1)/PanelRows)
			marks := make([]uint32, len(tops))
			was, length := make([]int32, PanelSize(n, 1)), make([]float32, PanelSize(n, 1))
			for i := range was {
				was[i], length[i] = int32(rng.IntN(k)), rng.Float32()
			}
			const slope, beyond = 0.5, 0.25
			s.Tops(tops, marks, panels, was, length, slope, beyond)
			for i, row := range rows {
				top, r := &tops[i/PanelRows], i%PanelRows
				scores := make([]float64, k)
				for c := range scores {
					exact, size := new(big.Float).SetPrec(500).SetFloat64(offsets[c]), math.Abs(offsets[c])
					for j, v := range row {
						exact.Add(exact, big.NewFloat(v*points[c*d+j])) // of float32, exact
						size += math.Abs(v * points[c*d+j])
					}
					scores[c], _ = exact.Float64()
					off := float64(d+2) * 0x1p-24 * size
					if got := float64(top.Most[r]); scores[c] > got+off {
						t.Fatalf("d %d, k %d, row %d: the greatest score is %v, that of point %d is %v", d, k, i, got, c, scores[c])
					}
					if int32(c) == top.Best[r] && math.Abs(float64(top.Most[r])-scores[c]) > off {
						t.Fatalf("d %d, k %d, row %d: score %v of point %d, want %v", d, k, i, top.Most[r], c, scores[c])
					}
				}
				best := int(top.Best[r])
				others := slices.Delete(slices.Clone(scores), best, best+1)
				next := math.Inf(-1)
				if k > 1 {
					next = slices.Max(others)
				}
				if got := float64(top.Next[r]); got != next && math.Abs(got-next) > float64(d+2)*0x1p-24*200*float64(d) {
					t.Fatalf("d %d, k %d, row %d: the next score is %v, want %v", d, k, i, got, next)
				}
				if k > 2 && best == 2 {
					t.Fatalf("row %d: the second of two equal scores won", i)
				}
				doubt := !(top.Most[r]-top.Next[r] > float32(slope*length[i])+beyond)
				if got := marks[i/PanelRows]>>(PanelRows+r)&1 != 0; got != doubt {
					t.Fatalf("row %d: doubt %v with scores %v and %v", i, got, top.Most[r], top.Next[r])
				}
				if got := marks[i/PanelRows]>>r&1 != 0; got != (top.Best[r] != was[i]) {
					t.Fatalf("row %d: change %v from %d to %d", i, got, was[i], best)
				}
			}
		}
	})
}

// A Scorer that is set anew forgets what it was, though it needs as much room: here two
// tiles of five columns, and then three of three.
func TestScorerIsSetAnew(t *testing.T) {
	plainly(t, func(t *testing.T) {
		var s Scorer
		for _, size := range []struct{ d, k int }{{5, 8}, {3, 9}} {
			s.Set(randoms(size.d*size.k, 1), make([]float64, size.k), size.d)
			panels, tops := make([]float32, PanelSize(1, size.d)), make([]Top, 1)
			FillPanel(panels, 0, make([]float64, size.d))
			s.Tops(tops, make([]uint32, 1), panels, make([]int32, PanelRows), make([]float32, PanelRows), 0, 0)
			if tops[0].Best[0] != 0 || tops[0].Most[0] != 0 || tops[0].Next[0] != 0 {
				t.Errorf("%+v: point %d with %v and then %v; all have 0", size, tops[0].Best[0], tops[0].Most[0], tops[0].Next[0])
			}
		}
	})
}

// A row that float32 cannot hold has an infinite length and is in doubt, whatever its
// scores are.
func TestTopsOfHugeRows(t *testing.T) {
	plainly(t, func(t *testing.T) {
		var s Scorer
		s.Set([]float64{1, -1, 3, 2}, []float64{0, 0}, 2)
		panels, length := make([]float32, PanelSize(3, 2)), make([]float32, PanelRows)
		for i, row := range [][]float64{{1e300, 1e300}, {math.Inf(1), 0}, {math.NaN(), 1}} {
			FillPanel(panels, i, row)
			length[i] = float32(math.Inf(1))
		}
		marks := make([]uint32, 1)
		s.Tops(make([]Top, 1), marks, panels, make([]int32, PanelRows), length, 1e-6, 1e-6)
		if marks[0]>>PanelRows&7 != 7 {
			t.Errorf("marks %b: a row is not in doubt", marks[0])
		}
	})
}

// The oracle is the definition, in whole numbers.
func TestBytePanels(t *testing.T) {
	plainly(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 4))
		for _, d := range []int{1, 2, 3, 16, 17, 64, 300, 700} {
			for _, top := range []int{0, 1, 15, 127} {
				for _, squared := range []bool{true, false} {
					n := 1 + rng.IntN(150)
					p, rows := NewBytePanels(n, d), make([][]int, n)
					for i := range rows {
						rows[i] = make([]int, d)
						for j := range rows[i] {
							rows[i][j] = rng.IntN(top + 1)
							p.Set(i, j, uint8(rows[i][j]))
						}
					}
					var q ByteQuery
					q.Reset(p)
					query := make([]int, d)
					for j := range query {
						query[j] = rng.IntN(2) * top
						q.Set(j, uint8(query[j]))
					}
					want := make([]int16, n)
					for i, row := range rows {
						sum := 0
						for j, v := range row {
							diff := max(v-query[j], query[j]-v)
							if squared {
								diff *= diff
							}
							sum += diff
						}
						want[i] = int16(min(sum, math.MaxInt16))
					}
					most := slices.Min(want) + int16(rng.IntN(3))
					if most < 0 || d == 3 {
						most = math.MaxInt16
					}
					var got []int
					end := (n + BytePanelRows - 1) / BytePanelRows
					for at := 0; at < end; at++ {
						var within uint32
						if at, within = p.Next(&q, at, end, squared, most); at == end {
							break
						}
						for r := range BytePanelRows {
							i := at*BytePanelRows + r
							if i < n && q.Distances[r] != want[i] {
								t.Fatalf("d %d up to %d, row %d: distance %d, want %d", d, top, i, q.Distances[r], want[i])
							}
							if within>>r&1 != 0 && i < n {
								got = append(got, i)
							}
						}
					}
					var all []int
					for i, v := range want {
						if v <= most {
							all = append(all, i)
						}
					}
					if !slices.Equal(got, all) {
						t.Fatalf("d %d up to %d: rows %v within %d, want %v", d, top, got, most, all)
					}
				}
			}
		}
	})
}

// Numbers that float32 adds without rounding, so that the definition is the oracle. The
// limit is (2 + 3·longest)²·4, of sizes without the square.
func TestSinglePanels(t *testing.T) {
	plainly(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(5, 6))
		for _, d := range []int{1, 2, 3, 15, 16, 31, 32, 33, 64, 65, 97, 200} {
			for _, sizes := range []bool{false, true} {
				n := 1 + rng.IntN(120)
				p, rows := NewSinglePanels(n, d), make([][]float64, n)
				next, long := p.Next, int(math.Sqrt(float64(d)))
				if sizes {
					next, long = p.NextAbsolute, d
				}
				longest := make([]float64, (n+PanelRows-1)/PanelRows)
				for i := range rows {
					rows[i] = make([]float64, d)
					for j := range rows[i] {
						rows[i][j] = float64(rng.IntN(41) - 20)
					}
					length := float64(rng.IntN(1 + long))
					p.Set(i, rows[i], float32(length))
					longest[i/PanelRows] = max(longest[i/PanelRows], length)
				}
				q, query := make([]float32, d), make([]float64, d)
				for j := range q {
					query[j] = float64(rng.IntN(41) - 20)
					q[j] = float32(query[j])
				}
				var want, nearest []int
				least := math.Inf(1)
				for i, row := range rows {
					reach, squares, sum := 2+3*longest[i/PanelRows], 0.0, 0.0
					for j, v := range row {
						squares += (v - query[j]) * (v - query[j])
						sum += math.Abs(v - query[j])
					}
					if sizes && sum <= reach*4 || !sizes && squares <= reach*reach*4 {
						want = append(want, i)
					}
					if sizes {
						squares = sum
					}
					if squares < least {
						least, nearest = squares, nil
					}
					if squares == least {
						nearest = append(nearest, i)
					}
				}
				within := func(limit *SingleLimit) (found []int) {
					for at := 0; at < len(longest); at++ {
						var within uint32
						if at, within = next(q, at, len(longest), limit); at == len(longest) {
							break
						}
						for r := range PanelRows {
							if i := at*PanelRows + r; within>>r&1 != 0 && i < n {
								found = append(found, i)
							}
						}
					}
					return found
				}
				if got := within(&SingleLimit{Radius: 2, Error: 3, Slack: 4}); !slices.Equal(got, want) {
					t.Errorf("d %d, sizes %v: rows %v, want %v", d, sizes, got, want)
				}
				if got := within(&SingleLimit{Radius: 1, Slack: float32(least)}); !slices.Equal(got, nearest) {
					t.Errorf("d %d, sizes %v: rows %v at the limit, want %v", d, sizes, got, nearest)
				}
				if at, within := next(q, 0, 1, &SingleLimit{Radius: float32(math.Inf(1)), Slack: 1}); at != 0 || within != 1<<PanelRows-1 {
					t.Errorf("d %d, sizes %v: without a limit panel %d and %b", d, sizes, at, within)
				}
			}
		}
	})
}

// The oracle is arithmetic of whole numbers, which float32 holds: sums are exact, and some
// equal what they are compared with.
func TestSinglesWithin(t *testing.T) {
	plainly(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(11, 12))
		for trial := range 60 {
			d, n, queries := 1+rng.IntN(70), 1+rng.IntN(200), 1+rng.IntN(30)
			p, s := NewSinglePanels(n, d), NewSingleQueries(queries, d)
			rows, halves := make([][]float64, n), make([]int, n)
			for i := range rows {
				rows[i] = wholes(rng, d)
				halves[i] = rng.IntN(400) - 200
				p.Set(i, rows[i], 1)
				p.SetHalf(i, float32(halves[i]))
			}
			qs, thresholds := make([][]float64, queries), make([]int, queries)
			single := make([]float32, d)
			for i := range qs {
				qs[i] = wholes(rng, d)
				thresholds[i] = rng.IntN(200) - 100
				for j, v := range qs[i] {
					single[j] = float32(v)
				}
				s.Set(i, single)
				if i > 0 || queries == 1 { // one keeps its threshold, which lets no row pass
					s.SetThreshold(i, float32(thresholds[i]))
				}
			}
			panels := PanelSize(n, 1) / PanelRows
			first := rng.IntN(panels) &^ 1
			const step = 14
			masks := make([]uint16, s.Room()*step)
			asked := 1 + rng.IntN(queries)
			p.Within(s, asked, first, panels, masks, step)
			sums := make([]float32, len(masks)*PanelRows)
			p.Sums(s, asked, first, panels, sums, step)
			for i, q := range qs[:asked] {
				for at := first * PanelRows; at < panels*PanelRows; at++ {
					want, k := false, at/PanelRows-first
					if at < n && (i > 0 || queries == 1) {
						sum := float64(thresholds[i])
						for j, v := range q {
							sum += v * rows[at][j]
						}
						want = sum >= float64(halves[at])
						if got := sums[(i*step+k)*PanelRows+at%PanelRows]; float64(got) != sum {
							t.Fatalf("trial %d, d %d: query %d of %d and row %d of %d from panel %d on: the sum is %v, want %v", trial, d, i, queries, at, n, first, got, sum)
						}
					}
					if got := masks[i*step+k]>>(at%PanelRows)&1 != 0; got != want {
						t.Fatalf("trial %d, d %d: query %d of %d and row %d of %d from panel %d on: %t, want %t", trial, d, i, queries, at, n, first, got, want)
					}
					if at >= n {
						continue
					}
					sum := float64(thresholds[i])
					if i == 0 && queries > 1 {
						sum = math.Inf(-1)
					}
					for j, v := range q {
						sum += v * rows[at][j]
					}
					if got := float64(sums[(i*step+k)*PanelRows+at%PanelRows]); got != sum {
						t.Fatalf("trial %d, d %d: query %d of %d and row %d of %d from panel %d on: sum %v, want %v", trial, d, i, queries, at, n, first, got, sum)
					}
				}
			}
		}
	})
}

// A sum that is not a number is not beyond a limit, nor less than a half: its row stays a
// candidate, in every place of a panel, though all others are far away.
func TestNaNIsNotBeyond(t *testing.T) {
	plainly(t, func(t *testing.T) {
		for _, d := range []int{1, 2, 3, 33, 66} {
			for _, column := range []int{0, d / 2, d - 1} {
				for r := range PanelRows {
					for _, value := range []float64{math.NaN(), math.Inf(1)} {
						p, q := NewSinglePanels(PanelRows, d), make([]float32, d)
						for i := range PanelRows {
							row := slices.Repeat([]float64{1000}, d)
							if i == r {
								clear(row)
								row[column] = value
							}
							p.Set(i, row, 1)
							p.SetHalf(i, 1e30)
						}
						if math.IsInf(value, 1) {
							q[column] = float32(value) // and their difference is not a number
						}
						for name, next := range map[string]func([]float32, int, int, *SingleLimit) (int, uint32){"squares": p.Next, "sizes": p.NextAbsolute} {
							if at, within := next(q, 0, 1, &SingleLimit{Radius: 1, Slack: 1}); at != 0 || within != 1<<r {
								t.Fatalf("d %d, %v in row %d, column %d: %s: panel %d, rows %b", d, value, r, column, name, at, within)
							}
						}
						s, masks := NewSingleQueries(1, d), make([]uint16, 2*queriesInTile)
						s.Set(0, make([]float32, d)) // 0 times value
						s.SetThreshold(0, 0)
						if p.Within(s, 1, 0, 1, masks, 2); masks[0] != 1<<r {
							t.Fatalf("d %d, %v in row %d, column %d: products: rows %b", d, value, r, column, masks[0])
						}
					}
				}
			}
		}
	})
}

func wholes(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for j := range x {
		x[j] = float64(rng.IntN(41) - 20)
	}
	return x
}

// The sums are those of adding rows one after the other, to the bit.
func TestAddRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for d := 1; d < 40; d++ {
		n, k := 30, 4
		x := randoms(n*d, uint64(d))
		var rows, groups []int32
		for range 2 * n {
			rows, groups = append(rows, int32(rng.IntN(n))), append(groups, int32(rng.IntN(k)))
		}
		got, want := randoms(k*(d+1), uint64(d), 1), randoms(k*(d+1), uint64(d), 1)
		AddRows(got, d+1, x, d, rows, groups)
		for i, r := range rows {
			for j := range d {
				want[int(groups[i])*(d+1)+j] += x[int(r)*d+j]
			}
		}
		if !sameBits(got, want) {
			t.Errorf("d %d: %v, want %v", d, got, want)
		}
	}
}

func TestMaxAbs(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, tc := range []struct {
		x    []float64
		want float64
	}{
		{nil, 0}, {[]float64{math.Copysign(0, -1)}, 0}, {[]float64{1, -3, 2}, 3}, {[]float64{1, 2, 3, 4, -5}, 5},
		{[]float64{1, 2, 3, -1e308, 5, 6}, 1e308}, {[]float64{0, -5e-324, 0, 0}, 5e-324}, {[]float64{1, 2, -inf, 3}, inf}, {[]float64{inf, nan, 1, 2, 3}, nan},
	} {
		if got := MaxAbs(tc.x); got != tc.want && !(got != got && tc.want != tc.want) {
			t.Errorf("MaxAbs(%v) = %v, want %v", tc.x, got, tc.want)
		}
	}
}

func TestMax(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, tc := range []struct {
		x    []float64
		want float64
	}{
		{nil, -inf}, {[]float64{-3, -1, -2}, -1}, {[]float64{1, 5, 2, 3, 4}, 5}, {[]float64{-inf, -inf}, -inf}, {[]float64{2, inf, 3}, inf},
		{[]float64{1, nan, 2}, nan}, {[]float64{nan, 1}, nan}, {[]float64{1, 2, 3, 4, nan}, nan},
	} {
		if got := Max(tc.x); got != tc.want && !(got != got && tc.want != tc.want) {
			t.Errorf("Max(%v) = %v, want %v", tc.x, got, tc.want)
		}
	}
	if zero := Max([]float64{math.Copysign(0, -1)}); math.Signbit(zero) {
		t.Error("the greatest zero has a sign")
	}
}

func TestNonZeros(t *testing.T) {
	for _, tc := range []struct {
		x    []float64
		want []int32
	}{
		{nil, nil}, {[]float64{0, math.Copysign(0, -1)}, nil}, {[]float64{0, 2, 0, 0, -1, 5e-324}, []int32{1, 4, 5}}, {[]float64{math.NaN(), 0, math.Inf(-1)}, []int32{0, 2}},
	} {
		places := make([]int32, len(tc.x))
		if got := places[:NonZeros(places, tc.x)]; !slices.Equal(got, tc.want) {
			t.Errorf("NonZeros(%v) = %v, want %v", tc.x, got, tc.want)
		}
	}
}

func TestRoundUp(t *testing.T) {
	for _, v := range []float64{0, 1, 1 + 0x1p-30, -1 - 0x1p-30, 0.1, 1e-50, math.MaxFloat64, math.Inf(1)} {
		f := RoundUp(v)
		if below := math.Nextafter32(f, float32(math.Inf(-1))); float64(f) < v || float64(below) >= v {
			t.Errorf("RoundUp(%v) = %v", v, f)
		}
	}
}

// The nearest of 26 centres for 512 rows.
func BenchmarkTops(b *testing.B) {
	for _, d := range []int{4, 16, 64} {
		b.Run(fmt.Sprint(d), func(b *testing.B) {
			var s Scorer
			s.Set(randoms(26*d, 1), randoms(26, 2), d)
			panels, n := make([]float32, PanelSize(512, d)), 512/PanelRows
			for i := range 512 {
				FillPanel(panels, i, randoms(d, uint64(i)))
			}
			tops, marks, was, length := make([]Top, n), make([]uint32, n), make([]int32, 512), make([]float32, 512)
			for b.Loop() {
				s.Tops(tops, marks, panels, was, length, 1e-6, 1e-6)
			}
		})
	}
}

// A query that compares itself with 16,000 rows of 16 columns.
func BenchmarkNextBytes(b *testing.B) {
	p := NewBytePanels(16_000, 16)
	for i := range 16_000 {
		for j := range 16 {
			p.Set(i, j, uint8((i+j)%16))
		}
	}
	var q ByteQuery
	q.Reset(p)
	end := p.count
	for b.Loop() {
		if at, _ := p.Next(&q, 0, end, true, 100); at != end {
			b.Fatal(at)
		}
	}
}

func BenchmarkNextSingles(b *testing.B) {
	p := NewSinglePanels(16_000, 16)
	for i := range 16_000 {
		p.Set(i, randoms(16, uint64(i)), 1)
	}
	q := make([]float32, 16)
	for j := range q {
		q[j] = 100
	}
	end := len(p.longest)
	for b.Loop() {
		if at, _ := p.Next(q, 0, end, &SingleLimit{Radius: 1, Slack: 1}); at != end {
			b.Fatal(at)
		}
	}
}

// 48 queries that compare themselves with 1,024 rows.
func BenchmarkSinglesWithin(b *testing.B) {
	for _, d := range []int{20, 100, 1000} {
		b.Run(fmt.Sprint(d), func(b *testing.B) {
			p, s := NewSinglePanels(1024, d), NewSingleQueries(48, d)
			for i := range 1024 {
				p.Set(i, randoms(d, uint64(i)), 1)
			}
			masks := make([]uint16, 48*64)
			b.SetBytes(int64(48 * 1024 * d))
			for b.Loop() {
				p.Within(s, 48, 0, 64, masks, 64)
			}
		})
	}
}

func BenchmarkAddRows(b *testing.B) {
	x, sums, rows, groups := randoms(512*16, 1), make([]float64, 26*17), make([]int32, 512), make([]int32, 512)
	for i := range rows {
		rows[i], groups[i] = int32(i), int32(i*7%26)
	}
	for b.Loop() {
		AddRows(sums, 17, x, 16, rows, groups)
	}
}
