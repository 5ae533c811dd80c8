// Package submission finds what students have handed in. The folder or the zip file that
// a learning platform, nbgrader or a shell has left flows in; out flow students, each with the
// notebooks that are theirs. Nothing of it is trusted: no file is written, no link is
// followed, what claims to be small is read no further than it may be large, and names
// serve as names only.
package submission
