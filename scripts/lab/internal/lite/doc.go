// Package lite makes JupyterLite run Go: the folder of package browser's engine flows in; a
// Python wheel with a kernel for any JupyterLite, and JupyterLab as static pages with the
// course's notebooks in it, flow out.
//
// The kernel (web/remoteEntry.js) is an extension of JupyterLab that stands in a wheel as
// every prebuilt one does. It keeps the cells that have been run and compiled, and each cell
// is built with them, as GoNB's kernel does. What it knows of names it completes and explains;
// an interrupt ends what is built or runs.
package lite
