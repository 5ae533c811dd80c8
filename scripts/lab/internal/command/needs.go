package command

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
)

// A needer finds out whether what notebooks need can be had, once for each
// thing.
type needer struct {
	*env
	data  map[string]string // a set's name to why it is missing, "" if it is not
	peers *string
}

func (e *env) newNeeder() *needer { return &needer{env: e, data: map[string]string{}} }

// missing says what of a notebook's needs cannot be had, "" if all can. Data
// are downloaded from their homes if they are nowhere on this machine.
func (n *needer) missing(ctx context.Context, needs notebook.Needs) string {
	var lacks []string
	for _, name := range needs.Data {
		why, known := n.data[name]
		if !known {
			why = n.fetch(ctx, name)
			n.data[name] = why
		}
		if why != "" {
			lacks = append(lacks, "data set "+name+" is missing")
		}
	}
	if needs.Peers {
		if n.peers == nil {
			why := ""
			if err := setup.Peers(ctx, n.Project, setup.Options{Log: n.out}); err != nil {
				why = err.Error()
				n.say("set-up: no scikit-learn: %v", err)
			}
			n.peers = &why
		}
		if *n.peers != "" {
			lacks = append(lacks, "Python's scikit-learn is missing")
		}
	}
	return strings.Join(lacks, "; ")
}

// fetch returns why a set cannot be had, "" if it can.
func (n *needer) fetch(ctx context.Context, name string) string {
	if _, err := datasets.Available(name); err == nil {
		return ""
	}
	n.say("data: %s is not on this machine; downloading it", name)
	if err := n.download(ctx, name); err != nil {
		n.say("data: %v", err)
		return err.Error()
	}
	return ""
}

// inCI says whether this run decides over a change, where a notebook that could
// not be run is as bad as one that failed.
func inCI() bool {
	v := os.Getenv("CI")
	return v != "" && v != "0" && v != "false"
}

func plural(n int, what string) string {
	if n == 1 {
		return fmt.Sprintf("%d %s", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}
