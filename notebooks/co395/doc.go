// Package co395 holds what the notebooks of this folder share: helpers that are given
// to students, none of which solves an exercise.
package co395
