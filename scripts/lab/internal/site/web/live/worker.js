// A worker that computes figures: Go's module live.wasm, which answers one request after the
// other.
import "./wasm_exec.js";

// The module is fetched as gzip and taken apart here: not every server of files sends it
// compressed.
async function fetched(url) {
	const response = typeof DecompressionStream === "function" ? await fetch(url + ".gz") : await fetch(url);
	if (!response.ok) throw new Error("the server says " + response.status);
	const bytes = new Uint8Array(await response.arrayBuffer());
	if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes; // the browser has done so
	return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

async function started() {
	const go = new Go();
	const { instance } = await WebAssembly.instantiate(await fetched(new URL("live.wasm", import.meta.url).href), go.importObject);
	go.run(instance); // sets mllabsLive, and waits
}

const ready = started();
ready.catch(() => {}); // each request gets it

// answerTo is what the module answers. One that has ended answers nothing.
function answerTo(request) {
	const text = globalThis.mllabsLive(JSON.stringify(request));
	if (typeof text !== "string") throw new Error("what computes figures has ended");
	return JSON.parse(text);
}

// A request that the module refuses has an error. Where there is no answer at all, nor will
// there be one to the next request, the worker is broken.
onmessage = async ({ data: { id, request } }) => {
	try {
		await ready;
		const answer = answerTo(request);
		postMessage(answer.error ? { id, error: answer.error } : { id, answer });
	} catch (error) {
		postMessage({ id, broken: error.message });
	}
};
