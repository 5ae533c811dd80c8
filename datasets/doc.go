// Package datasets is the catalogue of the course's data. A short name flows
// in; a checked gota frame with named and typed columns flows out, or a Dataset:
//
//	df, err := datasets.Load("ecoli")
//	train, test, err := datasets.LoadSplit("income") // as mlcore Datasets
//
// [All] lists the sets. Every file is pinned by its size and SHA-256 and
// checked whichever way it came. A file is looked for in this order:
//
//  1. the folder that the environment variable MLLABS_DATASETS names;
//  2. the copy inside this package (car, iris and synthetic have one);
//  3. datasets/files in the checkout of this module, which contains all of them, or,
//     for a program that is built elsewhere, mllabs/datasets in the user's cache folder.
//
// If a file is in none of them, the error says how to fetch it into the third. Package
// download does that, so that a program which only reads data need not link the
// network. NOTICE.md in this folder lists the authors and licences of the data.
//
// [frame.CSV] reads a table of your own; [ReadDatasetFile] is short for it. The Make
// functions draw the courses' made-up data from a seed.
package datasets
