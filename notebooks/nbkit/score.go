package nbkit

import (
	"encoding/json"

	"github.com/mllabs-go/mllabs/notebooks/nbkit/judge"
)

// ScoreMIME is the type under which the message of a [Check] carries its [judge.Score],
// as a text that holds JSON: the kernel's protocol refuses objects there.
const ScoreMIME = "application/vnd.mllabs.score+json"

func marshal(s judge.Score) string {
	b, err := json.Marshal(s)
	if err != nil { // texts, numbers and truth values always can be written
		panic(err)
	}
	return string(b)
}
