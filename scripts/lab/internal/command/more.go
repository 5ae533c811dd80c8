//go:build !handout && !light

package command

// What a folder for students goes without, because it needs the tests or packages that
// hold solutions. Files with this build constraint are left out of the folder.
func init() {
	available = append(available, exercisesCommand, gradeCommand, nbgraderCommand, syllabusCommand, testCommand, uciCommand, benchCommand, siteCommand)
}
