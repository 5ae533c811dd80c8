// One engine for the page: it builds what stands in the cells and runs one of them after
// the other. What waits is dropped when somebody presses Stop.

export const stopped = { ended: "stopped", sentence: "Stopped.", at: [], scores: [] };

export class Session {
	#engine; #cells; #state; #built; #queue = Promise.resolve(); #stops = 0; #loading; #warm = false;

	// cells() are the code cells as the engine wants them, and state() tells one state of them
	// from another; built(result) is called with the result of each build.
	constructor(engine, { cells, state, built }) {
		this.#engine = engine;
		this.#cells = cells;
		this.#state = state;
		this.#built = built;
	}

	// describe tells in bytes what a first run fetches, and needs of memory.
	describe() { return this.#engine.describe(); }

	// load fetches the tools, once.
	load(progress) {
		this.#loading ??= Promise.resolve(this.#engine.load(progress)).catch((error) => { this.#loading = undefined; throw error; });
		return this.#loading;
	}

	// warm says that the tools have built something since they were started: the first build
	// takes much longer than later ones.
	get warm() { return this.#warm; }

	// build builds the cells as they stand when their turn has come.
	build(begin) { return this.#inTurn(async () => { begin?.(); return this.#build(); }); }

	// run builds and runs a cell. events: {building(), running(), onText, onDisplay}. The
	// result has the state of the cells that were built: while they run they may be changed.
	run(id, events) {
		return this.#inTurn(async () => {
			events.building();
			const built = await this.#build();
			if (built.ended) return { ...stopped, ...built }; // was stopped, or took too long
			if (!built.program || built.omitted?.includes(id)) return { ended: "omitted", sentence: "", at: [], scores: [], built };
			events.running();
			return { ...await this.#engine.run(built.program, id, events, {}), built, state: built.state };
		});
	}

	stop() {
		this.#stops++;
		this.#engine.stop();
	}

	async #build() {
		const state = this.#state(), result = await this.#engine.build(this.#cells());
		this.#warm = !result.ended; // what was ended is started anew
		if (!result.ended) this.#built(result);
		return { ...result, state };
	}

	#inTurn(job) {
		const stops = this.#stops;
		const turn = this.#queue.then(() => (stops === this.#stops ? job() : stopped));
		this.#queue = turn.catch(() => {});
		return turn;
	}
}
