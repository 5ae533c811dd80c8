// Package archive is the one form in which fitted models are written and read.
// The package of a model registers its type under a stable kind name with a
// function that names the model's fields to a [Coder], once for all directions: the
// same function writes and reads, in binary and in JSON. Models and bytes flow in,
// bytes and models flow out.
//
// A message carries the version of the format and of the library, the Schemas of
// its models, each of them once, and a tree of parts: a part is a model with its
// kind and the version of the kind's fields, and may hold others, as a pipeline
// does. The binary form ends with a CRC-32, so that truncated and altered bytes are
// refused; no length in it is trusted beyond the bytes that are there, and what models
// claim without bytes has a bound for the whole message, see [Coder.Claim].
//
// A [Record] is a model taken apart, for formats of others that are only written.
package archive
