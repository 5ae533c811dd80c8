// What tests call in the page. Modules cannot leave it, so programs stay here.
import { Engine } from "./engine/engine.js";

let engine, program;

// alive are the workers that the page has begun and not ended.
const alive = new Set();
window.Worker = class extends Worker {
	constructor(...rest) {
		super(...rest);
		alive.add(this);
	}
	terminate() {
		alive.delete(this);
		super.terminate();
	}
};

window.open_ = async (course) => {
	engine?.close();
	engine = new Engine({ base: new URL("engine/", location), course });
	return engine.describe();
};
window.complete = async (text) => (await engine.names(() => [])).complete(text);
window.load = async () => {
	const begun = performance.now();
	let progress;
	await engine.load((p) => { progress = p; });
	return { ms: performance.now() - begun, progress, described: await engine.describe() };
};
window.loadFails = () => engine.load().then(() => "", (error) => error.message);
window.build = async (cells) => {
	const built = await engine.build(cells);
	program = built.program;
	return { ...built, program: Boolean(program) };
};
window.buildFails = (cells) => engine.build(cells).then(() => "", (error) => error.message);
window.run = async (id, limits, stopAfter) => {
	const outputs = [], recorded = [];
	let inputs = 0, told = 0;
	if (stopAfter) setTimeout(() => engine.stop(), stopAfter);
	const ended = await engine.run(program, id, {
		onText(fd, text) {
			told++;
			const last = outputs.at(-1);
			if (last?.fd === fd) last.text += text;
			else outputs.push({ fd, text });
		},
		onDisplay(bundle) {
			const old = bundle.id && outputs.find((o) => o.bundle?.id === bundle.id);
			if (old) old.bundle = bundle;
			else outputs.push({ bundle });
		},
		onInput() { inputs++; },
		onRecorded(key) { recorded.push(key); },
		onQuestion: async (question) => {
			const response = await fetch("/ask", { method: "POST", body: JSON.stringify(question) });
			return response.ok ? response.text() : undefined;
		},
	}, limits);
	return { ...ended, outputs, recorded, inputs, told };
};

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const message = (error) => error.message;

// stopsLoading stops after some milliseconds of loading, or closes if cells is null, and at once
// builds cells, twice. It tells what became of loading, what was built, and how many workers are alive.
window.stopsLoading = async (after, cells) => {
	const loading = engine.load().then(() => "loaded", message);
	if (after > 0) await sleep(after);
	if (cells) engine.stop();
	else engine.close();
	const built = [];
	for (const again of cells ? [cells, [...cells, { id: "more", source: "" }]] : []) built.push(await engine.build(again).then(({ ok }) => ok, message));
	const became = await loading;
	await sleep(100);
	return { became, built, alive: alive.size };
};

// prints is what cell "a" prints as a program has it, or the message of an error.
const prints = async ({ program }) => {
	let text = "";
	const { ended, sentence } = await engine.run(program, "a", { onText(_, more) { text += more; } }).catch((error) => ({ ended: "error", sentence: error.message }));
	return ended === "done" ? text : sentence;
};

// overtaken builds one list of cells after the other without a wait for programs, and then runs
// all programs, twice, the first one first; and at last the last one two times at once.
window.overtaken = async (lists) => {
	const built = [], printed = [];
	for (const cells of lists) built.push(await engine.build(cells));
	for (const one of [...built, ...built]) printed.push(await prints(one));
	return [...printed, ...(await Promise.all([prints(built.at(-1)), prints(built.at(-1))])).sort()];
};

// meanwhile runs one program while the next is built.
window.meanwhile = async (first, second) => {
	const one = await engine.build(first), next = engine.build(second);
	const printed = await prints(one);
	return [printed, await prints(await next), await prints(one)];
};
window.stop_ = () => engine.stop();
document.documentElement.className = "ready"; // the policy of the page lets nothing evaluate a condition in it
