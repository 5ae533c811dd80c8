// Package plotx draws with gonum/plot what the library computes: class maps,
// grids of panels, trees and curves, in one theme that the colour-blind can
// read. Data and fitted models flow in, a [Figure] flows out, to be shown in a
// notebook or saved as PNG, PDF or SVG.
package plotx
