// Package ensemble makes strong models of many weak or unstable ones: random
// forests, ExtraTrees, bagging of any learner, AdaBoost and voting.
//
// Features and targets flow in through the Fit methods of the configurations
// ([ForestConfig], [ExtraTreesConfig], [BaggingConfig], [AdaBoostConfig],
// [VotingConfig]); out come immutable models that answer like a single one and
// hand out their members.
//
// Members that do not depend on each other are fitted in parallel. Each draws
// from a random stream of its own, so one seed gives one model whatever the
// number of workers. Forests and AdaBoost with trees bin the features once
// ([tree.Bin]) and share the result; a bootstrap sample is a count for each row,
// not a copy of rows.
package ensemble
