// Package ada511 holds what the notebooks of this folder share: trees over
// categories ([Example], [Node], [Bits]) and the diary of the beach ([BeachDays]), the boxes
// of a tree's leaves ([Outline]), means and comparisons over several seeds
// ([MeanCurve], [Verdict], [Race], [SineFamilies]), the pieces that an ensemble is measured with
// ([Spread], [Averaged]); and for Adult Income the settings that the notebooks choose
// by cross-validation, the searches for forests and networks with several seeds
// ([ForestGrids], [NetworkGrids]), tables that compare models on folds and on the test file
// ([OnFolds], [OnTest]), what scikit-learn, LightGBM and XGBoost reach under the same
// protocol ([Peers]), and what decisions with a model of income need ([Parts], [Share]).
package ada511
