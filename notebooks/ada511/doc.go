// Package ada511 holds what the notebooks of this folder share: trees over
// categories ([Example], [Node]) and the diary of the beach ([BeachDays]), the boxes
// of a tree's leaves ([Outline]), means and comparisons over several seeds
// ([MeanCurve], [Verdict], [Race]), the pieces that an ensemble is measured with
// ([Spread], [MakeEchoes]); and for Adult Income the settings that the notebooks choose
// by cross-validation, the search for networks with several seeds ([NetworkGrids]), and
// what scikit-learn, LightGBM and XGBoost reach under the same protocol ([Peers]).
package ada511
