// Search in an index that is a script, so that it also works from a file. It is loaded when
// somebody begins to search.
"use strict";
(() => {
	const root = document.body.dataset.root;
	const field = document.getElementById("search"), found = document.getElementById("found"), count = document.getElementById("found-count");
	const most = 12, around = 60;
	let loading;

	const plain = (s) => s.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
	function load() {
		loading ??= new Promise((resolve, reject) => {
			const script = document.createElement("script");
			script.src = root + "search-index.js";
			script.onload = () => resolve(window.searchIndex.map((s) => ({ ...s, title: s.title, inTitle: plain(s.title), inHeading: plain(s.heading || ""), inText: plain(s.text) })));
			script.onerror = () => { loading = undefined; reject(new Error("the index of the search is not there")); };
			document.head.append(script);
		});
		return loading;
	}

	// A section is found if it has every word that was typed; where they stand says how well.
	function rank(section, words) {
		let sum = 0;
		for (const word of words) {
			const at = section.inText.indexOf(word), starts = new RegExp("(^|[^a-z0-9])" + word.replace(/[^a-z0-9]/g, "\\$&")).test(section.inText);
			const score = (section.inTitle.includes(word) ? 8 : 0) + (section.inHeading.includes(word) ? 12 : 0) + (starts ? 3 : at >= 0 ? 1 : 0);
			if (score === 0) return 0;
			sum += score;
		}
		return sum;
	}

	function excerpt(section, words) {
		const at = Math.max(0, Math.min(...words.map((w) => section.inText.indexOf(w)).filter((i) => i >= 0), section.text.length) - around);
		return (at > 0 ? "… " : "") + section.text.slice(at, at + 3 * around).trim() + " …";
	}

	// marked is a text with what was typed marked in it.
	function marked(text, words) {
		const span = document.createElement("span");
		const pattern = new RegExp("(" + words.map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|") + ")", "gi");
		text.split(pattern).forEach((part, i) => {
			if (i % 2) { const m = document.createElement("mark"); m.textContent = part; span.append(m); } else span.append(part);
		});
		return span;
	}

	function close() { found.hidden = true; found.replaceChildren(); count.textContent = ""; }

	const typed = () => plain(field.value).split(/[^\p{L}\p{N}_.]+/u).filter((w) => w.length > 1);

	async function show() {
		const words = typed();
		if (words.length === 0) return close();
		let index;
		try { index = await load(); } catch (error) { count.textContent = error.message; return; }
		if (typed().join(" ") !== words.join(" ")) return; // somebody has typed on
		const hits = index.map((section, i) => ({ section, i, score: rank(section, words) })).filter((h) => h.score > 0)
			.sort((a, b) => b.score - a.score || a.i - b.i);
		const list = document.createElement("ul");
		for (const { section } of hits.slice(0, most)) {
			const item = document.createElement("li"), link = document.createElement("a"), title = document.createElement("strong"), text = document.createElement("small");
			link.href = root + section.page;
			title.append(marked(section.heading ? section.title + ": " + section.heading : section.title, words));
			text.append(marked(excerpt(section, words), words));
			link.append(title, text);
			item.append(link);
			list.append(item);
		}
		if (hits.length === 0) { const p = document.createElement("p"); p.textContent = "Nothing has all of these words."; found.replaceChildren(p); } else found.replaceChildren(list);
		count.textContent = hits.length === 0 ? "Nothing was found" : hits.length + (hits.length === 1 ? " section was found" : " sections were found");
		found.hidden = false;
	}

	field.addEventListener("focus", () => load().catch(() => {}));
	field.addEventListener("input", show);
	// Arrow keys walk through the list; Escape leaves it.
	field.parentElement.addEventListener("keydown", (event) => {
		const links = [...found.querySelectorAll("a")], at = links.indexOf(document.activeElement);
		if (event.key === "ArrowDown" && links.length > 0) links[Math.min(at + 1, links.length - 1)].focus();
		else if (event.key === "ArrowUp" && at >= 0) (at === 0 ? field : links[at - 1]).focus();
		else if (event.key === "Escape") { close(); field.focus(); } else return;
		event.preventDefault();
	});
	found.addEventListener("click", (event) => { if (event.target.closest("a")) close(); });
	document.addEventListener("click", (event) => { if (!field.parentElement.contains(event.target)) close(); });
	document.addEventListener("keydown", (event) => {
		const typing = event.target.closest("input, textarea, [contenteditable=true], .cm-editor");
		if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); field.focus(); }
	});
	field.parentElement.hidden = false;
})();
