// Runs programs that Go has built for js/wasm.
import { files } from "./memfs.js";
import "./wasm_exec.js";

export { files };

// environment is what every program finds.
export const environment = { GOOS: "js", GOARCH: "wasm", GOROOT: "/goroot", HOME: "/tmp", TMPDIR: "/tmp", TZ: "UTC" };

// execute runs a program to its end, and returns its exit code. watch may be given to see
// how it goes: grown(bytes) is told when its memory has grown, and idle(yes) when it returns
// to the page, and when it goes on.
//
// A program that waits for nothing that could come has no timer left when it returns to the
// page; it is told so, and then ends with Go's own words for a deadlock.
export async function execute(module, argv, env, watch = {}) {
	const go = new Go();
	let code = 0;
	go.argv = argv;
	go.env = { ...environment, ...env };
	go.exit = (c) => { code = c; };
	const view = go.importObject.gojs["runtime.resetMemoryDataView"];
	go.importObject.gojs["runtime.resetMemoryDataView"] = (sp) => {
		view(sp);
		watch.grown?.(go.mem.buffer.byteLength);
	};
	// Package syscall prints by this call, see printing.go. Its arguments are on the stack.
	go.importObject.gojs["mllabs.write"] = (sp) => {
		const argument = (i) => go.mem.getUint32((sp >>> 0) + 8 * i, true);
		files.write(argument(1), new Uint8Array(go.mem.buffer, argument(2), argument(3)));
	};
	const instance = await WebAssembly.instantiate(module, go.importObject);
	let fail;
	const failed = new Promise((_, reject) => { fail = reject; });
	const returned = () => {
		watch.idle?.(true);
		setTimeout(() => {
			if (go.exited || go._scheduledTimeouts.size > 0 || files.awaited > 0) return;
			go._pendingEvent = { id: 0 };
			go._resume();
		});
	};
	// It resumes when a timer fires, and, within that, when the page answers its calls.
	const resume = go._resume.bind(go);
	let depth = 0;
	go._resume = () => {
		if (depth++ === 0) watch.idle?.(false);
		try {
			resume();
		} catch (error) {
			fail(error);
			throw error;
		} finally {
			depth--;
		}
		if (depth === 0) returned();
	};
	depth++;
	const ran = go.run(instance);
	depth--;
	returned();
	await Promise.race([ran, failed]);
	return { code, memory: instance.exports.mem.buffer.byteLength };
}

// serve starts a program that waits to be called by the page.
export async function serve(module) {
	const go = new Go();
	go.env = environment;
	go.run(await WebAssembly.instantiate(module, go.importObject));
}
