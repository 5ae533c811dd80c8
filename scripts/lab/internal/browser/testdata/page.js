// What tests call in the page. Modules cannot leave it, so programs stay here.
import { Engine } from "./engine/engine.js";

let engine, program;

window.open_ = async (course) => {
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
// files are what a student would choose when a program asks, by name, after some
// milliseconds. aborted counts the questions that were void before they had an answer.
window.run = async (id, limits, stopAfter, files, after = 0) => {
	const outputs = [], asked = [], recorded = [];
	let aborted = 0;
	if (stopAfter) setTimeout(() => engine.stop(), stopAfter);
	const ended = await engine.run(program, id, {
		onText(fd, text) {
			const last = outputs.at(-1);
			if (last?.fd === fd) last.text += text;
			else outputs.push({ fd, text });
		},
		onDisplay(bundle) {
			const old = bundle.id && outputs.find((o) => o.bundle?.id === bundle.id);
			if (old) old.bundle = bundle;
			else outputs.push({ bundle });
		},
		onFile: async (file, signal) => {
			asked.push(file);
			const count = () => aborted++;
			signal.addEventListener("abort", count);
			await new Promise((resolve) => setTimeout(resolve, after));
			signal.removeEventListener("abort", count);
			const text = files?.[file.name]?.shift();
			return text === undefined ? null : new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]);
		},
		onRecorded(key) { recorded.push(key); },
		onQuestion: async (question) => {
			const response = await fetch("/ask", { method: "POST", body: JSON.stringify(question) });
			return response.ok ? response.text() : undefined;
		},
	}, limits);
	return { ...ended, outputs, asked, recorded, aborted };
};
window.stop_ = () => engine.stop();
document.documentElement.className = "ready"; // the policy of the page lets nothing evaluate a condition in it
