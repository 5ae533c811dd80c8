// Package marking is the desk at which somebody marks written answers: the answers of a
// class flow in, a page on this machine shows one task of all students side by side, and
// marks flow out one by one, as they are given. The page is served on the loopback
// interface under a word that nobody else knows, and asks nothing of any other machine.
package marking
