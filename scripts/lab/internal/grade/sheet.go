package grade

// Answers are what a student wrote into one notebook.
type Answers struct {
	// ByID are the sources of the cells of the exercises, by cell id. A cell that is
	// missing was not written.
	ByID map[string]string
	// Extra are the sources of further cells with declarations, in their order.
	Extra []string
}

// A Sheet is how the answers to one notebook were scored, exercise by exercise.
type Sheet struct{ Marks []Mark }

// A Mark is how one exercise was scored.
type Mark struct {
	Exercise int     `json:"exercise"` // its number, from 1
	Title    string  `json:"title"`    // "the error rate"
	Cell     string  `json:"cell"`     // the id of the cell that gives the points
	Points   float64 `json:"points"`   // to two decimals
	Of       float64 `json:"of"`

	State State `json:"state"`
	// Cases are those of the check, in its order, where the state is Scored.
	Cases []Case `json:"cases,omitempty"`
	// Alone are the cases of the same check with the worked answers of the other exercises,
	// if these were tried and others counted: what this answer by itself does.
	Alone []Case `json:"-"`
	// Errors are what the compiler says, or what is not allowed: "line 3 of your cell: …".
	Errors []string `json:"errors,omitempty"`
	// Why is one plain sentence about the mark.
	Why string `json:"why"`
	// With says whose other cells counted.
	With With `json:"with"`
	// Printed is the beginning of what the program printed.
	Printed string `json:"printed,omitempty"`
}

// A Case is how one case of a check ended.
type Case struct {
	Name      string `json:"name"`
	Hidden    bool   `json:"hidden,omitempty"` // the student's copy does not have it
	Passed    bool   `json:"passed"`
	Unwritten bool   `json:"unwritten,omitempty"` // it came to a stub
	Message   string `json:"message,omitempty"`   // what went wrong, in lines
	Hint      string `json:"hint,omitempty"`      // the author's help
}

// A State says how far the scoring of an exercise came.
type State int

const (
	Scored         State = iota // its cases were tried
	NotWritten                  // the cell is as it was handed out, or empty
	DoesNotCompile              // see Errors
	NotAllowed                  // it uses what answers may not use, see Errors
	Stopped                     // the program ended before its first case had: time, memory, exit, panic outside a case
)

var states = [...]string{"scored", "not written", "does not compile", "not allowed", "stopped"}

func (s State) String() string { return states[s] }

// With says whose answers stood in the other cells that an exercise needs.
type With int

const (
	Own       With = iota // the student's
	Reference             // the worked ones
)

func (w With) String() string {
	if w == Reference {
		return "the worked answers of the other exercises"
	}
	return "your own answers to the other exercises"
}
