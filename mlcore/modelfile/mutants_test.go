package modelfile_test

import (
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strconv"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
)

// A long run is go test -run TestMutants -mutants 500000 -timeout 1h.
var mutants = flag.Int("mutants", 4000, "how many changed files TestMutants reads")

// Files of every kind, in both forms, with a few random changes each, are refused or
// answer, within the bounds of memory and without a panic. Unlike a fuzzer's, the changes
// are the same in each run, and more often of the kind that a reader may believe: another
// size, part of another file.
func TestMutants(t *testing.T) {
	if !inChild(t) {
		return
	}
	files := fixtureFiles(t, "*.model")
	texts := jsonFixtures(t)
	read := 0
	for i := range *mutants {
		random := rand.New(rand.NewPCG(uint64(i), 1))
		var data []byte
		unmarshal := modelfile.Unmarshal[any]
		if random.IntN(4) > 0 {
			body := slices.Clone(archive.Unsealed(files[i%len(files)]))
			other := archive.Unsealed(files[random.IntN(len(files))])
			for range 1 + random.IntN(3) {
				body = mutated(body, other, random)
			}
			data = archive.Seal(body)
		} else {
			data = slices.Clone(texts[i%len(texts)].text)
			other := texts[random.IntN(len(texts))].text
			for range 1 + random.IntN(3) {
				data = mutatedText(data, other, random)
			}
			unmarshal = modelfile.UnmarshalJSON[any]
		}
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("%v\n%s", p, debug.Stack())
				}
			}()
			decode(t, fmt.Sprintf("mutant %d", i), len(data), func() (any, error) {
				m, err := unmarshal(data)
				if err == nil {
					read++
				}
				return m, err
			})
		}()
		if t.Failed() {
			t.Fatalf("mutant %d: %q", i, data)
		}
	}
	t.Logf("%d of %d are models still", read, *mutants)
	if read == 0 || read == *mutants {
		t.Error("want some of each")
	}
}

// number is what sizes, places and values become.
func number(random *rand.Rand) uint64 {
	small := int64(random.IntN(40)) - 4
	switch random.IntN(5) {
	case 0:
		return uint64(small)
	case 1:
		return uint64(int64(1)<<random.IntN(63) + small)
	case 2:
		return math.Float64bits([]float64{0, 1, -1, 1e308, math.Inf(1), math.NaN(), 1e-300, 0.5}[random.IntN(8)])
	case 3:
		return math.Float64bits(float64(small))
	}
	return random.Uint64()
}

// mutated changes body, at one place.
func mutated(body, other []byte, random *rand.Rand) []byte {
	at := random.IntN(len(body))
	switch random.IntN(7) {
	case 0:
		body[at] ^= 1 << random.IntN(8)
	case 1:
		body[at] = byte(random.IntN(8))
	case 2, 3:
		if at+8 <= len(body) {
			binary.LittleEndian.PutUint64(body[at:], number(random))
		}
	case 4:
		if at+4 <= len(body) {
			binary.LittleEndian.PutUint32(body[at:], uint32(number(random)))
		}
	case 5:
		from := random.IntN(len(other))
		part := other[from:min(len(other), from+1+random.IntN(64))]
		body = slices.Replace(body, at, min(len(body), at+random.IntN(2)*len(part)), part...)
	case 6:
		body = slices.Delete(body, at, min(len(body), at+1+random.IntN(16)))
	}
	return append(body, make([]byte, max(0, 1-len(body)))...)
}

// mutatedText changes a number of text or puts a line of another in the place of one.
func mutatedText(text, other []byte, random *rand.Rand) []byte {
	at := random.IntN(len(text))
	if random.IntN(4) == 0 {
		from := random.IntN(len(other))
		line := other[from : from+lineEnd(other[from:])]
		return slices.Replace(text, at, at+lineEnd(text[at:]), line...)
	}
	digit := func(b byte) bool { return b >= '0' && b <= '9' || b == '.' || b == '-' }
	first := slices.IndexFunc(text[at:], digit)
	if first < 0 {
		return text
	}
	at += first
	end := at + 1
	for end < len(text) && digit(text[end]) {
		end++
	}
	n := number(random)
	with := strconv.FormatInt(int64(n), 10)
	if v := math.Float64frombits(n); random.IntN(3) == 0 && v-v == 0 {
		with = strconv.FormatFloat(v, 'g', -1, 64)
	}
	return slices.Replace(text, at, end, []byte(with)...)
}

// lineEnd is where the first line of text ends.
func lineEnd(text []byte) int {
	if n := slices.Index(text, '\n'); n >= 0 {
		return n
	}
	return len(text)
}
