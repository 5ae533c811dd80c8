// What a page imports to build and run Go in cells: new Engine({base, course}). Its methods
// are described below; package browser's doc.go tells how the parts work together.

// What a program may take, unless run is told otherwise.
const usual = { seconds: 120, memory: 1 << 30, output: 1 << 20, shown: 64 << 20, displays: 10_000 };

// How much longer a case of a check may take than outside of a browser: there a program is up to
// four times as fast.
const slower = 4;

// How long a build may take: there are programs that keep a compiler busy for ever.
const buildSeconds = 120;

// What a page takes of memory at most, in bytes: itself, the tools and, while it works, the
// linker. It was measured (see doc.go).
const working = 450e6;

// How what stop ends has ended.
const stopped = { ended: "stopped", sentence: "Stopped." };

export class Engine {
	#base; #course; #ready; #loading; #tools; #onProgress; #program; #spare; #script; #packages;
	#built; // the latest build, see #begin
	#made; // its program, as a buffer

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
		return { download, cached, memory: working };
	}

	// names promises what an editor of a cell knows of names, see names.js: those of the
	// packages that cells may import, and of texts(), the other cells. Nothing else has to be
	// loaded for it.
	async names(texts) {
		const { manifest, store } = await this.#prepared(), file = manifest.names[this.#course];
		this.#packages ??= file ? store.get(file).then((response) => response.json()) : Promise.resolve([]);
		this.#packages.catch(() => { this.#packages = undefined; }); // it may be there the next time
		const [{ Names }, packages] = await Promise.all([import(new URL(manifest.scripts + "/names.js", this.#base)), this.#packages]);
		return new Names(packages, texts);
	}

	// load fetches and compiles the tools, and calls onProgress({what, loaded, total}) meanwhile,
	// in bytes. Once loaded, it does nothing.
	async load(onProgress) {
		if (onProgress) this.#onProgress = onProgress;
		if (!this.#loading) {
			const loading = this.#loading = this.#start(() => this.#loading === loading);
			loading.catch((error) => { if (this.#loading === loading) this.#end(error); });
		}
		return this.#loading;
	}

	// build builds the program of cells: all code cells of the page, in their order, as
	// [{id, source, points, raises}]. A cell that does not compile is left out:
	// {ok, program, problems: [{cell, line, column, text}], omitted: [id], ms}. ok says that
	// there are no problems. Where there are, it returns as soon as they are known, and what
	// can be built is built meanwhile: then omitted may lack cells that need one that is
	// left out; run says so when such a cell is run. After stop it is {ended: "stopped"}.
	async build(cells) {
		const begun = performance.now();
		const key = JSON.stringify(cells);
		if (this.#built?.key !== key) {
			this.#forget(); // the program of before makes room for it
			const job = this.#built = this.#begin(cells, key);
			const forget = () => { if (this.#built === job) this.#built = undefined; };
			job.answer.then((answer) => {
				if (answer.ended) return forget();
				if (this.#built !== job) return this.#release(answer.made);
				this.#made = answer.made;
				this.#warm();
			}, forget);
		}
		const job = this.#built;
		const answer = await job.first;
		if (answer.ended) return { ok: false, program: null, problems: [], omitted: [], ...answer, ms: performance.now() - begun };
		return { ...this.#result(cells, job.latest), program: job.latest.none ? null : { cells, answer: job.answer }, ms: performance.now() - begun };
	}

	// begin begins to build cells; key identifies them. answer is what comes of it,
	// first that or the first problems, and latest what is known.
	#begin(cells, key) {
		const job = { key };
		job.first = new Promise((resolve, reject) => {
			job.answer = this.#answer(cells, -1, (problems) => resolve(job.latest = problems));
			job.answer.then((answer) => resolve(job.latest = { ...answer, none: !answer.made }), reject);
		});
		return job;
	}

	// run runs the body of a cell, and calls events.onText(fd, text) and
	// events.onDisplay({data, metadata, id}) with what it prints and shows.
	// events.onRecorded(key) is called when an answer of a peer in Python was recorded; a page
	// that can ask one answers what was not recorded in events.onQuestion({key, script, request}),
	// a promise of its text. events.onInput() is called when the program first reads its standard
	// input, which is empty. limits are seconds, which do not count while the program only waits
	// for the page, bytes of memory, of output (text) and of what is shown, and the number of
	// displays. Where a program is ended in a check, what is known of that check is shown. How it
	// ended: {ended, sentence, at: [{cell, line, name}], scores, ms}; name is that of the function
	// there, "" in the body of a cell.
	async run(program, id, events = {}, limits = {}) {
		let begun = performance.now(); // again when there is a program: to build it is no part of the run
		const cell = program.cells.findIndex((c) => c.id === id);
		const ended = (how) => ({ scores: [], ...how, at: (how.at ?? []).map((p) => ({ cell: program.cells[p.cell]?.id, line: p.line, name: p.name ?? "" })), ms: performance.now() - begun });
		if (cell < 0) throw new Error(`no cell has the id ${id}`);
		const page = await this.#prepared();
		let answer = await program.answer;
		if (answer.made?.byteLength === 0) answer = await this.#answer(program.cells, -1); // a later one took its place
		if (!answer.ended && answer.own.includes(cell)) {
			answer = await this.#answer(program.cells, cell);
			const wrong = answer.problems?.filter((p) => p.cell === cell) ?? [];
			if (wrong.length > 0) return ended({ ended: "compile", sentence: wrong.map((p) => p.text).join("\n"), at: wrong });
		}
		if (answer.ended) return ended(answer);
		const { made, bodies, omitted } = answer;
		if (omitted[cell] && !bodies.includes(cell)) return ended({ ended: "compile", sentence: why(omitted[cell]), at: [] });
		if (!made) return ended({ ended: "error", sentence: "There is no program.", at: [] });
		if (!bodies.includes(cell)) return ended({ ended: "done", sentence: "" }); // declarations
		if (this.#program) throw new Error("a program is running");
		begun = performance.now();
		const isLatest = made === this.#made, worker = isLatest && this.#spare || this.#runner(page, made, isLatest ? [] : [made]);
		if (isLatest) this.#spare = undefined;
		return ended(await this.#execute(page, worker, cell, events, { ...usual, ...limits }));
	}

	// stop ends what is being built or run.
	stop() {
		if (this.#program) {
			this.#program.finish(stopped);
		} else if (this.#tools?.busy) {
			this.#tools.end(stopped);
			this.#tools = this.#loading = undefined;
		} else if (!this.#tools) {
			this.#loading = undefined; // #start sees it
		}
	}

	// close ends everything.
	close() {
		this.stop();
		this.#end();
	}

	#end(error) {
		this.#tools?.end(error);
		this.#forget();
		this.#tools = this.#loading = undefined;
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
		const scripts = ["store.js", "library.js", "endings.js", "clock.js", "release.js"].map((name) => import(new URL(manifest.scripts + "/" + name, this.#base)));
		const [{ Store }, { Library }, endings, { Clock }, { release }] = await Promise.all(scripts);
		const store = new Store(this.#base, manifest);
		return { manifest, store, library: new Library(store, manifest), endings, Clock, release };
	}

	#files(manifest) {
		return [...Object.values(manifest.tools), ...manifest.courses[this.#course].map((name) => manifest.packs[name])];
	}

	// start starts the tools, unless what wanted them was stopped before there were any.
	async #start(wanted) {
		const { manifest } = await this.#prepared();
		const { Asking } = await import(new URL(manifest.scripts + "/asking.js", this.#base));
		if (!wanted()) throw failure(stopped);
		this.#tools = new Asking(new URL(manifest.scripts + "/tools.js", this.#base));
		const answer = await this.#tools.ask("start", { base: this.#base.href, manifest, course: this.#course }, { onMessage: (progress) => this.#onProgress?.(progress) });
		if (answer?.ended) throw failure(answer);
	}

	// answer asks for a program, and calls onMessage with the problems as soon as there are
	// some. A compiler that does not come to an end is ended.
	async #answer(cells, own, onMessage) {
		try {
			await this.load();
		} catch (error) {
			if (error.ended) return { ended: error.ended, sentence: error.sentence };
			throw error;
		}
		const tools = this.#tools;
		const tooLong = setTimeout(() => {
			tools.end({ ended: "time", sentence: `The compiler was ended after ${buildSeconds} seconds.` });
		}, buildSeconds * 1000);
		try {
			return await tools.ask("build", { cells: cells.map((c) => ({ source: c.source, graded: c.points > 0, raises: Boolean(c.raises) })), own }, { onMessage });
		} finally {
			clearTimeout(tooLong);
			if (tools.ended && this.#tools === tools) this.#tools = this.#loading = undefined; // the next build starts them anew
		}
	}

	// result is what build returns of an answer.
	#result(cells, { problems, rest, omitted, bodies, times }) {
		const id = (cell) => cells[cell].id;
		const list = problems.map((p) => ({ ...p, cell: id(p.cell) }));
		if (rest) list.push({ cell: null, line: 0, column: 0, text: rest });
		return { ok: list.length === 0, problems: list, omitted: Object.keys(omitted).map(Number).filter((cell) => !bodies.includes(cell)).map(id), times };
	}

	// runner is a worker that is to run a program once. It compiles it at once, for what is
	// compiled is given back only with its worker. transfer is [made] where no other run needs it.
	#runner({ manifest }, made, transfer = []) {
		// A worker whose script is a blob has the policy of the page, while one that comes from
		// the server has what the server says, mostly nothing.
		this.#script ??= URL.createObjectURL(new Blob([`import ${JSON.stringify(new URL(manifest.scripts + "/program.js", this.#base))};`], { type: "text/javascript" }));
		const worker = new Worker(this.#script, { type: "module" });
		worker.onerror = () => { if (this.#spare === worker) this.#spare = undefined; }; // the next run begins one anew
		worker.postMessage({ made }, transfer);
		return worker;
	}

	// warm has a runner of the latest program ready for the next run.
	async #warm() {
		const page = await this.#prepared();
		if (this.#made) this.#spare ??= this.#runner(page, this.#made);
	}

	// forget gives back what the latest program takes.
	#forget() {
		this.#spare?.terminate();
		this.#release(this.#made);
		this.#spare = this.#made = undefined;
	}

	// release gives back a program, if there is one and no runner has taken it.
	#release(made) {
		if (made) this.#prepared().then(({ release }) => { if (made.byteLength > 0) release(made); });
	}

	#execute({ library, endings, Clock }, worker, cell, { onText, onDisplay, onRecorded, onQuestion, onInput }, limits) {
		const scores = [];
		return new Promise((resolve) => {
			let over = false, unfinished, ofCase; // what to show of a check if it does not end, and the seconds of its case
			const clock = new Clock(limits.seconds, (isCase) => finish(isCase ? endings.overCase(ofCase) : endings.overTime(limits.seconds)));
			const show = (bundle) => {
				const score = bundle.data[scoreType];
				if (score) scores.push(JSON.parse(score));
				onDisplay?.(bundle);
			};
			// Pieces of text that come together are told as one: each would be drawn.
			let text = "", of = 1, soon;
			const flush = () => {
				clearTimeout(soon);
				soon = undefined;
				const piece = text;
				text = "";
				if (piece !== "") onText?.(of, piece);
			};
			const print = (fd, more) => {
				if (fd !== of) flush();
				of = fd;
				text += more;
				soon ??= setTimeout(flush, 20);
			};
			const finish = (how) => {
				if (over) return;
				over = true;
				flush();
				if (unfinished && how.ended !== "done") show(unfinished);
				clock.stop();
				worker.terminate();
				this.#program = undefined;
				this.#warm();
				resolve({ ...how, scores });
			};
			this.#program = { finish };
			const answer = async (id, coming) => {
				clock.wait();
				const value = await Promise.resolve(coming).catch(() => undefined);
				clock.waited();
				if (!over) worker.postMessage({ id, answer: value });
			};
			worker.onerror = (event) => finish({ ended: "error", sentence: "The program could not be started: " + (event.message ?? "its script cannot be fetched. Reload the page.") });
			worker.onmessage = ({ data: { kind, ...data } }) => {
				if (over) return;
				if (kind === "text") return print(data.fd, data.text);
				flush();
				if (kind === "idle") clock.idle(data.yes);
				else if (kind === "file") answer(data.id, library.file(data.name));
				else if (kind === "question") answer(data.id, library.recorded(data.key, onRecorded) ?? onQuestion?.(data));
				else if (kind === "input") onInput?.();
				else if (kind === "display") show(data.bundle);
				else if (kind === "unfinished") {
					unfinished = data.bundle;
					clock.part(ofCase = data.seconds && slower * data.seconds);
				} else finish(data);
			};
			worker.postMessage({ cell, limits, data: library.names });
		});
	}
}

// failure is an error that says how something has ended.
const failure = (how) => Object.assign(new Error(how.sentence), how);

// why says why a cell is not in the program.
const why = ({ needs }) => (needs ? `It needs ${needs}, which a cell above declares that does not compile.` : "The cell does not compile.");

// scoreType is the type under which what shows a check carries its score.
const scoreType = "application/vnd.mllabs.score+json";
