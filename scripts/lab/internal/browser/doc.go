// Package browser makes the engine with which a page builds and runs Go with nothing
// installed: real Go, not an interpreter of it. The notebooks of courses flow into [Build];
// a folder of static files flows out, which works under any path of any static server.
//
// # What is in the folder
//
//	engine.js            what pages import; its class Engine is the whole interface
//	manifest.json        names and sizes of the files below
//	scripts-HASH/        the workers' scripts, of folder web, and Go's own wasm_exec.js
//	compile-HASH.wasm    cmd/compile of the installed Go, with the back end for wasm alone
//	link-HASH.wasm       cmd/link
//	compose-HASH.wasm    package cell, which makes a program of cells
//	standard-HASH.pack   compiled packages of Go and other modules
//	mlcore-HASH.pack     those of this project that several courses need
//	COURSE-HASH.pack     what one course alone needs
//	COURSEnames-HASH.txt what its cells may name, for editors: signatures and first sentences
//	SET-HASH.txt         a data file that programs may open
//	recorded-HASH.txt    what a peer in Python answered to a question of a students' copy
//	licences-HASH.txt    the licences of all that
//	probe-HASH.txt       by which a page finds out what the server knows
//
// Beside each but the scripts stand its forms by brotli (.br) and gzip (.gz). A name changes
// with the content, so that files may be kept for ever; engine.js is imported with
// ?v=[Built.Version]. A content security policy has to allow script-src 'self'
// 'wasm-unsafe-eval', worker-src 'self' blob: and connect-src 'self'.
//
// Packages are compiled with the build constraint handout, and only if handout.Check finds
// that none holds what an exercise asks for: a page gives a student no more than the folder
// that lab exercises --out writes.
//
// A data file is fetched when a program first opens it; the program itself checks its
// SHA-256. There is no Python: package peers gets the answers that were recorded to what
// students' copies ask, and the page says so.
//
// # What happens in the page
//
//	page          engine.js: what is built, what runs, and how long it may
//	 ├─ tools.js    lasts: holds the tools, and the composer, which runs in it
//	 │   ├─ loading.js  fetches the tools and compiles those that last, once
//	 │   └─ tool.js     one run of the compiler or linker; in Firefox it compiles that itself, ahead of need
//	 └─ program.js  one run of a program; the page ends it when it takes too long (clock.js)
//
// Workers give back their memory at their end, and only then.
//
// Packages stay outside of the page's memory, as Blobs, and are read when a tool opens them.
//
// All cells of a page make one program, each in a file of its own (cell.Page). The body
// of the cell that runs is named by the program's argument, so that every cell runs with
// the declarations of all others and without their bodies' effects, as the kernel does it.
// Where a name is declared twice the later declaration counts, but not for cells above it:
// those run in a program of the cells above that declaration. A cell that is meant to fail
// runs in one of its own, too. A cell that does not compile is left out and told; so are
// cells that need it.
//
// Cells may be somebody else's, and can import syscall/js. The worker of a program has the
// content security policy of the page, because its script is a blob, and lacks what would
// read or send what the page keeps (confine.js).
//
// Composer and harness are those of lab exercises and lab grade. In a page package nbkit
// shows what it shows to a kernel, as JSON, and what shows a check carries its score.
//
// Go has no preemption on wasm, so a loop that never ends is ended by the page. A program
// that waits for what never comes is told so when it returns to the page without a timer,
// and dies of Go's own deadlock. Too much memory or output is seen where it grows, in the worker.
// An end that is none of these is read from the words of Go's runtime (endings.js). Whatever ends
// a program in a check, the page shows the cases before, for package nbkit has handed it before
// each case what to show then; and a case has a limit of its own.
//
// What a program prints goes from its memory to the page by one call for each write
// (printing.go): a loop that prints a letter without end is ended after a second, where Go's own
// way to write took 14.
//
// # What was measured
//
// go test -run '^$' -bench Page -benchtime 1x -v measures on the machine at hand. With the student's
// copy of lab3/01, Go 1.26.8 and Chromium 156 on two busy processors, where seconds of a
// processor say more than those of the clock:
//
//	tools loaded, of what is kept   0.6 s of a processor
//	first build and run            12 s (6.4 to 7.3 s by the clock of two idle processors)
//	edit, then run                  3 to 4 s (2.3 to 2.7)
//	run, nothing changed            0.2 s
//	compile error told              0.3 s
//
// The page then has 220 to 270 MB (its share of memory, in units of 2^20 bytes), and at most
// 375 to 425 while the linker runs: 96 of that are the packages' objects, which it reads whole
// (objects.go), and some 90 its heap. A program runs after that, in memory of its own.
// Packages, 103 MB, are outside of all this. Buffers that the browser makes are released
// where they are done with (release.js), and what loads is a worker that ends (loading.js):
// left to the collector of garbage they were 250 MB. Firefox 153 has at most 385; it had 530
// while it kept the compiler, of which it compiles all functions, beside the linker. A first
// visit fetches 27 MB by brotli. It is 37, by gzip, where the server does not say brotli and the
// browser unpacks none for scripts (store.js).
package browser
