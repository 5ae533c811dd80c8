// How programs end, in words for a student.

// ending tells how a program ended: finished says that it came to its end, code is its exit
// code, and crash what Go's runtime said.
export function ending({ finished, code, crash }) {
	if (finished) return { ended: "done", sentence: "", at: [] };
	if (/Maximum call stack size exceeded|too much recursion|stack overflow|stack exceeds/.test(crash)) {
		return { ended: "panic", sentence: "A function calls itself too many times, perhaps without end: there is no more room for its calls (stack overflow).", at: places(crash) };
	}
	if (/^fatal error: all goroutines are asleep/m.test(crash)) {
		return { ended: "deadlock", sentence: "Deadlock: everything waits, and nothing is left that could go on. Does a channel lack its sender or receiver, or a lock its release?", at: places(crash) };
	}
	if (/out of memory|cannot allocate memory/.test(crash)) return { ...overMemory(), at: places(crash) };
	const panic = /^(panic|fatal error): ([^]*?)(?:\n\ngoroutine |\n\[signal|\n\tpanic: |$)/m.exec(crash);
	if (panic) return { ended: "panic", sentence: sentenceOf(panic), at: places(crash) };
	return { ended: "exit", sentence: `The program ended itself with os.Exit(${code})${code === 1 ? ", as log.Fatal does" : ""}, before the end of the cell.`, at: [] };
}

function sentenceOf([, kind, text]) {
	text = text.trim().replace(/^runtime error: /, "").replace(/ \[recovered.*\]$/, "");
	return (kind === "panic" ? "Panic: " : "Fatal error: ") + text + (/[.!?]$/.test(text) ? "" : ".");
}

export const overTime = (seconds) => ({ ended: "time", sentence: `It was ended after ${seconds} seconds. Does a loop never end?`, at: [] });
export const overMemory = (bytes) => ({ ended: "memory", sentence: `It was ended because it needs more memory than it may have${bytes ? ` (${Math.round(bytes / 2 ** 20)} MiB)` : ""}. Is there a loop that does not end?`, at: [] });
export const overOutput = (bytes) => ({ ended: "output", sentence: `It was ended because it printed more than ${Math.round(bytes / 1024)} KiB. Does it print in a loop that never ends?`, at: [] });
export const overShown = (bytes) => ({ ended: "output", sentence: `It was ended because it showed more than ${Math.round(bytes / 2 ** 20)} MiB. Does it show something in a loop that never ends?`, at: [] });
export const overDisplays = (count) => ({ ended: "output", sentence: `It was ended because it showed more than ${count} figures or tables. Does it show something in a loop that never ends?`, at: [] });
export const overCase = (seconds) => ({ ended: "time", sentence: `It was ended because a case of the check took more than ${seconds} seconds. Does a loop never end?`, at: [] });
export const stopped = () => ({ ended: "stopped", sentence: "Stopped.", at: [] });

// places are the lines of cells in a trace of the goroutine that failed, the innermost
// first: [{cell, line, name}], cells from 0 and lines from 1, with the name of the function,
// "" in the body of a cell.
export function places(crash) {
	const first = (crash.split(/\n\ngoroutine /)[1] ?? crash).split("\ncreated by ")[0];
	const seen = new Set(), list = [];
	// A call takes two lines: main.Last(...) and, indented, where in it.
	for (const [, call, cell, line] of first.matchAll(/^(.*)\n\s.*?\bcell(\d+):(\d+)/gm)) {
		if (seen.has(cell + ":" + line)) continue;
		seen.add(cell + ":" + line);
		list.push({ cell: Number(cell) - 1, line: Number(line), name: functionOf(call) });
	}
	return list;
}

// functionOf is the name of the function in a line of a trace, as a student wrote it. A literal
// has that of the function around it. The body of a cell is a function that nobody wrote; its
// name stands before those of literals that the compiler has put into it. Nor did anybody write
// init, which sets variables.
function functionOf(call) {
	const name = /^main\.(?:lab__cell\d+[.(])?(.*)/.exec(call.replaceAll("[...]", ""))?.[1] ?? "";
	const own = /^(?:\(\*?WORD\)|WORD)(?:\.WORD)?/u.source.replaceAll("WORD", "[\\p{L}_][\\p{L}\\p{N}_]*");
	return (new RegExp(own, "u").exec(name)?.[0] ?? "").replace(/(^|\.)(func|gowrap|deferwrap)\d+$/, "").replace(/^init$/, "");
}
