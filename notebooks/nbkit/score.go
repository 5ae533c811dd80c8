package nbkit

import "encoding/json"

// ScoreMIME is the type under which the message of a [Check] carries its [Score],
// as a text that holds JSON: the kernel's protocol refuses objects there.
const ScoreMIME = "application/vnd.mllabs.score+json"

// A Score is how a [Check] ended.
type Score struct {
	Title  string      `json:"title"`
	Passed int         `json:"passed"`
	Of     int         `json:"of"`
	Cases  []CaseScore `json:"cases"`
}

// A CaseScore is how one case of a [Check] ended.
type CaseScore struct {
	Name   string `json:"name"`
	Passed bool   `json:"passed"`
}

func (s Score) json() string {
	b, err := json.Marshal(s)
	if err != nil { // texts, numbers and truth values always can be written
		panic(err)
	}
	return string(b)
}
