// Package plotx draws with gonum/plot what the library computes: class maps,
// trees, ROC and learning curves, histories of training, maps of a search,
// diagrams of critical differences and grids of panels, in one theme that the
// colour-blind can read. Data and fitted models flow in, a [Figure] flows out, to be shown in a
// notebook or saved as PNG, PDF or SVG.
package plotx
