// Package peers asks other people's libraries the same questions: a training
// set, a test set and a list of models flow in, their scores, predictions and
// times in scikit-learn flow out, so that notebooks and tests can set them beside
// ours.
//
// The comparison runs in Python, which this package looks for (see [Python]).
// Where there is none with scikit-learn, errors wrap [ErrUnavailable] and say how
// to install the pinned versions of requirements.txt.
package peers
