// Package sandbox runs programs that nobody has read: a [Job] flows in, a [Result] flows
// out, whatever the program does. A [Runner] decides how far it is held: [Find] gives
// one that holds against malice, or says what is missing on this machine; [Unsafe] is for
// one's own work and holds against mistakes only, such as endless loops.
package sandbox
