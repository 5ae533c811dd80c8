// Package nbgrader lets instructors who use nbgrader grade these notebooks with it. A worked
// notebook and the copy that students work in flow in, the notebook that nbgrader starts
// from flows out; mllabs_nbgrader.py and nbgrader_config.py beside it are what nbgrader has
// to be told, and [Command] runs it so that it finds them, the kernel and the checkout.
//
// nbgrader runs what students wrote with the rights of whoever calls it.
package nbgrader
