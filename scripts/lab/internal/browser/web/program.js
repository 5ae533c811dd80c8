// A worker that runs one program and is then done with. It tells the page what the program
// prints and shows, and how it ended; the page ends it when it takes too long.
import "./confine.js";
import { execute, files } from "./execute.js";
import { release } from "./release.js";
import { ending, overMemory, overDisplays, overOutput, overShown } from "./endings.js";

let over = false;

// end tells the page, once: it then ends this worker, whatever the program does about it.
function end(how) {
	if (over) return;
	over = true;
	printer.flush();
	shower.flush();
	postMessage({ kind: "end", ...how });
}

// How many pieces of text go to the page at once: about those that it shows. What waits is lost
// where the page ends the program, and somebody who looks for the place where a loop never ends
// needs the last line. But somebody who prints without end would bury the page, so later pieces
// wait for each other.
const atOnce = 5000;

// A Printer sends text to the page.
class Printer {
	#decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
	#waiting = new Uint8Array(16384); #length = 0; #pieces = 0; #fd = 1; #sent = 0; #bytes = 0;
	limit = Infinity;

	print(fd, bytes) {
		if (over) throw new Error("ended");
		const room = this.limit - this.#bytes, tooMuch = bytes.length > room;
		if (tooMuch) bytes = bytes.subarray(0, room);
		this.#bytes += bytes.length;
		if (fd !== this.#fd || bytes.length > this.#waiting.length - this.#length) this.flush();
		this.#fd = fd;
		if (bytes.length > this.#waiting.length) this.#send(bytes);
		else {
			this.#waiting.set(bytes, this.#length);
			this.#length += bytes.length;
			if (this.#pieces < atOnce || performance.now() - this.#sent > 50) this.flush();
		}
		if (!tooMuch) return;
		end(overOutput(this.limit));
		throw new Error("too much output");
	}
	flush() {
		if (this.#length === 0) return;
		this.#send(this.#waiting.subarray(0, this.#length));
		this.#length = 0;
	}
	#send(bytes) {
		const text = this.#decoders[this.#fd].decode(bytes, { stream: true });
		if (text !== "") postMessage({ kind: "text", fd: this.#fd, text });
		this.#pieces++;
		this.#sent = performance.now();
	}
}
const printer = new Printer();

// A Shower sends displays to the page. What updates an earlier display waits, so that there
// is no more than one in a while, and the latest takes the place of one that waits.
class Shower {
	#sent = new Map(); #waiting = new Map(); #timer; #bytes = 0; #count = 0;
	limit = Infinity; most = Infinity; // of bytes and of displays, without what updates them

	show(text) {
		if (over) throw new Error("ended");
		if (this.#bytes + text.length > this.limit) this.#refuse(overShown(this.limit));
		if (this.#count === this.most) this.#refuse(overDisplays(this.most));
		printer.flush();
		const bundle = JSON.parse(text), { id } = bundle;
		if (!this.#sent.has(id)) this.#count++;
		if (id) this.#waiting.set(id, { bundle, size: text.length });
		if (!id) this.#send(bundle, text.length);
		else if (performance.now() - (this.#sent.get(id) ?? -Infinity) > 50) this.#next(id);
		else this.#timer ??= setTimeout(() => this.flush(), 50);
	}
	#refuse(how) {
		end(how);
		throw new Error("too many displays");
	}
	flush() {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		for (const id of [...this.#waiting.keys()]) this.#next(id);
	}
	#next(id) {
		const { bundle, size } = this.#waiting.get(id);
		this.#waiting.delete(id);
		this.#sent.set(id, performance.now());
		this.#send(bundle, size);
	}
	#send(bundle, size) {
		this.#bytes += size;
		postMessage({ kind: "display", bundle });
	}
}
const shower = new Shower();

// What a program needs of the page: data files, and answers of Python. It waits until the
// page has sent them. Each question has a number, for the same one may be asked twice.
const folder = "/data", questions = new Map();
let asked = 0;
function askPage(question) {
	const id = asked++;
	return new Promise((resolve) => {
		questions.set(id, resolve);
		postMessage({ ...question, id });
	});
}
const bring = (name) => askPage({ kind: "file", name });
async function ask(key, script, request) {
	files.awaited++;
	try {
		return await askPage({ kind: "question", key, script, request });
	} finally {
		files.awaited--;
	}
}

// The page's clock stands while a program does nothing but wait for an answer.
let lastIdle = false;
const idle = (yes) => {
	if (yes === lastIdle || yes && files.awaited === 0) return;
	lastIdle = yes;
	postMessage({ kind: "idle", yes });
};

async function compiled(made) {
	const module = await WebAssembly.compile(made);
	release(made);
	return module;
}
let module; // a promise

onmessage = async ({ data: { made, cell, limits, data, id, answer } }) => {
	if (made) {
		module = compiled(made);
		module.catch(() => {}); // whoever runs it is told
		return;
	}
	if (id !== undefined) {
		questions.get(id)(answer);
		questions.delete(id);
		return;
	}
	files.lend(folder, data, bring);
	const begun = performance.now();
	let finished = false, crash = "";
	printer.limit = limits.output;
	shower.limit = limits.shown;
	shower.most = limits.displays;
	files.write = (fd, bytes) => printer.print(fd, bytes);
	files.input = () => {
		files.input = () => {}; // the page is told once
		postMessage({ kind: "input" });
	};
	const decoder = new TextDecoder();
	files.crash = (bytes) => {
		// The runtime also writes what println is given.
		const text = decoder.decode(bytes, { stream: true });
		if (crash === "" && !/^(panic|fatal error|runtime): ?/.test(text)) printer.print(2, bytes);
		else if (crash.length < 65536) crash += text;
	};
	globalThis.mllabsPage = {
		display(text) { shower.show(text); },
		unfinished(text, seconds) {
			printer.flush();
			postMessage({ kind: "unfinished", bundle: text && JSON.parse(text), seconds });
		},
		ask,
		end() { finished = true; },
	};
	const grown = (bytes) => {
		if (bytes <= limits.memory) return;
		end(overMemory(limits.memory));
		throw new Error("too much memory");
	};
	try {
		const { code, memory: bytes } = await execute(await module, ["cells", String(cell)], { MLLABS_FIGURES: "/tmp/figures", MLLABS_DATASETS: folder }, { grown, idle });
		if (finished && crash) printer.print(2, new TextEncoder().encode(crash)); // it was none
		end({ ...ending({ finished, code, crash }), ms: performance.now() - begun, bytes });
	} catch (error) {
		end({ ...ending({ finished: false, code: 2, crash: crash + "\n" + error }), ms: performance.now() - begun });
	}
};
addEventListener("error", (event) => event.preventDefault()); // told by execute
