// A file system in memory. Programs that Go has built for js/wasm look for one in
// globalThis.fs, with the functions of Node; this module has to be loaded before
// wasm_exec.js, which else puts one there that knows no files.

import { release } from "./release.js";

const flag = { O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };
const failure = (code) => Object.assign(new Error(code), { code });

export class Files {
	#files = new Map(); // by absolute path: {data, size}, of data the first size bytes; or {size, read}
	#folders = new Set(["/", "/tmp", "/dev", "/work"]);
	#open = new Map(); // by descriptor: {file, at}, {folder} or {nothing}
	#lent = new Map(); // by absolute path: what brings it, or the promise that it comes
	#next = 10;
	#here = "/work";

	// write is told what is written to standard output (1) and standard error (2), and
	// crash what Go's runtime writes itself: println, and how a program dies.
	write = () => {};
	crash = () => {};

	// input is told that standard input is read, which is empty.
	input = () => {};

	put(path, data) {
		path = this.path(path);
		for (let up = parent(path); !this.#folders.has(up); up = parent(up)) this.#folders.add(up);
		this.#files.set(path, { data, size: data.length });
	}
	// putRead puts a file that is read anew by read() for each who opens it, and then only
	// takes memory as long as it is open. It cannot be changed.
	putRead(path, size, read) {
		this.put(path, new Uint8Array(0));
		this.#files.set(this.path(path), { size, read });
	}
	get(path) {
		const file = this.#files.get(this.path(path));
		return file?.data.subarray(0, file.size);
	}
	drop(path) { this.#files.delete(this.path(path)); }
	// take is the content of a file, in a buffer of its own, and drops the file.
	take(path) {
		const { data, size } = this.#fileOf(path);
		this.drop(path);
		return resized(data, size);
	}

	// lend makes a folder of files that somebody else has: each is brought when a program
	// first asks for it. bring(name) promises its bytes, or undefined if it cannot be had.
	lend(folder, names, bring) {
		this.#folders.add(folder);
		for (const name of names) this.#lent.set(folder + "/" + name, () => bring(name));
	}
	// brought is a promise where a path is that of a file that is lent. All who open it wait
	// for the same one. What cannot be had is not asked for again.
	brought(path) {
		path = this.path(path);
		const lent = this.#lent.get(path);
		if (typeof lent !== "function") return lent;
		this.awaited++;
		const coming = lent().catch(() => undefined).then((data) => {
			this.awaited--;
			this.#lent.delete(path);
			if (data) this.put(path, data);
		});
		this.#lent.set(path, coming);
		return coming;
	}
	awaited = 0; // how many are on their way

	// path is the absolute path without dots.
	path(path) {
		const parts = [];
		for (const part of (path.startsWith("/") ? path : this.#here + "/" + path).split("/")) {
			if (part === "..") parts.pop();
			else if (part !== "" && part !== ".") parts.push(part);
		}
		return "/" + parts.join("/");
	}

	#stat(size, isFolder) {
		return {
			dev: 1, ino: 1, mode: isFolder ? 0o40755 : 0o100644, nlink: 1, uid: 0, gid: 0, rdev: 0, size,
			blksize: 4096, blocks: Math.ceil(size / 512), atimeMs: 0, mtimeMs: 0, ctimeMs: 0, isDirectory: () => isFolder,
		};
	}
	#handle(fd) {
		const handle = this.#open.get(fd);
		if (!handle) throw failure("EBADF");
		return handle;
	}
	#fileOf(path) {
		const file = this.#files.get(this.path(path));
		if (!file) throw failure(this.#folders.has(this.path(path)) ? "EISDIR" : "ENOENT");
		return file;
	}
	#enter(handle) {
		this.#open.set(this.#next, handle);
		return this.#next++;
	}

	// What follows is what Go calls, each by its name in Node.
	open(path, flags) {
		path = this.path(path);
		if (path === "/dev/null") return this.#enter({ nothing: true });
		if (this.#folders.has(path)) return this.#enter({ folder: path });
		let file = this.#files.get(path);
		if (file && flags & flag.O_CREAT && flags & flag.O_EXCL) throw failure("EEXIST");
		if (!file) {
			if (!(flags & flag.O_CREAT) || !this.#folders.has(parent(path))) throw failure("ENOENT");
			file = { data: new Uint8Array(0), size: 0 };
			this.#files.set(path, file);
		}
		if (file.read) return this.#enter({ file: { data: file.read(), size: file.size }, at: 0, own: true });
		if (flags & flag.O_TRUNC) resize(file, 0);
		return this.#enter({ file, at: 0, append: Boolean(flags & flag.O_APPEND) });
	}
	close(fd) {
		const handle = this.#open.get(fd);
		this.#open.delete(fd);
		if (handle?.own) release(handle.file.data.buffer);
	}
	read(fd, buffer, offset, length, position) {
		if (fd === 0) {
			this.input();
			return 0;
		}
		const handle = this.#handle(fd);
		if (handle.nothing) return 0;
		if (handle.folder) throw failure("EISDIR");
		const at = position === null ? handle.at : Number(position);
		const n = Math.max(0, Math.min(length, handle.file.size - at));
		buffer.set(handle.file.data.subarray(at, at + n), offset);
		if (position === null) handle.at += n;
		return n;
	}
	// part is bytes of an open file without a copy, or undefined where it has not that many. Node
	// has no such function: the linker calls it (objects.go).
	part(fd, at, length) {
		const { file } = this.#handle(fd);
		return file && at + length <= file.size ? file.data.subarray(at, at + length) : undefined;
	}
	write_(fd, buffer, offset, length, position) {
		if (fd === 1 || fd === 2) {
			this.write(fd, buffer.subarray(offset, offset + length));
			return length;
		}
		const handle = this.#handle(fd);
		if (handle.nothing) return length;
		if (handle.folder) throw failure("EISDIR");
		const at = handle.append ? handle.file.size : position === null ? handle.at : Number(position);
		resize(handle.file, Math.max(handle.file.size, at + length));
		handle.file.data.set(buffer.subarray(offset, offset + length), at);
		if (position === null) handle.at = at + length;
		return length;
	}
	stat(path) {
		if (this.#folders.has(this.path(path))) return this.#stat(0, true);
		return this.#stat(this.#fileOf(path).size, false);
	}
	lstat(path) { return this.stat(path); }
	fstat(fd) {
		if (fd < 3) return this.#stat(0, false);
		const handle = this.#handle(fd);
		return this.#stat(handle.file?.size ?? 0, Boolean(handle.folder));
	}
	mkdir(path) {
		path = this.path(path);
		if (this.#folders.has(path) || this.#files.has(path)) throw failure("EEXIST");
		if (!this.#folders.has(parent(path))) throw failure("ENOENT");
		this.#folders.add(path);
	}
	readdir(path) {
		path = this.path(path);
		if (!this.#folders.has(path)) throw failure(this.#files.has(path) ? "ENOTDIR" : "ENOENT");
		const all = [...this.#files.keys(), ...this.#folders];
		return all.filter((p) => p !== "/" && parent(p) === path).map((p) => p.slice(p.lastIndexOf("/") + 1)).sort();
	}
	unlink(path) {
		this.#fileOf(path);
		this.drop(path);
	}
	rmdir(path) {
		if (this.readdir(path).length > 0) throw failure("ENOTEMPTY");
		this.#folders.delete(this.path(path));
	}
	rename(from, to) {
		const file = this.#fileOf(from);
		this.drop(from);
		this.#files.set(this.path(to), file);
	}
	truncate(path, size) { resize(this.#fileOf(path), size); }
	ftruncate(fd, size) { resize(this.#handle(fd).file, size); }
	chmod() {}
	fchmod() {}
	chown() {}
	fchown() {}
	lchown() {}
	utimes() {}
	fsync() {}
	readlink() { throw failure("EINVAL"); }
	link() { throw failure("ENOSYS"); }
	symlink() { throw failure("ENOSYS"); }

	cwd() { return this.#here; }
	chdir(path) {
		if (!this.#folders.has(this.path(path))) throw failure("ENOENT");
		this.#here = this.path(path);
	}
}

const parent = (path) => path.slice(0, path.lastIndexOf("/")) || "/";

function resize(file, size) {
	if (size > file.data.length) {
		file.data = resized(file.data, Math.max(size, 2 * file.data.length, 4096));
	} else if (size < file.size) {
		file.data = file.data.slice(0, size); // what follows is zero again when the file grows
	}
	file.size = size;
}

// resized is an array of another size with what fits into it, and zeros. Where the browser
// can, it takes the memory of the old one over, which is then empty.
function resized(data, size) {
	if (data.buffer.transfer && data.byteLength === data.buffer.byteLength) return new Uint8Array(data.buffer.transfer(size));
	const other = new Uint8Array(size);
	other.set(data.subarray(0, size));
	return other;
}

export const files = new Files();

// Node's functions take one that is called with an error or a result.
const calls = ["open", "close", "read", "stat", "lstat", "fstat", "mkdir", "readdir", "unlink", "rmdir", "rename", "truncate", "ftruncate",
	"chmod", "fchmod", "chown", "fchown", "lchown", "utimes", "fsync", "readlink", "link", "symlink"];
const called = (method) => (...args) => {
	const done = args.pop();
	let result;
	try {
		result = files[method](...args);
	} catch (error) {
		done(error.code ? error : failure("EIO"));
		return;
	}
	done(null, result);
};
// A file that is lent is brought first.
const lent = (call) => (path, ...rest) => {
	const brought = files.brought(path);
	if (brought) brought.then(() => call(path, ...rest));
	else call(path, ...rest);
};
globalThis.fs = Object.fromEntries(calls.map((name) => [name, called(name)]));
for (const name of ["open", "stat", "lstat"]) globalThis.fs[name] = lent(globalThis.fs[name]);
Object.assign(globalThis.fs, {
	constants: flag,
	part: (...args) => files.part(...args),
	write: called("write_"),
	writeSync: (fd, bytes) => { files.crash(bytes); return bytes.length; },
});
globalThis.path = { resolve: (...parts) => files.path(parts.join("/")) };
globalThis.process = {
	getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [0],
	pid: 1, ppid: 0, umask: () => 0o22, cwd: () => files.cwd(), chdir: (path) => files.chdir(path),
};
