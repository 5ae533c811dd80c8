// A stand-in for the engine, with its interface: it builds nothing, and "runs" what comments
// of the form "// fake: ..." in a cell say. A line that says NOT GO does not compile.
const kept = "fake engine is here";
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export class Engine {
	#stop = () => {};
	builds = 0;

	constructor({ base, course }) {
		if (!(base instanceof URL) || typeof course !== "string") throw new Error("the page gave no base or no course");
		window.engine = this;
	}

	async describe() {
		const here = localStorage.getItem(kept) === "yes";
		return { download: here ? 0 : 28e6, cached: here ? 28e6 : 0, memory: 4e8 };
	}

	async names() {
		const detail = "(r, c int, data []float64) *Dense", doc = "NewDense makes a matrix.";
		return {
			complete: (text) => ({ from: text.lastIndexOf(".") + 1, options: [{ label: "Dense", type: "type", detail: "struct", doc: "" }, { label: "NewDense", type: "function", detail, doc }] }),
			describe: (text, at) => ({ from: at, to: at, sig: "func NewDense" + detail, doc }),
		};
	}

	async load(progress) {
		for (const loaded of [7e6, 14e6, 28e6]) { progress({ what: "compiler", loaded, total: 28e6 }); await wait(20); }
		localStorage.setItem(kept, "yes");
	}

	async build(cells) {
		this.builds++;
		this.cells = cells;
		await wait(20);
		const problems = [], omitted = [], lost = [];
		for (const { id, source } of cells) {
			const line = source.split("\n").findIndex((l) => l.includes("NOT GO"));
			if (line >= 0) {
				problems.push({ cell: id, line: line + 1, column: source.split("\n")[line].indexOf("NOT GO") + 1, text: "syntax error: unexpected name GO at end of statement" });
				lost.push(/func (\w+)/.exec(source)?.[1]);
			}
			if (line >= 0 || lost.some((name) => name && source.includes(name + ","))) omitted.push(id);
		}
		return { ok: problems.length === 0, program: { cells }, problems, omitted, ms: 20 };
	}

	async run(program, id, events) {
		const begun = performance.now(), cell = program.cells.find((c) => c.id === id), scores = [];
		const ended = (how) => ({ ended: "done", sentence: "", at: [], scores, ms: performance.now() - begun, ...how });
		const stopped = new Promise((resolve) => {
			this.#stop = () => resolve(ended({ ended: "stopped", sentence: "Stopped." }));
		});
		if (cell.points > 0) {
			const right = program.cells.some((c) => c.exercise && c.source.includes("float64(wrong) / float64(n)"));
			scores.push({ title: "Rate", passed: right ? 2 : 1, of: 2, cases: [] });
			events.onDisplay({ data: { "text/html": `<strong>Rate: ${right ? 2 : 1} of 2 passed</strong>`, "text/plain": "Rate" }, metadata: { mllabs: right ? "check" : "check-failed" } });
		}
		for (const [number, line] of cell.source.split("\n").entries()) {
			const [, what, rest] = /\/\/ fake: (\w+) ?(.*)/.exec(line) ?? [];
			if (what === "print") events.onText(1, rest + "\n");
			if (what === "complain") events.onText(2, rest + "\n");
			if (what === "raw") for (const piece of JSON.parse(rest)) events.onText(1, piece);
			if (what === "rows") events.onDisplay({ data: { "text/html": "<table>" + "<tr><td>1</td></tr>".repeat(Number(rest)) + "</table>" }, metadata: {} });
			if (what === "reads") events.onInput();
			if (what === "html") events.onDisplay({ data: { "text/html": rest }, metadata: {} });
			if (what === "figure") events.onDisplay({ data: { "text/html": `<figure><img alt="A dot" width="80" src="data:image/png;base64,${dot}"></figure>`, "image/png": dot, "text/plain": "A dot" }, metadata: { mllabs: "figure" } });
			if (what === "svg") events.onDisplay({ data: { "image/svg+xml": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="window.ran = 1"><script>window.ran = 1</script></svg>', "text/plain": "A square" }, metadata: {} });
			if (what === "progress") for (const n of [1, 2, 3]) { events.onDisplay({ data: { "text/html": `<p>${n} of 3</p>` }, metadata: { mllabs: "progress" }, id: "p" }); await wait(10); }
			if (what === "recorded") events.onRecorded();
			if (what === "loop") return stopped;
			if (what === "panic") return ended({ ended: "panic", sentence: "The program panicked: index out of range.", at: [{ cell: id, line: number + 1 }] });
		}
		await wait(5);
		return ended({});
	}

	stop() { this.#stop(); }
	close() { this.#stop(); }
}
