// Package isotonic is regression by a function that never falls, or never rises: the
// rows of a single column and their targets flow into a [Config], and the monotone
// function that is nearest to them, in the sense of least squares, flows out as a
// [Model]. Between the training values it is a straight line.
//
// The fit is exact, by pooling adjacent violators (Ayer, Brunk, Ewing, Reid & Silverman,
// 1955, "An empirical distribution function for sampling with incomplete information";
// Barlow, Bartholomew, Bremner & Brunk, 1972), in time n log n.
package isotonic
