// Package cell makes programs of code cells, without a kernel, and runs them. Cells flow in, read
// by GoNB's rules ([Split]): lines that begin with % or ! are the kernel's, declarations stand at
// the top, and what follows a line %% is the body of main. They become a program in three ways:
// all cells of a notebook ([Compose]), those of a page of which some may be wrong ([NewPage]), and
// the course's cells with a student's, which may use only what they are allowed ([Assemble]). A
// [Toolchain] builds the program, without the constants of bodies that are sealed ([Sealer]). What
// flows out is the scores that the body of a cell reports ([Binary.Run]) or the outputs that bodies
// put out ([Binary.Show]).
package cell
