// Package frame is the bridge between gota frames, in which data are looked at,
// and [mlcore.Dataset], from which models learn. A frame flows in and codes,
// numbers and the names that make them readable flow out; [ToGota] goes back.
// Values that are in slices come as plain columns, without a frame ([FromColumns]), and a
// [CSV] reads those of a file:
//
//	ds, err := frame.CSV{}.DatasetFile("flats.csv", frame.Options{Label: "sold"})
//
// An [Encoder] is fitted to the training frame and applied to others, so that a
// code means the same category in all of them.
package frame
