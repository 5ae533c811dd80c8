// What tests of single scripts call in the page.
import { Clock } from "./web/clock.js";
import { Library } from "./web/library.js";
import { files } from "./web/memfs.js";

// clockEnds returns when a clock of some seconds ends a program, in milliseconds of a time
// that is made up: steps are [at, method, argument]; null: never.
window.clockEnds = (seconds, steps) => {
	let time = 0, ended = null, timers = [];
	const go = (to) => {
		for (;;) {
			const next = timers.filter((t) => t.at <= to).sort((a, b) => a.at - b.at)[0];
			if (!next) break;
			timers = timers.filter((t) => t !== next);
			time = next.at;
			next.f();
		}
		time = to;
	};
	const clock = new Clock(seconds, () => { ended ??= time; }, {
		now: () => time,
		set(f, ms) { const timer = { f, at: time + ms }; timers.push(timer); return timer; },
		clear(timer) { timers = timers.filter((t) => t !== timer); },
	});
	for (const [at, method, argument] of steps ?? []) {
		go(at);
		clock[method](argument);
	}
	go(1e9);
	return ended;
};

// opens opens files at once that are lent, each of which is brought with these bytes or not
// at all, and then each once more.
window.opens = async (names, brought) => {
	const asked = [];
	files.lend("/lent", Object.keys(brought), async (name) => {
		asked.push(name);
		await new Promise((resolve) => setTimeout(resolve, 20));
		return brought[name] === null ? undefined : new TextEncoder().encode(brought[name]);
	});
	const open = (name) => new Promise((resolve) => fs.open("/lent/" + name, 0, 0, (error, fd) => {
		if (error) return resolve(error.code);
		const bytes = new Uint8Array(100);
		fs.read(fd, bytes, 0, 100, null, (error, n) => resolve(error?.code ?? new TextDecoder().decode(bytes.subarray(0, n))));
	}));
	const first = await Promise.all(names.map(open));
	const again = await Promise.all(names.map(open));
	return { first, again, asked, awaited: files.awaited };
};

// reads reads a file that is read when it is opened, first as a whole by so many who have it
// open at once, then one byte at a position, and tells how often it was read.
window.reads = (text, readers, position) => {
	let times = 0;
	files.putRead("/pkg/a", text.length, () => { times++; return new TextEncoder().encode(text); });
	const before = times, open = Array.from({ length: readers }, () => files.open("/pkg/a", 0));
	const read = (fd, length, at) => {
		const bytes = new Uint8Array(length), n = files.read(fd, bytes, 0, length, at);
		return new TextDecoder().decode(bytes.subarray(0, n));
	};
	const texts = open.map((fd) => read(fd, 1000, null)), byte = read(open[0], 1, position);
	for (const fd of open) files.close(fd);
	return { texts, byte, before, times, size: files.stat("/pkg/a").size };
};

// files loads files one after the other from a store that answers each request for a file
// with the next entry of tries, where null is an error. It returns the texts or errors, and
// the names of all requests.
window.files = async (names, tries) => {
	const fetched = [], store = {
		async get({ file }) {
			fetched.push(file);
			const text = tries[file].shift();
			if (text === null) throw new Error("the server says 503");
			return new Response(text);
		},
	};
	const data = Object.fromEntries(Object.keys(tries).map((name) => [name, { file: name }]));
	const library = new Library(store, { data, recorded: {} }), came = [];
	for (const name of names) came.push(await library.file(name).then((bytes) => new TextDecoder().decode(bytes), (error) => error.message));
	return { came, fetched };
};
document.documentElement.className = "ready";

// asks tells what is still there of a worker that waits for an answer of another one, as
// asks.js says, as soon as an object is collected that nothing needs.
const asks = new Worker("asks.js", { type: "module" });
window.asks = async () => {
	for (;;) {
		const there = await new Promise((resolve, reject) => {
			asks.onmessage = ({ data }) => resolve(data);
			asks.onerror = ({ message }) => reject(new Error(message));
			asks.postMessage({});
		});
		if (!there.other) return there;
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
};
