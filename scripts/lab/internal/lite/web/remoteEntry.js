// A kernel for JupyterLite that compiles and runs Go in the browser: an extension without a
// bundler, for all that it needs is shared by JupyterLite (BaseKernel and IKernelSpecs of
// @jupyterlite/services) or comes with the engine of package browser.
"use strict";
(() => {
	const name = "mllabs-go-kernel", id = name + ":kernel";
	const here = document.currentScript.src;
	const own = new URL("engine/", here); // where the engine is, unless the site's settings name another place

	let shared;
	const load = async (module) => (await Object.values(shared[module])[0].get())();

	// engineFor is the engine of a notebook's course, which is its folder's name.
	async function engineFor(location, base) {
		const manifest = await fetch(new URL("manifest.json", base)).then((response) => {
			if (!response.ok) throw new Error(`The Go tools are not there: ${base} answers ${response.status}.`);
			return response.json();
		});
		const course = location.replace(/^\w*:/, "").split("/").find((folder) => Object.hasOwn(manifest.courses, folder)) ?? "";
		const { Engine } = await import(new URL("engine.js?v=" + manifest.scripts, base));
		return { engine: new Engine({ base, course }), go: manifest.go };
	}

	const megabytes = (bytes) => Math.round(bytes / 1e6);

	const kernelClass = (BaseKernel, base) => class GoKernel extends BaseKernel {
		#cells = []; // {id, source} of cells that compiled, in the order in which they were run
		#prepared; #loaded = false; #running = 0;

		constructor(options) {
			super(options);
			this.#prepared = engineFor(options.location ?? "", base);
			this.#prepared.catch(() => {}); // told where it is used
		}

		async kernelInfoRequest() {
			const { go } = await this.#prepared.catch(() => ({ go: "" }));
			const version = go.replace(/^go/, "");
			return {
				implementation: name, implementation_version: "1", protocol_version: "5.3", status: "ok", banner: `Go ${version}, compiled in this browser`, help_links: [],
				language_info: { name: "go", version, mimetype: "text/x-go", file_extension: ".go", codemirror_mode: "go", pygments_lexer: "go", nbconvert_exporter: "" },
			};
		}

		async executeRequest({ code, silent }) {
			const count = this.executionCount, cell = { id: this.parent?.metadata?.cellId ?? `run-${count}`, source: code };
			const fail = (ename, evalue) => {
				const error = { ename, evalue, traceback: [ename === "does not compile" ? `It ${ename}: ${evalue}` : evalue] };
				if (!silent) this.publishExecuteError(error);
				return { status: "error", execution_count: count, ...error };
			};
			this.#running++;
			try {
				const { engine } = await this.#prepared;
				await this.#load(engine);
				const cells = [...this.#cells.filter((c) => c.id !== cell.id), cell];
				const built = await engine.build(cells);
				if (built.ended) return fail(built.ended, built.sentence);
				const wrong = built.problems.filter((p) => p.cell === cell.id || p.cell === null);
				if (wrong.length > 0) return fail("does not compile", wrong.map((p) => (p.line ? `line ${p.line}: ` : "") + p.text).join("\n"));
				this.#cells = cells;
				for (const p of built.problems) this.stream({ name: "stderr", text: `In a cell that was run before: ${p.text}\n` });
				if (!built.program) return { status: "ok", execution_count: count, user_expressions: {} };
				const how = await engine.run(built.program, cell.id, this.#events());
				if (how.ended === "done") return { status: "ok", execution_count: count, user_expressions: {} };
				const at = how.at.filter((p) => p.cell === cell.id && p.line > 0).map((p) => `line ${p.line}` + (p.name ? ` in ${p.name}` : ""));
				return fail(how.ended === "compile" ? "does not compile" : how.ended, how.sentence + (at.length > 0 ? `\n(${[...new Set(at)].join(", ")})` : ""));
			} catch (error) {
				return fail(error.ended ?? "error", error.sentence ?? error.message ?? String(error));
			} finally {
				this.#running--;
			}
		}

		// load fetches the tools, and says before it how much that is.
		async #load(engine) {
			if (this.#loaded) return;
			const { download, memory } = await engine.describe();
			const display_id = `${this.id}-tools-${this.executionCount}`;
			const say = (text, update) => {
				const content = { data: { "text/plain": text }, metadata: {}, transient: { display_id } };
				if (update) this.updateDisplayData(content);
				else this.displayData(content);
			};
			const what = download > 0 ? `Go's compiler and the packages are fetched, ${megabytes(download)} MB, once` : "Go's compiler is started";
			say(`${what}; it takes up to ${megabytes(memory)} MB of memory.`, false);
			let shown = 0;
			try {
				await engine.load(({ loaded, total }) => {
					if (Date.now() - shown < 500) return;
					shown = Date.now();
					say(`${what}: ${megabytes(loaded)} of ${megabytes(total)} MB.`, true);
				});
				this.#loaded = true;
				say("Go is ready.", true);
			} catch (error) {
				say("Go could not be loaded.", true);
				throw error;
			}
		}

		#events() {
			const shown = new Set();
			return {
				onText: (fd, text) => this.stream({ name: fd === 2 ? "stderr" : "stdout", text }),
				onDisplay: ({ data, metadata, id }) => {
					const content = { data, metadata: metadata ?? {}, transient: id ? { display_id: id } : {} };
					if (id && shown.has(id)) this.updateDisplayData(content);
					else this.displayData(content);
					if (id) shown.add(id);
				},
			};
		}

		// interrupt ends what is being built or run. JupyterLite has no such message for kernels.
		async interrupt() {
			if (this.#running > 0) (await this.#prepared).engine.stop();
		}

		async #names() {
			const { engine } = await this.#prepared;
			return engine.names(() => this.#cells.map((c) => c.source).reverse());
		}

		// Positions are in code points here, and in UTF-16 in scripts.
		async completeRequest({ code, cursor_pos }) {
			const text = [...code].slice(0, cursor_pos).join("");
			const found = (await this.#names().catch(() => undefined))?.complete(text);
			const start = found ? [...text.slice(0, found.from)].length : cursor_pos, begun = found ? text.slice(found.from) : "";
			const options = (found?.options ?? []).filter((o) => o.label.toLowerCase().startsWith(begun.toLowerCase()));
			return {
				status: "ok", cursor_start: start, cursor_end: cursor_pos, matches: options.map((o) => o.label),
				metadata: { _jupyter_types_experimental: options.map((o) => ({ start, end: cursor_pos, text: o.label, type: o.type, signature: o.detail })) },
			};
		}

		async inspectRequest({ code, cursor_pos }) {
			const at = [...code].slice(0, cursor_pos).join("").length;
			const found = (await this.#names().catch(() => undefined))?.describe(code, at);
			return { status: "ok", found: Boolean(found), metadata: {}, data: found ? { "text/plain": found.sig + (found.doc ? "\n\n" + found.doc : "") } : {} };
		}

		async isCompleteRequest() { return { status: "unknown" }; }
		async commInfoRequest() { return { status: "ok", comms: {} }; }
		inputReply() { }
		async commOpen() { }
		async commMsg() { }
		async commClose() { }

		dispose() {
			if (this.isDisposed) return;
			this.#prepared.then(({ engine }) => engine.close(), () => {});
			super.dispose();
		}
	};

	async function extension() {
		const [{ BaseKernel, IKernelSpecs }, { PageConfig }] = await Promise.all([load("@jupyterlite/services"), load("@jupyterlab/coreutils")]);
		const plugin = {
			id, autoStart: true, requires: [IKernelSpecs],
			activate: (app, specs) => {
				let settings = {};
				try {
					settings = JSON.parse(PageConfig.getOption("litePluginSettings") || "{}")[id] ?? {};
				} catch { /* no settings */ }
				const base = settings.engine ? new URL(settings.engine, PageConfig.getBaseUrl()) : own;
				const GoKernel = kernelClass(BaseKernel, base), kernels = new Map();
				specs.register({
					spec: { name: "gonb", display_name: "Go (in this browser)", language: "go", argv: [], resources: {} },
					create: async (options) => {
						const kernel = new GoKernel(options);
						kernels.set(kernel.id, kernel);
						kernel.disposed.connect(() => { if (kernels.get(kernel.id) === kernel) kernels.delete(kernel.id); });
						return kernel;
					},
				});
				// JupyterLab may have asked for kernels before, and would ask people to choose one.
				app.serviceManager.kernelspecs.refreshSpecs().catch(() => {});
				// Whoever asks to interrupt means the notebook or console in front.
				app.commands.commandExecuted.connect((_, { id: command }) => {
					if (!/interrupt/.test(command)) return;
					const widget = app.shell.currentWidget, session = widget?.sessionContext?.session ?? widget?.content?.sessionContext?.session;
					const kernel = kernels.get(session?.kernel?.id);
					for (const k of kernel ? [kernel] : kernels.values()) k.interrupt();
				});
			},
		};
		return () => ({ __esModule: true, default: [plugin] });
	}

	globalThis._JUPYTERLAB ??= {};
	globalThis._JUPYTERLAB[name] = {
		init: (scope) => { shared = scope; },
		get: (module) => (module === "./extension" ? extension() : Promise.reject(new Error("no module " + module))),
	};
})();
