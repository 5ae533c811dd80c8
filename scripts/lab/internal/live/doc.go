// Package live computes the live figures of the site: the points that a reader sees and
// moves, and the settings of a model, flow in; what the model makes of the plane flows out.
// It is the library, mlcore, that learns, so a figure shows what a notebook shows for the
// same points, settings and seed: the classes of a map are those of plotx.ClassMap, cell by
// cell.
//
// The program in folder module makes a WebAssembly module of it, apart from the engine that
// compiles cells, so that figures move at once. The site's scripts in web/live draw what it
// answers.
package live
