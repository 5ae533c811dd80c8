// What tests call in the page. Modules cannot leave it, so programs stay here.
import { Engine } from "./engine/engine.js";

let engine, program;

window.open_ = async (course) => {
	engine = new Engine({ base: new URL("engine/", location), course });
	return engine.describe();
};
window.load = async () => {
	const begun = performance.now(), heard = [];
	await engine.load((p) => heard.push(p));
	return { ms: performance.now() - begun, progress: heard.at(-1), described: await engine.describe() };
};
window.loadFails = () => engine.load().then(() => "", (error) => error.message);
window.build = async (cells) => {
	const built = await engine.build(cells);
	program = built.program;
	return { ...built, program: Boolean(program) };
};
window.buildFails = (cells) => engine.build(cells).then(() => "", (error) => error.message);
window.run = async (id, limits, stopAfter) => {
	const outputs = [];
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
	}, limits);
	return { ...ended, outputs };
};
window.stop_ = () => engine.stop();
document.documentElement.className = "ready"; // the policy of the page lets nothing evaluate a condition in it
