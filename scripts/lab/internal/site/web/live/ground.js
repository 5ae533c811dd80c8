// What lies under the points: the classes of cells in pale colours, with a line where two of
// them meet, or the heights of a surface.

const rgb = (color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));

// paint colours a canvas of as many pixels as there are cells; color(i) is of cell i.
function paint(canvas, side, color) {
	canvas.width = canvas.height = side;
	const context = canvas.getContext("2d"), image = context.createImageData(side, side);
	for (let i = 0; i < side * side; i++) image.data.set([...color(i), 255], 4 * i);
	context.putImageData(image, 0, 0);
}

// paintClasses colours the cells of a map by grounds, as the theme has them, and returns the
// line between its classes, as the path of an SVG in cells. Where two edges meet a piece joins their middles, so that slanting
// lines have no stairs; at a junction of three classes pieces lead to the corner.
export function paintClasses(canvas, map, grounds) {
	const side = Math.round(Math.sqrt(map.length)), tints = grounds.map(rgb);
	paint(canvas, side, (i) => tints[(map.charCodeAt(i) - 48) % tints.length]);
	const at = (row, column) => (row < 0 || row >= side || column < 0 || column >= side ? "" : map[row * side + column]);
	const differ = (a, b) => a !== "" && b !== "" && a !== b;
	let path = "";
	for (let row = 0; row <= side; row++) {
		for (let column = 0; column <= side; column++) {
			const nw = at(row - 1, column - 1), ne = at(row - 1, column), sw = at(row, column - 1), se = at(row, column);
			if (nw === ne && ne === sw && sw === se) continue;
			const middles = [];
			if (differ(nw, ne)) middles.push([column, row - 0.5]);
			if (differ(nw, sw)) middles.push([column - 0.5, row]);
			if (differ(ne, se)) middles.push([column + 0.5, row]);
			if (differ(sw, se)) middles.push([column, row + 0.5]);
			if (middles.length === 2) path += `M${middles[0]}L${middles[1]}`;
			else for (const middle of middles) path += `M${middle}L${column},${row}`;
		}
	}
	return { side, path };
}

// paintHeights shows a surface: the lower, the lighter, in bands that read as contours.
export function paintHeights(canvas, heights) {
	const side = Math.round(Math.sqrt(heights.length)), sorted = heights.toSorted((a, b) => a - b);
	// Bands hold equal shares of the cells below the median and grow above it, so that valleys show.
	const levels = [0.02, 0.05, 0.1, 0.17, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95].map((q) => sorted[Math.floor(q * (sorted.length - 1))]);
	const shade = (h) => levels.filter((level) => h > level).length / levels.length;
	paint(canvas, side, (i) => { const s = shade(heights[i]); return [244 - 130 * s, 248 - 96 * s, 252 - 60 * s].map(Math.round); });
	return { side, path: "" };
}
