// The place for an answer in words.

export class AnswerView {
	#area;

	constructor(cell, section, original, { changed }) {
		this.id = cell.id;
		this.original = original;
		this.label = "Your answer: " + section.dataset.label;
		const area = document.createElement("textarea");
		area.setAttribute("aria-label", this.label);
		area.placeholder = "Write your answer here.";
		area.rows = 3;
		area.addEventListener("input", () => { this.#fit(); changed(this); });
		section.querySelector(".blank").replaceWith(area);
		this.#area = area;
	}

	// The text of an empty place is what it was handed out with.
	get text() { return this.#area.value.trim() === "" ? this.original : this.#area.value; }
	set text(text) {
		this.#area.value = text === this.original ? "" : text;
		this.#fit();
	}
	get changed() { return this.text !== this.original; }

	#fit() {
		this.#area.style.height = "auto";
		this.#area.style.height = this.#area.scrollHeight + 4 + "px";
	}
}
