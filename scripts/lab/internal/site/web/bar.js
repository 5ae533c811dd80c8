// The bar above a notebook: what concerns all of its cells, and what is going on.
import { button } from "./cellview.js";

export class Bar {
	#status; #progress; #points; #old; #stop; #undo; #live;

	// actions: {runAll, checkAll, stop, download, upload(file), resetAll, undoAll}.
	constructor(host, actions) {
		this.#stop = button("Stop", "End what runs", actions.stop);
		this.#stop.disabled = true;
		const check = button("Check all my work", "", actions.checkAll);
		check.className = "main";
		const file = document.createElement("input");
		file.type = "file";
		file.accept = ".ipynb,application/x-ipynb+json,application/json";
		file.hidden = true;
		file.addEventListener("change", () => { if (file.files[0]) actions.upload(file.files[0]); file.value = ""; });
		const more = disclosure("More", [button("Download my notebook", "A file for Jupyter with your answers", actions.download),
			button("Upload a notebook", "Take the answers of a file", () => file.click()),
			button("Reset everything", "Put back what was handed out", actions.resetAll), file, keys()]);
		this.#old = disclosure("", []);
		this.#old.classList.add("old");
		this.#old.hidden = true;
		this.#undo = button("Undo", "Put back the answers that you had before the reset", actions.undoAll);
		this.#undo.setAttribute("aria-label", "Undo the reset of everything");
		this.#undo.hidden = true;
		this.#points = document.createElement("span");
		this.#points.className = "points";
		this.#status = document.createElement("span");
		this.#status.className = "status";
		this.#progress = document.createElement("progress");
		this.#progress.hidden = true;
		this.#progress.setAttribute("aria-label", "Download");
		this.#live = document.createElement("div");
		this.#live.className = "unseen-label";
		this.#live.setAttribute("role", "status");
		host.setAttribute("role", "group");
		host.setAttribute("aria-label", "This notebook");
		// What is scrolled to stands below the bar, whatever its height.
		new ResizeObserver(() => { document.documentElement.style.scrollPaddingTop = host.offsetHeight + 16 + "px"; }).observe(host);
		host.append(group("buttons", button("Run all", "Run all cells in their order", actions.runAll), check, this.#stop, more, this.#undo), group("news", this.#progress, this.#status, this.#points, this.#old), this.#live);
	}

	// status says what is going on, with a share from 0 to 1 if that is known.
	status(text, share) {
		this.#status.textContent = text;
		this.#progress.hidden = share === undefined;
		if (share !== undefined) this.#progress.value = share;
	}

	busy(yes) { this.#stop.disabled = !yes; }

	// offerUndo shows or hides the button that undoes a reset of everything.
	offerUndo(yes) { this.#undo.hidden = !yes; }

	// points shows points, and the checks of which they are older than the text: [{name, go()}].
	points(text, old) {
		this.#points.textContent = text;
		this.#old.hidden = old.length === 0;
		this.#old.querySelector("summary").textContent = old.length + " before your last change";
		this.#old.querySelector(".menu").replaceChildren("Check again:", ...old.map(({ name, go }) => {
			const link = button(name, "", () => { this.#old.open = false; go(); });
			link.className = "link";
			return link;
		}));
	}

	// announce says something to those who cannot see the page.
	announce(text) { this.#live.textContent = text; }
}

function group(name, ...nodes) {
	const div = document.createElement("div");
	div.className = name;
	div.append(...nodes);
	return div;
}

// disclosure shows a menu below its summary, until Escape or a press elsewhere.
function disclosure(text, nodes) {
	const details = document.createElement("details"), summary = document.createElement("summary");
	details.className = "more";
	summary.textContent = text;
	details.append(summary, group("menu", ...nodes));
	details.addEventListener("keydown", (event) => { if (event.key === "Escape") { details.open = false; summary.focus(); } });
	document.addEventListener("click", (event) => { if (!details.contains(event.target)) details.open = false; });
	return details;
}

function keys() {
	const dl = document.createElement("dl");
	dl.className = "keys";
	for (const [key, what] of [["Shift-Enter", "run or check the cell and go to the next"], ["Ctrl-Enter", "run or check the cell"], ["Ctrl-Space", "complete a name, as a dot does by itself; arrows and Enter choose"], ["Ctrl-I", "explain the name at the cursor"], ["Tab", "indent"], ["Escape, then Tab", "leave the editor"], ["/", "search"]]) {
		const dt = document.createElement("dt"), dd = document.createElement("dd"), kbd = document.createElement("kbd");
		kbd.textContent = key;
		dt.append(kbd);
		dd.textContent = what;
		dl.append(dt, dd);
	}
	return dl;
}
