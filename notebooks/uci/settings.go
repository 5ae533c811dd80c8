package uci

import "github.com/mllabs-go/mllabs/mlcore/bayes"

// Numbers that the report does not give and that are the same for every set.
const (
	// treeShare of the rows for each tree is the report's "one third of the
	// overall dataset".
	treeShare = 1. / 3
	// Bags is the number of bagged naive Bayes models.
	Bags = 15
	// Neighbours is k of k-NN, scikit-learn's default.
	Neighbours = 5
)

// DefaultSettings are those of the experiment. From the report are the algorithms
// themselves, the third of the rows for a tree, and [bayes.AttributeCount], the
// literal reading of its equation 6. It leaves open how many trees, attributes,
// rounds, bags and neighbours there are. Those below are round numbers chosen once
// by a look at Table 2, so that agreement with it says nothing about them;
// [Runs.Audit] tells which cells they bring near.
func DefaultSettings(s Set) Settings {
	c := Settings{
		Trees: 50, TreeShare: treeShare, Rounds: 50,
		Bags: Bags, BagShare: treeShare, Neighbours: Neighbours,
		Smoothing: bayes.AttributeCount,
	}
	switch s {
	case Car:
		c.TreeAttributes, c.Rounds, c.BagShare = 5, 10, 1./20
	case Breast:
		c.TreeAttributes = 3
	case Ecoli:
		c.TreeAttributes, c.Rounds = 6, 100
	case Mushroom:
		c.Trees, c.TreeAttributes, c.Rounds = 20, 10, 5
	case Letter:
		c.Trees, c.TreeAttributes, c.Rounds, c.BagShare = 20, 3, 45, 1./10
	}
	return c
}
