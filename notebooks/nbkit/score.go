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

	outgrown bool // a case cannot be stopped but with the program
}

// A CaseScore is how one case of a [Check] ended.
type CaseScore struct {
	Name   string `json:"name"`
	Passed bool   `json:"passed"`
	// Unwritten says that the function still is a stub, NoAnswer that it took too long, or
	// all memory.
	Unwritten bool `json:"unwritten,omitempty"`
	NoAnswer  bool `json:"no_answer,omitempty"`
	// Message is what went wrong, and Hint the author's help, both for a failed case only.
	Message string `json:"message,omitempty"`
	Hint    string `json:"hint,omitempty"`
}

// Full says whether there were cases and all of them passed.
func (s Score) Full() bool { return s.Passed == s.Of && s.Of > 0 }

func (s Score) json() string {
	b, err := json.Marshal(s)
	if err != nil { // texts, numbers and truth values always can be written
		panic(err)
	}
	return string(b)
}
