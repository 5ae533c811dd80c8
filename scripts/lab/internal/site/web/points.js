// Points of the exercises that have been checked, as grading counts them: of a check's
// points, the share of its cases that pass. Only the visible cases are known here.

const rounded = (x) => Math.round(x * 100) / 100;

export const pointsOf = (view) => (view.score ? rounded(view.points * (view.score.of > 0 ? view.score.passed / view.score.of : 0)) : 0);

// nameOf is the name of an exercise, as its heading has it.
export const nameOf = (view) => view.label.replace(/^Cell \d+, /, "").replace(/ \(\d+ points?\)$/, "");

// verdict says beside a check how it went: [text, kind], as CellView.state wants it.
export function verdict(view) {
	const { passed, of } = view.score, failed = of - passed, points = pointsOf(view) + " of " + view.points + (view.points === 1 ? " point" : " points");
	if (failed === 0 && of > 0) return [points, "good"];
	return [points + ", " + (failed > 1 ? failed + " cases" : "a case") + " failed", "bad"];
}

export function sum(views) {
	const graded = views.filter((v) => v.points > 0);
	return {
		points: rounded(graded.reduce((s, v) => s + pointsOf(v), 0)), of: graded.reduce((s, v) => s + v.points, 0),
		checked: graded.filter((v) => v.score).length, exercises: graded.length,
	};
}

// table shows all exercises with their points; go(view) leads to one.
export function table(views, go) {
	const t = document.createElement("table"), caption = document.createElement("caption");
	const { points, of } = sum(views);
	caption.textContent = "Points so far: " + points + " of " + of;
	t.append(caption);
	const head = t.createTHead().insertRow();
	for (const text of ["exercise", "cases", "points"]) {
		const th = document.createElement("th");
		th.scope = "col";
		th.textContent = text;
		head.append(th);
	}
	const body = t.createTBody();
	for (const view of views.filter((v) => v.points > 0)) {
		const row = body.insertRow(), name = document.createElement("th"), link = document.createElement("button");
		name.scope = "row";
		link.type = "button";
		link.className = "link";
		link.textContent = nameOf(view);
		link.addEventListener("click", () => go(view));
		name.append(link);
		row.append(name);
		row.insertCell().textContent = view.score ? view.score.passed + " of " + view.score.of : view.failed || "not checked";
		row.insertCell().textContent = pointsOf(view) + " of " + view.points;
	}
	return t;
}
