// What HTML of an output may hold. It is parsed into a document of its own, where nothing
// runs and nothing is loaded, and what the list does not name is not taken over: of an
// unknown element its text, of an unknown attribute nothing. No address leads anywhere.

const elements = new Set(("a abbr b blockquote br caption code col colgroup dd details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img kbd li ol p pre " +
	"progress s small span strong sub summary sup table tbody td tfoot th thead tr u ul").split(" "));
// Of these not even the text is taken over.
const dropped = new Set("base button embed frame frameset head iframe input link math meta noscript object option plaintext script select style svg template textarea title video audio xmp".split(" "));

const number = (limit) => (v) => /^\d{1,4}$/.test(v) && Number(v) <= limit;
const any = () => true;
const attributes = {
	alt: any, title: any, scope: (v) => /^(row|col|rowgroup|colgroup)$/.test(v), dir: (v) => /^(ltr|rtl|auto)$/.test(v), lang: (v) => /^[A-Za-z-]{2,20}$/.test(v),
	value: (v) => /^\d{1,9}(\.\d+)?$/.test(v), max: (v) => /^\d{1,9}(\.\d+)?$/.test(v), start: (v) => /^-?\d{1,6}$/.test(v),
	colspan: number(99), rowspan: number(999), width: number(4000), height: number(4000), open: any,
	src: (v) => /^data:image\/(png|jpeg|gif|svg\+xml);base64,[A-Za-z0-9+/=\s]*$/.test(v),
};

const length = "(0|auto|\\d{1,2}(\\.\\d+)?(px|pt)|[0-2]?(\\.\\d+)?(em|rem))";
const lengths = new RegExp("^" + length + "( " + length + "){0,3}$");
const plain = /^[#a-zA-Z0-9 .%,()-]+$/;
const styles = {
	"text-align": plain, "color": plain, "background-color": plain, "font-weight": plain, "font-style": plain, "list-style-type": plain,
	"vertical-align": /^[a-z-]+$/, "white-space": /^(normal|pre-wrap|pre-line)$/, "max-width": /^(\d{1,3}%|\d{1,4}px|\d{1,2}em)$/,
	"margin-top": lengths, "margin-bottom": lengths, "margin-left": lengths, "margin-right": lengths,
	"padding-top": lengths, "padding-bottom": lengths, "padding-left": lengths, "padding-right": lengths,
	"border-left-width": /^\dpx$/, "border-left-style": /^(solid|dashed|dotted|double)$/, "border-left-color": plain,
};

// How deep elements are taken over, and how many: a page stands still while it makes them.
const deepest = 60, most = 10_000;

// copy copies what is allowed, and counts in room what it may still make.
function copy(from, to, depth, room) {
	for (const node of from.childNodes) {
		if (room.left === 0) return;
		if (node.nodeType === Node.TEXT_NODE) { to.append(node.data); continue; }
		if (node.nodeType !== Node.ELEMENT_NODE) continue;
		const name = node.localName;
		if (dropped.has(name) || node.namespaceURI !== "http://www.w3.org/1999/xhtml") continue;
		if (!elements.has(name) || depth > deepest) { copy(node, to, depth + 1, room); continue; }
		room.left--;
		const made = document.createElement(name);
		for (const { name: key, value } of node.attributes) {
			if (Object.hasOwn(attributes, key) && attributes[key](value)) made.setAttribute(key, value);
		}
		for (const key of node.style ?? []) {
			const value = node.style.getPropertyValue(key);
			if (Object.hasOwn(styles, key) && styles[key].test(value) && !/url|expression|var\(|image|attr\(/i.test(value)) made.style.setProperty(key, value);
		}
		copy(node, made, depth + 1, room);
		to.append(made);
	}
}

// allowed is a fragment with what of the HTML is allowed.
export function allowed(html) {
	const fragment = document.createDocumentFragment(), room = { left: most };
	copy(new DOMParser().parseFromString(html, "text/html").body, fragment, 0, room);
	if (room.left === 0) {
		const note = document.createElement("p");
		note.className = "note";
		note.textContent = "The rest is left out here: it is too large to be shown.";
		fragment.append(note);
	}
	return fragment;
}
