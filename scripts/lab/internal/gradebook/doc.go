// Package gradebook holds the grades of a class. How each student's answers were scored
// flows in, shard by shard if need be; tables for a spreadsheet, for Canvas and for
// Moodle, JSON for programs, and a page of feedback for each student flow out. What a
// student wrote or is called is nowhere taken for markup or for a formula.
package gradebook
