// What a page imports to build and run Go in cells: new Engine({base, course}). Its methods
// are described below; package browser's doc.go tells how the parts work together.

// What a program may take, unless run is told otherwise.
const usual = { seconds: 120, memory: 1 << 30, output: 1 << 20, shown: 64 << 20 };

// How long a build may take: there are programs that keep a compiler busy for ever.
const buildSeconds = 120;

// What a page takes of memory beside the packages, in bytes: itself, the tools and, while it
// works, the linker. It was measured (see doc.go).
const working = 450e6;

export class Engine {
	#base; #course; #ready; #loading; #tools; #heard; #program; #spare; #script;
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
	// there are no problems. Where there are, it returns as soon as they are known, and what
	// can be built is built meanwhile: then left may lack cells that need what is left out,
	// which run tells of. After stop it is {ended: "stopped"}.
	async build(cells) {
		const begun = performance.now();
		const key = JSON.stringify(cells);
		let job = this.#built.get(key);
		if (!job) {
			job = this.#begin(cells);
			this.#built.set(key, job);
			if (this.#built.size > 2) this.#built.delete(this.#built.keys().next().value);
			const forget = () => { if (this.#built.get(key) === job) this.#built.delete(key); };
			job.answer.then((answer) => { if (answer.ended) forget(); }, forget);
		}
		const answer = await job.first;
		if (answer.ended) return { ok: false, program: null, problems: [], left: [], ...answer, ms: performance.now() - begun };
		this.#warm();
		return { ...this.#told(cells, job.latest), program: job.latest.none ? null : { cells, answer: job.answer }, ms: performance.now() - begun };
	}

	// begin begins to build. answer is what comes of it, first that or the first problems,
	// and latest what is known.
	#begin(cells) {
		const job = {};
		job.first = new Promise((resolve, reject) => {
			job.answer = this.#answer(cells, -1, (problems) => resolve(job.latest = problems));
			job.answer.then((answer) => resolve(job.latest = { ...answer, none: !answer.module }), reject);
		});
		return job;
	}

	// run runs the body of a cell, and tells events.onText(fd, text) and
	// events.onDisplay({data, metadata, id}) what it prints and shows. limits are seconds, and
	// bytes of memory, of output (text) and of what is shown. How it ended:
	// {ended, sentence, at: [{cell, line}], scores, ms}.
	async run(program, id, events = {}, limits = {}) {
		const begun = performance.now(), cell = program.cells.findIndex((c) => c.id === id);
		const ended = (how) => ({ scores: [], ...how, at: (how.at ?? []).map((p) => ({ cell: program.cells[p.cell]?.id, line: p.line })), ms: performance.now() - begun });
		if (cell < 0) throw new Error(`no cell has the id ${id}`);
		let answer = await program.answer;
		if (!answer.ended && answer.own.includes(cell)) {
			answer = await this.#answer(program.cells, cell);
			const wrong = answer.problems?.filter((p) => p.cell === cell) ?? [];
			if (wrong.length > 0) return ended({ ended: "error", sentence: wrong.map((p) => p.text).join("\n"), at: wrong });
		}
		if (answer.ended) return ended(answer);
		const { module, bodies, left } = answer;
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

	// worker is one for a program. A worker whose script is a blob has the policy of the page,
	// while one that comes from the server has what the server says, mostly nothing.
	#worker(manifest) {
		this.#script ??= URL.createObjectURL(new Blob([`import ${JSON.stringify(new URL(manifest.scripts + "/program.js", this.#base))};`], { type: "text/javascript" }));
		return new Worker(this.#script, { type: "module" });
	}

	async #start() {
		const { manifest } = await this.#prepared();
		const { Asking } = await import(new URL(manifest.scripts + "/asking.js", this.#base));
		this.#tools = new Asking(new URL(manifest.scripts + "/tools.js", this.#base));
		const answer = await this.#tools.ask("start", { base: this.#base.href, manifest, course: this.#course }, { told: (progress) => this.#heard?.(progress) });
		if (answer?.ended) throw Object.assign(new Error(answer.sentence), answer);
	}

	// answer asks for a program. A compiler that does not come to an end is ended.
	async #answer(cells, own, told) {
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
			return await tools.ask("build", { cells: cells.map((c) => ({ source: c.source, graded: c.points > 0, raises: Boolean(c.raises) })), own }, { told });
		} finally {
			clearTimeout(tooLong);
		}
	}

	// told is what build returns of an answer.
	#told(cells, { problems, rest, left, bodies, times }) {
		const id = (cell) => cells[cell].id;
		const list = problems.map((p) => ({ ...p, cell: id(p.cell) }));
		if (rest) list.push({ cell: null, line: 0, column: 0, text: rest });
		return { ok: list.length === 0, problems: list, left: Object.keys(left).map(Number).filter((cell) => !bodies.includes(cell)).map(id), times };
	}

	#why(cells, { needs, from }) {
		return needs ? `It needs ${needs}, which a cell above declares that does not compile.` : "The cell does not compile.";
	}

	// warm has a worker ready for the next program.
	#warm() { this.#prepared().then(({ manifest }) => { this.#spare ??= this.#worker(manifest); }); }

	async #execute(module, cell, { onText, onDisplay }, limits) {
		const { manifest } = await this.#prepared();
		const { overTime } = await import(new URL(manifest.scripts + "/endings.js", this.#base));
		if (this.#program) throw new Error("a program is running");
		const worker = this.#spare ?? this.#worker(manifest), scores = [];
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
