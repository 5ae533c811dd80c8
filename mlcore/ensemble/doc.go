// Package ensemble makes strong models of many weak or unstable ones: random
// forests, ExtraTrees, bagging of any learner, AdaBoost, gradient boosting, voting
// and stacking.
//
// A Dataset flows in through the Fit methods of the configurations ([ForestConfig],
// [ExtraTreesConfig], [BaggingConfig], [AdaBoostConfig], [GradientBoostingConfig],
// [HistBoostingConfig], [VotingConfig], [StackingConfig]); immutable models flow
// out, which predict as a single model does and, except for those of gradient
// boosting, give access to their members.
//
// Members that do not depend on each other are fitted in parallel. Each draws
// from a random stream of its own, so one seed gives one model whatever the
// number of workers. Forests and AdaBoost with trees rank the features once and
// share the result; a bootstrap sample is a count for each row, not a copy of
// rows.
//
// Gradient boosting comes in two kinds. [GradientBoostingConfig] fits the trees of
// package tree to the residuals of any [Loss], as Friedman wrote it down; read
// that one first. [HistBoostingConfig] is for many rows: features are cut into 255
// bins, and splits come from histograms of residuals and curvatures, as in
// LightGBM and XGBoost. Both report the losses of the training and the validation
// rows after each round, can stop when the latter no longer falls, and can predict
// round by round.
package ensemble
