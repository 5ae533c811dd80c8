// Package setup makes the private tools that running a notebook needs: the GoNB
// kernel and goimports built from scripts/go.mod into .lab/bin, kernel
// specifications in .lab, and a Python with nbclient in .venv or from the
// system's packages. A project flows in, [Tools] flow out; nothing outside the
// checkout is touched but Go's and pip's own caches (and, when the system's
// packages are asked for, the system). What is up to date is not made again.
package setup
