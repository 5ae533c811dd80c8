// The desk: one task at a time, its answers side by side. What students wrote is put on the
// page as text, never as markup.
"use strict";

const byId = (id) => document.getElementById(id);
const say = (text) => { byId("state").textContent = text; };

let tasks = [];
let now = 0; // the task that is shown
let cards = []; // of its answers, in their order

function element(name, className, text) {
	const e = document.createElement(name);
	if (className) e.className = className;
	if (text !== undefined) e.textContent = text;
	return e;
}

// An answer waits for a mark, or for its reader to choose between theirs, which is mine here, and
// one that somebody else has given meanwhile.
const waits = (answer) => !answer.marked || Boolean(answer.mine);

function progress() {
	const all = tasks.flatMap((t) => t.answers), here = tasks[now].answers;
	say(`${here.filter(waits).length} of ${here.length} answers to be marked here, ${all.filter(waits).length} of ${all.length} in all.`);
}

// points are the buttons of a task: whole points, or as many steps as there is room for.
function steps(of) {
	const step = of <= 10 ? 1 : Math.ceil(of / 10), list = [];
	for (let p = 0; p < of; p += step) list.push(p);
	return [...list, of];
}

function show(card) {
	const { answer, element: e } = card, task = tasks[now];
	e.classList.toggle("marked", answer.marked);
	e.querySelector(".points").textContent = answer.marked ? `${answer.points} of ${task.of}` : `of ${task.of}`;
	for (const b of e.querySelectorAll(".give button")) b.setAttribute("aria-pressed", String(answer.marked && Number(b.value) === answer.points));
	e.querySelector(".who").textContent = byId("names").checked ? answer.students.join(", ")
		: answer.students.length > 1 ? `Answer ${card.index + 1}, of ${answer.students.length} students` : `Answer ${card.index + 1}`;
	const note = e.querySelector(".conflict");
	if (note && note.mine !== answer.mine) note.remove();
	if (answer.mine && note?.mine !== answer.mine) e.append(conflict(card));
	e.hidden = byId("waiting").checked && !waits(answer) && document.activeElement !== e && !e.contains(document.activeElement);
}

// Marks are sent one after the other, so that the last one given is the last one kept.
let sending = Promise.resolve();

function keep(card, change) {
	const { answer, index } = card, before = { ...answer }, task = now;
	Object.assign(answer, change, { mine: null });
	show(card);
	progress();
	const { marked, points, comment } = answer, refused = answer.refused || 0;
	const shown = () => { if (task === now) show(cards[index]); };
	sending = sending.then(async () => {
		let problem = "";
		if (refused !== (answer.refused || 0)) { // it was given before the reader could see theirs
			choose(answer, task, { marked, points, comment });
			return;
		}
		try {
			const by = byId("by").value.trim(), version = answer.version;
			const r = await fetch("mark", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ task, answer: index, marked, points, comment, by, version }) });
			if (r.ok) {
				answer.version = (await r.json()).version;
			} else if (r.status === 409) {
				answer.theirs = await r.json();
				answer.refused = (answer.refused || 0) + 1;
				choose(answer, task, { marked, points, comment });
				return;
			} else {
				problem = await r.text();
			}
		} catch {
			problem = "lab grade has ended. Start it again and load its new address.";
		}
		if (!problem) return;
		const { version, refused: times } = answer;
		Object.assign(answer, before, { version, refused: times });
		shown();
		say("The mark was not kept: " + problem);
	});
}

// choose leaves an answer with the mark that somebody else has given meanwhile, on another page,
// and asks the reader, wherever they are by now, whether theirs is to stand instead.
function choose(answer, task, mine) {
	Object.assign(answer, { by: "", at: "" }, answer.theirs, { mine });
	if (task === now) {
		const card = cards.find((c) => c.answer === answer);
		card.element.querySelector("textarea").value = answer.comment;
		show(card);
	}
	progress();
	say(task === now ? "Somebody else has marked this answer meanwhile: choose below it."
		: `Somebody else has marked an answer to “${tasks[task].title}” meanwhile: go back to it and choose below it.`);
}

const given = ({ marked, points, comment }) => (marked ? `${points} of ${tasks[now].of}` : "no points") + (comment ? ` and the comment “${comment}”` : "");

// conflict is the note in which the reader chooses.
function conflict(card) {
	const { answer } = card, { mine, theirs } = answer;
	const at = theirs.at ? ` at ${new Date(theirs.at).toLocaleTimeString()}` : "";
	const note = element("p", "conflict", `${theirs.by || "Somebody on another page"} gave ${given(theirs)}${at}. You gave ${given(mine)}, which is not kept yet. `);
	const instead = element("button", "", "Give mine instead"), leave = element("button", "", "Leave theirs");
	instead.type = leave.type = "button";
	instead.addEventListener("click", () => {
		card.element.querySelector("textarea").value = mine.comment;
		keep(card, mine);
		card.element.focus();
	});
	leave.addEventListener("click", () => {
		answer.mine = null;
		show(card);
		progress();
		card.element.focus();
	});
	note.append(instead, " ", leave);
	note.setAttribute("role", "alert");
	note.mine = mine;
	return note;
}

function makeCard(answer, index, of) {
	const e = element("article"), card = { answer, index, element: e };
	e.tabIndex = 0;
	e.setAttribute("aria-label", `Answer ${index + 1}`);
	const head = element("h3");
	head.append(element("span", "who"), element("span", "points"));
	e.append(head, element("pre", "", answer.source));
	for (const source of answer.pictures || []) {
		const picture = element("img");
		picture.src = source;
		picture.alt = "A picture of the student's";
		e.append(picture);
	}
	if (answer.cut) e.append(element("p", "note", "Not all is shown: it is longer, or has more or larger pictures, than this page takes. Look at the file."));
	if (answer.before) e.append(element("p", "note", `This one is new: ${answer.before}.`));
	const give = element("div", "give");
	give.setAttribute("role", "group");
	give.setAttribute("aria-label", "Points");
	for (const p of steps(of)) {
		const b = element("button", "", String(p));
		b.type = "button";
		b.value = String(p);
		b.addEventListener("click", () => keep(card, { marked: true, points: p }));
		give.append(b);
	}
	const comment = element("textarea");
	comment.value = answer.comment;
	comment.rows = 1;
	comment.maxLength = 5000;
	comment.placeholder = "Comment for the student";
	comment.setAttribute("aria-label", `Comment for the student, answer ${index + 1}`);
	comment.addEventListener("change", () => keep(card, { comment: comment.value }));
	e.append(give, comment);
	return card;
}

function open(index) {
	now = Math.min(Math.max(index, 0), tasks.length - 1);
	const task = tasks[now];
	byId("tasks").value = String(now);
	byId("before").disabled = now === 0;
	byId("after").disabled = now === tasks.length - 1;
	byId("title").textContent = `${task.title} (${task.of} point${task.of === 1 ? "" : "s"})`;
	byId("text").textContent = task.question;
	byId("worked").textContent = task.worked;
	cards = task.answers.map((a, i) => makeCard(a, i, task.of));
	byId("answers").replaceChildren(...cards.map((c) => c.element));
	if (!cards.length) byId("answers").append(element("p", "", "Nobody has written an answer."));
	cards.forEach(show);
	progress();
	(cards.find((c) => waits(c.answer)) || cards[0])?.element.focus();
}

const focused = () => cards.find((c) => c.element.contains(document.activeElement));

function go(step, wanted = () => true) {
	const at = cards.indexOf(focused());
	for (let i = at + step; i >= 0 && i < cards.length; i += step) {
		if (!cards[i].element.hidden && wanted(cards[i])) {
			cards[i].element.focus();
			cards[i].element.scrollIntoView({ block: "nearest" });
			break;
		}
	}
	cards.forEach(show);
}

const nextWaiting = () => go(1, (c) => waits(c.answer));

const keys = {
	ArrowRight: () => go(1), ArrowLeft: () => go(-1), j: () => go(1), k: () => go(-1), n: nextWaiting,
	"]": () => open(now + 1), "[": () => open(now - 1),
	c: (card) => card?.element.querySelector("textarea").focus(),
	u: (card) => card && keep(card, { marked: false, points: 0 }),
	"+": (card) => card && keep(card, { marked: true, points: Math.min(tasks[now].of, (card.answer.marked ? card.answer.points : 0) + 0.5) }),
	"-": (card) => card && keep(card, { marked: true, points: Math.max(0, (card.answer.marked ? card.answer.points : tasks[now].of) - 0.5) }),
};

document.addEventListener("keydown", (event) => {
	if (event.ctrlKey || event.metaKey || event.altKey) return;
	const card = focused();
	if (event.target.tagName === "TEXTAREA") {
		if (event.key === "Escape") card.element.focus();
		return;
	}
	if (["SELECT", "INPUT"].includes(event.target.tagName)) return;
	if (/^[0-9]$/.test(event.key) && card) {
		event.preventDefault();
		const points = Number(event.key);
		if (points > tasks[now].of) {
			say(`The task gives at most ${tasks[now].of}.`);
			return;
		}
		keep(card, { marked: true, points });
		go(1);
		return;
	}
	if (keys[event.key]) {
		event.preventDefault();
		keys[event.key](card);
	}
});

byId("before").addEventListener("click", () => open(now - 1));
byId("after").addEventListener("click", () => open(now + 1));
byId("tasks").addEventListener("change", (event) => open(Number(event.target.value)));
for (const id of ["names", "waiting"]) byId(id).addEventListener("change", () => cards.forEach(show));
byId("help").addEventListener("click", () => {
	const hidden = byId("keys").toggleAttribute("hidden");
	byId("help").setAttribute("aria-expanded", String(!hidden));
});

(async () => {
	tasks = await (await fetch("tasks.json")).json();
	tasks.forEach((t, i) => {
		const o = element("option", "", `${t.notebook}: ${t.title}`);
		o.value = String(i);
		byId("tasks").append(o);
	});
	open(tasks.findIndex((t) => t.answers.some(waits))); // or the first, where nothing waits
})();
