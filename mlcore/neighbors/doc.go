// Package neighbors predicts from the training rows nearest to a query: k-NN
// classification, and regression by the mean of the neighbours or by a line
// fitted to them. Training rows flow in and are kept; a query flows in and its
// k nearest rows, their vote or their mean flow out (Cover & Hart, 1967, "Nearest
// neighbor pattern classification"; Dudani, 1976, for votes by distance;
// Cleveland, 1979, for lines fitted locally). [Config.Fit] makes an [Index], which finds
// neighbours and predicts nothing. [Pairwise] gives the distances of all pairs of rows, and
// [SpanningTree] the edges that join all rows at the least sum of distances (Prim, 1957,
// "Shortest connection networks and some generalizations").
//
// The rules that make answers unique:
//
//   - Of rows at equal distance the one with the lower index is nearer. Distances
//     are compared before the root is taken.
//   - Of classes with equal votes the lowest code wins.
//   - With [InverseDistance], rows at distance 0 decide alone, as in scikit-learn.
//   - Sample weights multiply votes. A row of weight 2 has two votes but fills one
//     of the k places, unlike two copies of it; a row of weight 0 is treated as
//     absent.
//
// Every search gives the same answers, bit for bit; [Config.Search] only chooses
// how long they take.
package neighbors
