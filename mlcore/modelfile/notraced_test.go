//go:build !race

package modelfile_test

const raced = false
