// What a page imports to build and run Go in cells: new Engine({base, course}). Its methods
// are described below; package browser's doc.go tells how the parts work together.

// What a program may take, unless run is told otherwise.
const usual = { seconds: 30, memory: 1 << 30, output: 1 << 20 };

// How long a build may take: there are programs that keep a compiler busy for ever.
const buildSeconds = 120;

// What a page needs beside what it fetches: what the compiler, the linker and a program
// take at most, one after the other, in bytes.
const working = 330e6;

export class Engine {
	#base; #course; #ready; #loading; #tools; #heard; #program; #spare;
	#built = new Map(); // what was built, by the cells

	// base is the folder of this file, and course the name of the notebook's, "lab3", or "".
	constructor({ base = new URL(".", import.meta.url), course = "" } = {}) {
		this.#base = new URL(base, location.href);
		this.#course = course;
	}

	// describe tells in bytes what a first run would fetch, how much of the whole is on this
	// machine already, and what memory it takes. It starts nothing.
	async describe() {
		const { manifest, store } = await this.#prepared();
		let download = 0, cached = 0;
		for (const file of this.#files(manifest)) {
			const bytes = await store.bytes(file);
			if (await store.has(file)) cached += bytes;
			else download += bytes;
		}
		const packs = manifest.courses[this.#course].reduce((sum, name) => sum + manifest.packs[name].size, 0);
		return { download, cached, memory: packs + working };
	}

	// load fetches and compiles the tools. progress({what, loaded, total}) is told of it in
	// bytes. Once loaded, it does nothing.
	async load(progress) {
		if (progress) this.#heard = progress;
		this.#loading ??= this.#start().catch((error) => {
			this.#end(error);
			throw error;
		});
		return this.#loading;
	}

	// build builds the program of cells: all code cells of the page, in their order, as
	// [{id, source, points, raises}]. A cell that does not compile is left out:
	// {ok, program, problems: [{cell, line, column, text}], left: [id], ms}. ok says that
	// there are no problems. After stop it is {ended: "stopped"}.
	async build(cells) {
		const begun = performance.now();
		const key = JSON.stringify(cells);
		let built = this.#built.get(key);
		if (!built) {
			const answer = await this.#answer(cells, -1);
			if (answer.ended) return { ok: false, program: null, problems: [], left: [], ...answer, ms: performance.now() - begun };
			built = this.#told(cells, answer);
			this.#built.set(key, built);
			if (this.#built.size > 4) this.#built.delete(this.#built.keys().next().value);
		}
		this.#warm();
		return { ...built, ms: performance.now() - begun };
	}

	// run runs the body of a cell, and tells events.onText(fd, text) and
	// events.onDisplay({data, metadata, id}) what it prints and shows. limits are seconds,
	// and bytes of memory and output. How it ended:
	// {ended, sentence, at: [{cell, line}], scores, ms}.
	async run(program, id, events = {}, limits = {}) {
		const begun = performance.now(), cell = program.cells.findIndex((c) => c.id === id);
		const ended = (how) => ({ scores: [], ...how, at: (how.at ?? []).map((p) => ({ cell: program.cells[p.cell]?.id, line: p.line })), ms: performance.now() - begun });
		if (cell < 0) throw new Error(`no cell has the id ${id}`);
		let { module, bodies, left } = program;
		if (program.own.includes(cell)) {
			const answer = await this.#answer(program.cells, cell);
			if (answer.ended) return ended(answer);
			const wrong = answer.problems.filter((p) => p.cell === cell);
			if (wrong.length > 0) return ended({ ended: "error", sentence: wrong.map((p) => p.text).join("\n"), at: wrong });
			({ module, bodies, left } = answer);
		}
		if (left[cell] && !bodies.includes(cell)) return ended({ ended: "error", sentence: this.#why(program.cells, left[cell]), at: [] });
		if (!module) return ended({ ended: "error", sentence: "There is no program.", at: [] });
		if (!bodies.includes(cell)) return ended({ ended: "done", sentence: "" }); // declarations
		return ended(await this.#execute(module, cell, events, { ...usual, ...limits }));
	}

	// stop ends what is being built or run.
	stop() {
		if (this.#program) {
			this.#program.finish({ ended: "stopped", sentence: "Stopped." });
		} else if (this.#tools?.busy) {
			this.#tools.end({ ended: "stopped", sentence: "Stopped." });
			this.#tools = this.#loading = undefined;
		}
	}

	// close ends everything.
	close() {
		this.stop();
		this.#end();
	}

	#end(error) {
		this.#tools?.end(error);
		this.#spare?.terminate();
		this.#tools = this.#spare = this.#loading = undefined;
	}

	async #prepared() {
		this.#ready ??= this.#prepare().catch((error) => {
			this.#ready = undefined;
			throw error;
		});
		return this.#ready;
	}

	async #prepare() {
		if (this.#base.protocol === "file:") {
			throw new Error("Programs run only in a page that comes from a server, and this one was opened as a file.");
		}
		if (typeof WebAssembly !== "object" || typeof Worker !== "function") {
			throw new Error("This browser cannot run programs: it lacks WebAssembly or workers.");
		}
		const version = new URL(import.meta.url).search;
		const response = await fetch(new URL("manifest.json" + version, this.#base));
		if (!response.ok) throw new Error(`The Go tools are not there: the server says ${response.status}.`);
		const manifest = await response.json();
		if (!manifest.courses[this.#course]) throw new Error(`This site has no programs of course ${this.#course}.`);
		const { Store } = await import(new URL(manifest.scripts + "/store.js", this.#base));
		return { manifest, store: new Store(this.#base, manifest) };
	}

	#files(manifest) {
		return [...Object.values(manifest.tools), ...manifest.courses[this.#course].map((name) => manifest.packs[name])];
	}

	#worker(manifest, script) {
		return new Worker(new URL(`${manifest.scripts}/${script}`, this.#base), { type: "module" });
	}

	async #start() {
		const { manifest } = await this.#prepared();
		this.#tools = new Tools(this.#worker(manifest, "tools.js"), (progress) => this.#heard?.(progress));
		const answer = await this.#tools.ask("start", { base: this.#base.href, manifest, course: this.#course });
		if (answer?.ended) throw Object.assign(new Error(answer.sentence), answer);
	}

	// answer asks for a program. A compiler that does not come to an end is ended.
	async #answer(cells, own) {
		try {
			await this.load();
		} catch (error) {
			if (error.ended) return { ended: error.ended, sentence: error.sentence };
			throw error;
		}
		const tools = this.#tools;
		const tooLong = setTimeout(() => {
			tools.end({ ended: "time", sentence: `The compiler was ended after ${buildSeconds} seconds.` });
			this.#tools = this.#loading = undefined;
		}, buildSeconds * 1000);
		try {
			return await tools.ask("build", { cells: cells.map((c) => ({ source: c.source, graded: c.points > 0, raises: Boolean(c.raises) })), own });
		} finally {
			clearTimeout(tooLong);
		}
	}

	// told is what build returns.
	#told(cells, answer) {
		const id = (cell) => cells[cell].id;
		const problems = (answer.problems ?? []).map((p) => ({ ...p, cell: id(p.cell) }));
		if (answer.rest) problems.push({ cell: null, line: 0, column: 0, text: answer.rest });
		const left = answer.left ?? {};
		return {
			ok: problems.length === 0,
			program: answer.module ? { module: answer.module, bodies: answer.bodies ?? [], own: answer.own ?? [], left, cells } : null,
			problems,
			left: Object.keys(left).map(Number).filter((cell) => !answer.bodies?.includes(cell)).map(id),
			times: answer.times,
		};
	}

	#why(cells, { needs, from }) {
		return needs ? `It needs ${needs}, which a cell above declares that does not compile.` : "The cell does not compile.";
	}

	// warm has a worker ready for the next program.
	#warm() { this.#prepared().then(({ manifest }) => { this.#spare ??= this.#worker(manifest, "program.js"); }); }

	async #execute(module, cell, { onText, onDisplay }, limits) {
		const { manifest } = await this.#prepared();
		const { overTime } = await import(new URL(manifest.scripts + "/endings.js", this.#base));
		if (this.#program) throw new Error("a program is running");
		const worker = this.#spare ?? this.#worker(manifest, "program.js"), scores = [];
		this.#spare = undefined;
		return new Promise((resolve) => {
			const late = setTimeout(() => finish(overTime(limits.seconds)), limits.seconds * 1000);
			const finish = (how) => {
				clearTimeout(late);
				worker.terminate();
				this.#program = undefined;
				this.#warm();
				resolve({ ...how, scores });
			};
			this.#program = { finish };
			worker.onerror = (event) => finish({ ended: "error", sentence: "The program could not be started: " + event.message });
			worker.onmessage = ({ data: { kind, ...data } }) => {
				if (kind === "text") onText?.(data.fd, data.text);
				else if (kind === "display") {
					const score = data.bundle.data[scoreType];
					if (score) scores.push(JSON.parse(score));
					onDisplay?.(data.bundle);
				} else finish(data);
			};
			worker.postMessage({ module, cell, limits });
		});
	}
}

// scoreType is the type under which what shows a check carries its score.
const scoreType = "application/vnd.mllabs.score+json";

// Tools are the worker with the compiler.
class Tools {
	#worker; #waiting = new Map(); #next = 0;

	constructor(worker, progress) {
		this.#worker = worker;
		worker.onerror = (event) => this.#failAll(new Error("The Go tools cannot be started: " + event.message));
		worker.onmessage = ({ data: { kind, id, value, error, ...rest } }) => {
			if (kind === "progress") return progress(rest);
			const { resolve, reject } = this.#waiting.get(id);
			this.#waiting.delete(id);
			if (error === undefined) resolve(value);
			else reject(new Error(error));
		};
	}

	get busy() { return this.#waiting.size > 0; }

	ask(job, rest) {
		const id = this.#next++;
		return new Promise((resolve, reject) => {
			this.#waiting.set(id, { resolve, reject });
			this.#worker.postMessage({ id, job, ...rest });
		});
	}

	// end ends the worker. Who waits for it gets this answer, or the error.
	end(answer = new Error("The Go tools were ended.")) {
		this.#worker.terminate();
		if (answer instanceof Error) return this.#failAll(answer);
		for (const { resolve } of this.#waiting.values()) resolve(answer);
		this.#waiting.clear();
	}

	#failAll(error) {
		for (const { reject } of this.#waiting.values()) reject(error);
		this.#waiting.clear();
	}
}
