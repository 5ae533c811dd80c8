// Package plotx draws with gonum/plot what the library computes: class maps, trees and
// dendrograms, ROC and learning curves, histories of training, maps of a search, partial
// dependence, diagrams of critical differences and grids of panels, in one theme that
// colour-blind readers can read and that stays readable in a grey print. Data flow in, a
// [Figure] flows out, to be shown in a notebook or saved as PNG, PDF or SVG.
//
// The models and results of the other packages hand their data over through small
// interfaces, such as [Curve] and [TreeClassifier]. This package therefore imports none of
// them, so a program that draws links only the models that it fits, and a type of your own
// with the same methods can be drawn as well.
//
// A [Panel] can be adjusted before it is drawn: [Panel.Rules] and [Panel.Arrows] point
// things out, [Panel.LogX], [Panel.ClipY] and their like change its axes, and [SameAxes]
// lets the panels of a [Grid] be compared.
package plotx
