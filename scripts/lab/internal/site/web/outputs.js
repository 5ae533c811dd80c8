// What a cell has put out: text, and displays in the richest form that is safe. A display
// with an id replaces the earlier one of that id.
import { allowed } from "./allow.js";
import { Terminal } from "./terminal.js";

const mostText = 100_000, mostDisplays = 400;

// What makes a text long: it gets a bar to scroll it, so that what comes after it is not far.
const longText = 20_000, longLines = 200;

export class Outputs {
	#host; #texts; #displays; #byId; #length; #list;

	constructor(host) {
		this.#host = host;
		this.clear();
	}

	clear() {
		this.#host.replaceChildren();
		this.#host.hidden = true;
		this.#texts = null;
		this.#displays = 0;
		this.#length = 0;
		this.#byId = new Map();
		this.#list = []; // as a notebook holds them
	}

	// text adds what a program printed: fd is 1 or 2.
	text(fd, text) {
		const name = fd === 2 ? "stderr" : "stdout";
		const room = mostText - this.#length;
		if (room <= 0) return;
		this.#length += text.length;
		if (text.length > room) text = text.slice(0, room);
		if (this.#texts?.name !== name) {
			const pre = document.createElement("pre"), node = document.createTextNode(""), output = { output_type: "stream", name, text: "" }, terminal = new Terminal();
			pre.className = fd === 2 ? "stream stderr" : "stream";
			pre.append(node);
			this.#texts = { name, pre, node, output, terminal, lines: 0 };
			this.#list.push(output);
			this.#add(pre);
		}
		const { pre, node, output, terminal } = this.#texts, { back, shown } = terminal.write(text);
		node.replaceData(node.length - back, back, shown);
		output.text += text;
		this.#texts.lines += text.split("\n").length - 1;
		if (node.length > longText || this.#texts.lines > longLines) {
			pre.classList.add("long");
			pre.tabIndex = 0; // so that the keyboard can scroll it
		}
		if (this.#length > mostText) this.note("The rest of the text is left out here.");
	}

	// display shows a bundle, or replaces the one of its id.
	display({ data, metadata, id }) {
		if (++this.#displays > mostDisplays && !(id && this.#byId.has(id))) {
			if (this.#displays === mostDisplays + 1) this.note("Further figures and tables are left out here.");
			return;
		}
		this.#texts = null;
		const div = document.createElement("div");
		div.className = "rich " + (/^[a-z-]+$/.test(metadata?.mllabs ?? "") ? metadata.mllabs : "");
		div.append(this.#richest(data));
		const output = { output_type: "display_data", data, metadata: metadata ?? {} };
		if (id && this.#byId.has(id)) {
			const old = this.#byId.get(id);
			old.div.replaceWith(div);
			this.#list[this.#list.indexOf(old.output)] = output;
		} else {
			this.#list.push(output);
			this.#add(div);
		}
		if (id) this.#byId.set(id, { div, output });
	}

	// note says something about the outputs.
	note(text, kind = "note") {
		const p = document.createElement("p");
		p.className = kind;
		p.textContent = text;
		this.#texts = null;
		this.#add(p);
		return p;
	}

	// last is what was put out, in words, for those who cannot see it.
	last() {
		const alts = [...this.#host.querySelectorAll("img[alt]")].map((img) => "Figure: " + img.alt);
		return [this.#host.innerText.trim(), ...alts].join("\n").slice(0, 300);
	}

	// saved are the outputs as a notebook holds them.
	saved() { return structuredClone(this.#list); }

	// restore shows outputs of a notebook.
	restore(list) {
		for (const output of list ?? []) {
			if (output.output_type === "stream") this.text(output.name === "stderr" ? 2 : 1, joined(output.text));
			else if (output.data) this.display({ data: Object.fromEntries(Object.entries(output.data).map(([k, v]) => [k, joined(v)])), metadata: output.metadata });
		}
	}

	#add(node) {
		this.#host.append(node);
		this.#host.hidden = false;
		if (node.scrollWidth > node.clientWidth) node.tabIndex = 0; // so that the keyboard can scroll it
	}

	#richest(data) {
		const picture = (mime, base64) => {
			const img = document.createElement("img");
			img.src = "data:" + mime + ";base64," + base64.replace(/\s/g, "");
			img.alt = data["text/plain"] ?? "";
			const figure = document.createElement("figure");
			figure.append(img);
			return figure;
		};
		if (data["text/html"]) return allowed(data["text/html"]);
		// As a picture, SVG runs no script and loads nothing.
		if (data["image/svg+xml"]) return picture("image/svg+xml", btoa(String.fromCharCode(...new TextEncoder().encode(data["image/svg+xml"]))));
		if (data["image/png"]) return picture("image/png", data["image/png"]);
		if (data["image/jpeg"]) return picture("image/jpeg", data["image/jpeg"]);
		const pre = document.createElement("pre");
		pre.className = "stream";
		pre.textContent = data["text/plain"] ?? data["text/markdown"] ?? "";
		return pre;
	}
}

const joined = (v) => (Array.isArray(v) ? v.join("") : v);
