// Package modelfile saves and loads fitted models of every kind: a single model, a
// pipeline, an ensemble of anything. Models flow in and files flow out, and back;
// predictions of a loaded model are bit-equal.
//
//	err := modelfile.Save("income.model", forest)
//	forest, err := modelfile.Load[*ensemble.Forest]("income.model")
//	any, err := modelfile.Load[mlcore.Classifier]("income.model")
//
// A file carries what its numbers mean: the kind of each model, the columns with
// their levels and what becomes of unknown categories, the class names, the
// versions of format and library, and a checksum. A file of an older release stays
// readable. The program that loads a model imports the packages of its parts, if
// only so that they are registered, or all of them at once:
//
//	import _ "github.com/mllabs-go/mllabs/mlcore/all"
//
// A file can be had from anywhere: it takes memory by its length. Loading b bytes takes at
// most 64 MiB + 256 b bytes, and a prediction of n rows of d columns at most
// 16 MiB + n (1 MiB + 512 b + 512 d), garbage included. What a file would claim beyond
// that, such as a million classes that it has no names for, is refused as corrupt. [Save]
// does not write such a file.
//
// [MarshalJSON] and [UnmarshalJSON] write and read a form that a person can read.
// Metrics, kernels and losses that are Go functions of the caller cannot be saved.
package modelfile
