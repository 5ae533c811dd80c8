// Package bench times the library beside its peers: a list of workloads flows in,
// a table of median times, ratios, scores and peak memories flows out.
//
// Each workload is done by two processes at once alive, ours and a Python that
// uses the peer library, on the same data, split and settings and with two
// threads. They do one uncounted run each and then take turns, so that a busy
// machine is fair to both. Growth does so for one grid of sizes and flows out as a file
// that package peers reads.
package bench
