// A Terminal knows what a terminal would show of a text that comes in pieces: a carriage return
// begins its line anew, as bars of progress do, a backspace goes back, and what sets colours or
// moves about the screen is left out, for here it would be read as text.
export class Terminal {
	#line = ""; #at = 0; #rest = ""; // the last line, where in it the next character goes, and half a sequence

	// write returns how many of the last characters shown go, and what comes in their place.
	write(text) {
		text = this.#rest + text;
		this.#rest = /\x1b(\[[0-9;?]{0,30})?$/.exec(text)?.[0] ?? "";
		text = text.slice(0, text.length - this.#rest.length).replace(/\x1b(\[[0-9;?]*[ -/]*[@-~]|[@-Z\\-_])?|[\0-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]/g, "");
		if (this.#at === this.#line.length && !/[\b\r]/.test(text)) {
			const end = text.lastIndexOf("\n") + 1;
			this.#line = (end > 0 ? "" : this.#line) + text.slice(end);
			this.#at = this.#line.length;
			return { back: 0, shown: text };
		}
		const back = this.#line.length;
		let shown = "";
		for (const part of text.match(/[\b\r\n]|[^\b\r\n]+/g) ?? []) {
			if (part === "\r") this.#at = 0;
			else if (part === "\b") this.#at = Math.max(0, this.#at - 1);
			else if (part === "\n") {
				shown += this.#line + "\n";
				this.#line = "";
				this.#at = 0;
			} else {
				this.#line = this.#line.slice(0, this.#at) + part + this.#line.slice(this.#at + part.length);
				this.#at += part.length;
			}
		}
		return { back, shown: shown + this.#line };
	}
}
