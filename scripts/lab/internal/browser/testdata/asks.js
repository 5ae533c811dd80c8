// A worker that asks another one, which is slow to answer, and keeps nothing of it. It tells
// whether what it asked is still there, and whether an object is that nothing needs.
import { Asking } from "./web/asking.js";

function asked() {
	const asking = new Asking(new URL("slow.js", import.meta.url));
	asking.ask("wait", {});
	return new WeakRef(asking);
}

const asking = asked(), other = new WeakRef({});

onmessage = () => postMessage({ asking: Boolean(asking.deref()), other: Boolean(other.deref()) });
