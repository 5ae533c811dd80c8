package submission

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

const book = `{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
 {"cell_type": "markdown", "id": "a", "metadata": {}, "source": "text"},
 {"cell_type": "code", "id": "b", "metadata": {}, "outputs": [{"output_type": "anything"}], "source": ["x :=", " 1"]}]}`

// folder writes files, by path.
func folder(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	for name, text := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// archive is a zip file of files in the order given: name, text, name, text.
func archive(t testing.TB, files ...string) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, files[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// listed is what was found, one line a student.
func listed(s *Set) string {
	var b strings.Builder
	for _, x := range s.Submissions {
		fmt.Fprintf(&b, "%s|%s|", x.Student, x.ID)
		if x.Late {
			b.WriteString("late|")
		}
		for _, f := range x.Files {
			fmt.Fprintf(&b, " %s", f.Path)
		}
		fmt.Fprintf(&b, " %q\n", x.Problems)
	}
	if len(s.Passed) > 0 {
		fmt.Fprintf(&b, "nobody's: %q\n", s.Passed)
	}
	return b.String()
}

// gradescopeMetadata is as Gradescope's exports have it, shortened.
const gradescopeMetadata = `submission_1:
  :submitters:
  - :name: Ada Lovelace
    :sid: '71'
    :email: ada@x.y
  :created_at: 2026-11-01 12:00:00.000000000 Z
submission_2:
  :submitters:
  - :name: Bob Bond
    :sid:
    :email: bob@x.y
  - :name: Cyn Cyr
    :sid: 73
  :history: []
`

// Oracles: the names that Canvas (lib/content_zipper.rb), Moodle (mod/assign/classes/downloader.php),
// OpenOlat (GTACourseNode.java), ILIAS (class.ilExSubmission.php) and nbgrader (exchange/default/
// submit.py, submitted/STUDENT/ASSIGNMENT) make in their sources, and those of exports of
// Blackboard, Brightspace, Gradescope, Sakai and Google Drive as programs that read them describe
// them.
func TestOpen(t *testing.T) {
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"folders", map[string]string{"ada/01.ipynb": book, "ada/notes.txt": "", "bob/lab3/exercises/01.ipynb": book, "bob/02.ipynb": book},
			"ada|| 01.ipynb [\"Not read, since it is no notebook: notes.txt.\"]\nbob|| 02.ipynb lab3/exercises/01.ipynb []\n"},
		{"files", map[string]string{"ada.ipynb": book, "bob.ipynb": book}, "ada|| ada.ipynb []\nbob|| bob.ipynb []\n"},
		{"Canvas", map[string]string{"lovelaceada_12_345_01_nearest.ipynb": book, "babbagecharles_LATE_13_346_01_nearest-2.ipynb": book},
			"babbagecharles|13|late| 01_nearest.ipynb []\nlovelaceada|12| 01_nearest.ipynb []\n"},
		{"Canvas, an archive", map[string]string{"lovelaceada_12_345_work.zip": archive(t, "work/01.ipynb", book, "work/02.ipynb", book)},
			"lovelaceada|12| work/01.ipynb work/02.ipynb []\n"},
		{"Moodle", map[string]string{"Ada Lovelace_99_assignsubmission_file_/01.ipynb": book, "Ada Lovelace_99_assignsubmission_onlinetext_/onlinetext.html": "x",
			"Participant_7_assignsubmission_file/x.ipynb": book},
			"Ada Lovelace|99| 01.ipynb [\"Not read, since it is no notebook: onlinetext.html.\"]\nParticipant|7| x.ipynb []\n"},
		{"Moodle without folders", map[string]string{"Ada Lovelace_99_assignsubmission_file_01.ipynb": book}, "Ada Lovelace|99| 01.ipynb []\n"},
		{"Moodle, a name that claims another's number", map[string]string{"Eve_5_assignsubmission_x_77_assignsubmission_file_/01.ipynb": book, "Eve_77_assignsubmission_file_x_5_assignsubmission_file_01.ipynb": book},
			"Eve_5_assignsubmission_x_77_assignsubmission_file_|| 01.ipynb []\nEve_77_assignsubmission_file_x_5_assignsubmission_file_01.ipynb|| x_5_assignsubmission_file_01.ipynb []\n"},
		{"names that look alike when they are shown", map[string]string{"a\u200bda/01.ipynb": book, "a\u200cda/02.ipynb": book, "a?da (2)/03.ipynb": book},
			"a?da|| 01.ipynb []\na?da (2)|| 02.ipynb []\na?da (2) (2)|| 03.ipynb []\n"},
		{"nbgrader", map[string]string{"submitted/ada/lab3/01.ipynb": book, "submitted/bob/lab3/01.ipynb": book},
			"ada|| lab3/01.ipynb []\nbob|| lab3/01.ipynb []\n"},
		{"leftovers", map[string]string{"ada/.ipynb_checkpoints/01-checkpoint.ipynb": book, "ada/01.ipynb": book, "__MACOSX/ada/._01.ipynb": book},
			"ada|| 01.ipynb []\n"},
		{"a whole folder that was worked in", map[string]string{"ada/week5/.lab/python/lib/sample.xml.gz": "", "ada/week5/.lab/kernels/01.ipynb": book,
			"ada/week5/.venv/lib/sample.zip": "no zip", "ada/week5/.venv.old/02.ipynb": book, "ada/week5/notebooks/01.ipynb": book, "ada/week5/.labels/03.ipynb": book},
			"ada|| week5/.labels/03.ipynb week5/notebooks/01.ipynb []\n"},
		{"nothing of use", map[string]string{"ada/report.pdf": "", "bob/work.rar": "", "eve/broken.zip": "no zip"},
			"ada|| [\"Not read, since it is no notebook: report.pdf.\"]\nbob|| [\"work.rar is no zip file; hand in the notebook itself.\"]\neve|| [\"eve/broken.zip is no zip file that can be read: zip: not a valid zip file.\"]\n"},
		{"whatever the ending", map[string]string{"ada/01.ipynb.txt": book, "bob/01.ipynb.json": "\n " + book, "cyn/01": book, "dan/answer.go": "package main", "eve/data.json": "{}", "fay/01.ipynb.html": book},
			"ada|| 01.ipynb.txt []\nbob|| 01.ipynb.json []\ncyn|| 01 []\ndan|| [\"Not read, since it is no notebook: answer.go.\"]\neve|| [\"Not read, since it is no notebook: data.json.\"]\nfay|| 01.ipynb.html []\n"},
		{"archives in archives", map[string]string{"ada/x.zip": archive(t, "y.zip", archive(t, "z.zip", archive(t, "01.ipynb", book)), "work.tgz", "x")},
			"ada|| x/y/z/01.ipynb [\"x/work.tgz is no zip file; hand in the notebook itself.\"]\n"},
		{"many that are not read", map[string]string{"ada/01.ipynb": book, "ada/a.png": "", "ada/b.png": "", "ada/c.png": "", "ada/d.csv": "", "ada/e.csv": "x"},
			"ada|| 01.ipynb [\"Not read, since they are no notebooks: a.png, b.png, c.png, d.csv and 1 more.\"]\n"},
		{"a folder around a folder for a week", map[string]string{"wrap/week1/ada/01.ipynb": book, "wrap/week1/bob/01.ipynb": book, "wrap/week1/cyn/01 (1).ipynb": book},
			"ada|| 01.ipynb []\nbob|| 01.ipynb []\ncyn|| 01 (1).ipynb []\n"},
		{"folders for weeks", map[string]string{"week1/ada/01.ipynb": book, "week1/bob/01.ipynb": book, "week2/ada/02.ipynb": book, "week2/bob/02.ipynb": book},
			"ada|| 01.ipynb 02.ipynb []\nbob|| 01.ipynb 02.ipynb []\n"},
		{"a platform's names below another folder", map[string]string{"x/y/Ada Lovelace_99_assignsubmission_file_/01.ipynb": book, "x/y/Bob_98_assignsubmission_file_/02.ipynb": book},
			"Ada Lovelace|99| 01.ipynb []\nBob|98| 02.ipynb []\n"},
		{"students with folders of their own", map[string]string{"ada/lab3/01.ipynb": book, "ada/old/01.ipynb": book, "bob/lab3/02.ipynb": book},
			"ada|| lab3/01.ipynb old/01.ipynb []\nbob|| lab3/02.ipynb []\n"},
		{"the same notebook in all of them", map[string]string{"ada/lab3/01.ipynb": book, "ada/old/01.ipynb": book, "bob/lab3/01.ipynb": book, "bob/old/01.ipynb": book},
			"ada|| lab3/01.ipynb old/01.ipynb []\nbob|| lab3/01.ipynb old/01.ipynb []\n"},
		{"Canvas, text and links and hidden names", map[string]string{"lovelaceada_12_text.html": "x", "babbagecharles_LATE_13_link.html": "x", "LATE_anon_1x2Yz_345_01.ipynb": book, "LATE_anon_1x2Yz_346_x.pdf": "", "anon_12345_347_01.ipynb": book, "team_red_14_348_01.ipynb": book, "team_red_14_349_02.ipynb": book},
			"anon_12345|| 01.ipynb []\nanon_1x2Yz||late| 01.ipynb [\"Not read, since it is no notebook: x.pdf.\"]\nbabbagecharles|13|late| [\"Not read, since it is no notebook: babbagecharles_LATE_13_link.html.\"]\n" +
				"lovelaceada|12| [\"Not read, since it is no notebook: lovelaceada_12_text.html.\"]\nteam_red|14| 01.ipynb 02.ipynb []\n"},
		{"Moodle's group of those without one", map[string]string{"Group A_55_assignsubmission_file/01.ipynb": book, "Default group_assignsubmission_file/01.ipynb": book}, "Default group|| 01.ipynb []\nGroup A|55| 01.ipynb []\n"},
		{"Blackboard", map[string]string{"Lab 3_ada7_attempt_2026-11-01-12-00-00_01.ipynb": book, "Lab 3_ada7_attempt_2026-11-02-12-00-00_01.ipynb": book, "Lab 3_ada7_attempt_2026-11-02-12-00-00.txt": "x", "Lab 3_dan_d_poging_2026-11-02-12-00-00_01.ipynb": book, "Lab 3_eve_d_poging_2026-11-02-12-00-00_x_attempt_2026-11-03-12-00-00_01.ipynb": book},
			"ada7|| 01.ipynb 01.ipynb [\"Not read, since it is no notebook: Lab 3_ada7_attempt_2026-11-02-12-00-00.txt.\"]\ndan_d|| 01.ipynb []\neve_d|| x_attempt_2026-11-03-12-00-00_01.ipynb []\n"},
		{"Brightspace", map[string]string{"index.html": "", "12-6 - Ada Lovelace - Nov 1, 2026 230 PM/01.ipynb": book, "12-6 - Ada Lovelace - Nov 10, 2026 930 AM/01.ipynb": book, "13-6 - Bob - Bond - Nov 1, 2026 230 PM/01.ipynb": book},
			"Ada Lovelace|12-6| 01.ipynb 01.ipynb []\nBob - Bond|13-6| 01.ipynb []\nnobody's: [\"index.html\"]\n"},
		{"Brightspace without folders", map[string]string{"12-6 - Ada Lovelace - Nov 1, 2026 230 PM - 01.ipynb": book, "12-6 - Ada Lovelace - 2 November, 2026 230 PM - 01.ipynb": book, "12-6 - Ada Lovelace - 2 November, 2026 230 PM - x.pdf": ""},
			"Ada Lovelace|12-6| 01.ipynb 01.ipynb [\"Not read, since it is no notebook: x.pdf.\"]\n"},
		{"nbgrader's exchange", map[string]string{"inbound/ada+lab3+2026-11-01 12:00:00.000000 UTC+Ab_c-D/01.ipynb": book, "inbound/ada+lab3+2026-11-02 12:00:00.000000 UTC+Xy_c-D/01.ipynb": book, "inbound/bob+lab3+2026-11-02 12:00:00.000000 UTC/02.ipynb": book},
			"ada|| 01.ipynb 01.ipynb []\nbob|| 02.ipynb []\n"},
		{"Gradescope", map[string]string{"assignment_5_export/submission_metadata.yml": gradescopeMetadata, "assignment_5_export/submission_1/a.ipynb": book, "assignment_5_export/submission_2/b.ipynb": book, "assignment_5_export/submission_3/c.ipynb": book},
			"Ada Lovelace|71| a.ipynb []\nBob Bond|bob@x.y| b.ipynb []\nCyn Cyr|73| b.ipynb []\nsubmission_3|| c.ipynb []\nnobody's: [\"submission_metadata.yml\"]\n"},
		{"Gradescope's metadata broken", map[string]string{"submission_metadata.yml": "\t{", "submission_1/a.ipynb": book}, "submission_1|| a.ipynb []\nnobody's: [\"submission_metadata.yml\"]\n"},
		{"Sakai", map[string]string{"Lab 3/grades.csv": "", "Lab 3/Lovelace, Ada(ada7)/Submission attachment(s)/a.ipynb": book, "Lab 3/Bond, Bob(bob)/Submission attachment(s)/b.ipynb": book, "Lab 3/Bond, Bob(bob)/Feedback Attachment(s)/b.ipynb": book},
			"Bond, Bob(bob)|| Submission attachment(s)/b.ipynb [\"Feedback Attachment(s)/b.ipynb is the instructor's and is not read.\"]\nLovelace, Ada(ada7)|| Submission attachment(s)/a.ipynb []\nnobody's: [\"grades.csv\"]\n"},
		{"OpenOlat", map[string]string{"task_3/Lab_3.xlsx": "", "task_3/solutions/s.ipynb": book, "task_3/Lovelace_Ada_ada7/1_task/01.ipynb": book, "task_3/Lovelace_Ada_ada7/2_submissions/a.ipynb": book, "task_3/Lovelace_Ada_ada7/3_corrections/a.ipynb": book, "task_3/Lovelace_Ada_ada7/4_revisions_1/a.ipynb": book,
			"task_3/Bond_Bob_bob/2_submissions/b.ipynb": book, "task_3/Bond_Bob_bob/2_submissions/Late_submission.txt": "Late"},
			"Bond_Bob_bob||late| 2_submissions/b.ipynb [\"Not read, since it is no notebook: 2_submissions/Late_submission.txt.\"]\n" +
				"Lovelace_Ada_ada7|| 2_submissions/a.ipynb 4_revisions_1/a.ipynb [\"1_task/01.ipynb is the instructor's and is not read.\" \"3_corrections/a.ipynb is the instructor's and is not read.\"]\nnobody's: [\"Lab_3.xlsx\" \"solutions/s.ipynb\"]\n"},
		{"ILIAS", map[string]string{"Lab_3/Lab_3.xlsx": "", "Lab_3/Abgaben/Lovelace_Ada_ada7_301/a.ipynb": book, "Lab_3/Abgaben/__mina_302/m.ipynb": book},
			"Lovelace_Ada_ada7_301|| a.ipynb []\n__mina_302|| m.ipynb []\nnobody's: [\"Lab_3.xlsx\"]\n"},
		{"a student's file called as a platform calls one", map[string]string{"ada/hw_1_23_final.ipynb": book, "bob/b.ipynb": book, "cyn/c.ipynb": book}, "ada|| hw_1_23_final.ipynb []\nbob|| b.ipynb []\ncyn|| c.ipynb []\n"},
		{"files called by week and student", map[string]string{"lab_3_01_ada.ipynb": book, "lab_3_01_bob.ipynb": book}, "lab_3_01_ada|| lab_3_01_ada.ipynb []\nlab_3_01_bob|| lab_3_01_bob.ipynb []\n"},
		{"files with another ending", map[string]string{"Bob Bond.ipynb.txt": book, "v1.2.ipynb": book}, "Bob Bond|| Bob Bond.ipynb.txt []\nv1.2|| v1.2.ipynb []\n"},
		{"a student alone", map[string]string{"ada/submissions/01.ipynb": book}, "ada|| submissions/01.ipynb []\n"},
		{"letters taken apart by macOS", map[string]string{"week1/Ju\u0308rgen/01.ipynb": book, "week2/J\u00fcrgen/02.ipynb": book, "week1/Bob/01.ipynb": book, "week2/Bob/02.ipynb": book}, "Bob|| 01.ipynb 02.ipynb []\nJ\u00fcrgen|| 01.ipynb 02.ipynb []\n"},
		{"archives without a file", map[string]string{"ada/x.zip": archive(t), "bob.zip": archive(t, "__MACOSX/._01.ipynb", "x"), "cyn/y.zip": archive(t, "z.zip", archive(t)), "dan/01.ipynb": book},
			"ada|| [\"ada/x.zip holds no files.\"]\nbob|| [\"bob.zip holds no files.\"]\ncyn|| [\"cyn/y/z.zip holds no files.\"]\ndan|| 01.ipynb []\n"},
		{"files called by lab, year and student", map[string]string{"lab_3_2026_ada.ipynb": book, "lab_3_2026_bob.ipynb": book, "lovelaceada_12_345_01.ipynb": book},
			"lab_3_2026_ada|| lab_3_2026_ada.ipynb []\nlab_3_2026_bob|| lab_3_2026_bob.ipynb []\nlovelaceada|12| 01.ipynb []\n"},
		{"metadata that a student has written", map[string]string{"bob/01.ipynb": book, "eve/submission_metadata.yml": "bob:\n  :submitters:\n  - :name: eve\n", "eve/01.ipynb": book},
			"bob|| 01.ipynb []\neve|| 01.ipynb [\"Not read, since it is no notebook: submission_metadata.yml.\"]\n"},
		{"Gradescope, and metadata that a student has written", map[string]string{"submission_metadata.yml": gradescopeMetadata, "submission_1/submission_metadata.yml": "submission_2:\n  :submitters:\n  - :name: Ada Lovelace\n    :sid: 71\n", "submission_1/a.ipynb": book, "submission_2/b.ipynb": book},
			"Ada Lovelace|71| a.ipynb [\"Not read, since it is no notebook: submission_metadata.yml.\"]\nBob Bond|bob@x.y| b.ipynb []\nCyn Cyr|73| b.ipynb []\nnobody's: [\"submission_metadata.yml\"]\n"},
		{"folders called as OpenOlat calls them, by one student", map[string]string{"ada/1_task/01.ipynb": book, "eve/1_submissions/01.ipynb": book, "eve/2_corrections/01.ipynb": book},
			"ada|| 1_task/01.ipynb []\neve|| 1_submissions/01.ipynb [\"2_corrections/01.ipynb is the instructor's and is not read.\"]\n"},
		{"nbgrader's whole course", map[string]string{"source/lab3/01.ipynb": book, "release/lab3/01.ipynb": book, "submitted/ada/lab3/01.ipynb": book, "submitted/bob/lab3/01.ipynb": book, "autograded/ada/lab3/01.ipynb": book},
			"ada|| lab3/01.ipynb []\nbob|| lab3/01.ipynb []\nnobody's: [\"autograded/ada/lab3/01.ipynb\" \"release/lab3/01.ipynb\" \"source/lab3/01.ipynb\"]\n"},
		{"folders called as nbgrader calls them, by one student", map[string]string{"ada/01.ipynb": book, "bob/01.ipynb": book, "eve/submitted/01.ipynb": book, "eve/source/02.ipynb": book},
			"ada|| 01.ipynb []\nbob|| 01.ipynb []\neve|| source/02.ipynb submitted/01.ipynb []\n"},
		{"files called as a platform calls them, by one student", map[string]string{"ada/a.ipynb": book, "bob/b.ipynb": book, "eve/bob_12_345_01.ipynb": book, "eve/bob_13_346_02.ipynb": book, "eve/x_1_22_y.ipynb": book},
			"ada|| a.ipynb []\nbob|| b.ipynb []\neve|| bob_12_345_01.ipynb bob_13_346_02.ipynb x_1_22_y.ipynb []\n"},
		{"files called as Canvas calls them, one in each folder", map[string]string{"ada/x_1_22_a.ipynb": book, "bob/x_1_23_b.ipynb": book}, "ada|| x_1_22_a.ipynb []\nbob|| x_1_23_b.ipynb []\n"},
		{"Canvas's and Moodle's in a folder for each week", map[string]string{"w1/Ada_5_assignsubmission_file/a.ipynb": book, "w2/Ada_6_assignsubmission_file/b.ipynb": book, "w2/bob_1_22_c.ipynb": book, "w2/bob_1_23_d.ipynb": book},
			"Ada|5| a.ipynb []\nAda|6| b.ipynb []\nbob|1| c.ipynb d.ipynb []\n"},
		{"a student alone, and a folder as nbgrader calls it", map[string]string{"ada/submitted/01.ipynb": book, "ada/02.ipynb": book}, "ada|| 02.ipynb submitted/01.ipynb []\n"},
		{"some files called as Canvas calls them, in each folder", map[string]string{"ada/a.ipynb": book, "ada/b.ipynb": book, "ada/x_1_22_c.ipynb": book, "bob/d.ipynb": book, "bob/e.ipynb": book, "bob/x_1_23_f.ipynb": book}, "ada|| a.ipynb b.ipynb x_1_22_c.ipynb []\nbob|| d.ipynb e.ipynb x_1_23_f.ipynb []\n"},
		{"one archive of Moodle's alone", map[string]string{"Ada_5_assignsubmission_file/submissions/a/01.ipynb": book, "Ada_5_assignsubmission_file/submissions/b/02.ipynb": book}, "Ada|5| submissions/a/01.ipynb submissions/b/02.ipynb []\n"},
		{"Google Drive's archives of one folder", map[string]string{"Lab 3-20261101T120000Z-001.zip": archive(t, "Lab 3/Ada.ipynb", book, "Lab 3/Bob.ipynb", book), "Lab 3-20261101T120000Z-002.zip": archive(t, "Lab 3/Cyn.ipynb", book), "marks.csv": ""},
			"Ada|| Ada.ipynb []\nBob|| Bob.ipynb []\nCyn|| Cyn.ipynb []\nmarks|| [\"Not read, since it is no notebook: marks.csv.\"]\n"},
		{"Google Drive's archive in a folder", map[string]string{"Lab 3-20261101T120000Z-1-001.zip": archive(t, "Lab 3/Ada/1.ipynb", book, "Lab 3/Bob/2.ipynb", book)}, "Ada|| 1.ipynb []\nBob|| 2.ipynb []\n"},
		{"archives that students have from Google Drive", map[string]string{"ada-20261101T120000Z-001.zip": archive(t, "ada/01.ipynb", book), "bob-20261102T120000Z-001.zip": archive(t, "bob/01.ipynb", book)},
			"ada-20261101T120000Z-001|| ada/01.ipynb []\nbob-20261102T120000Z-001|| bob/01.ipynb []\n"},
		{"Teams", map[string]string{"Student Work/Submitted files/Ada Lovelace/Lab 3/Version 1/01.ipynb": book, "Student Work/Submitted files/Ada Lovelace/Lab 3/Version 2/01.ipynb": book, "Student Work/Submitted files/Bob Bond/Lab 3/Version 1/01.ipynb": book, "Student Work/Working files/Bob Bond/Lab 3/01.ipynb": book},
			"Ada Lovelace|| Lab 3/Version 1/01.ipynb Lab 3/Version 2/01.ipynb []\nBob Bond|| Lab 3/Version 1/01.ipynb []\nnobody's: [\"Student Work/Working files/Bob Bond/Lab 3/01.ipynb\"]\n"},
		{"what Windows leaves in a folder", map[string]string{"desktop.ini": "x", "ada/Thumbs.db": "x", "ada/01.ipynb": book}, "ada|| 01.ipynb []\n"},
		{"two of one name", map[string]string{"smithjohn_1_10_a.ipynb": book, "smithjohn_2_11_a.ipynb": book}, "smithjohn|1| a.ipynb []\nsmithjohn|2| a.ipynb []\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := folder(t, tc.files)
			var flat []string
			for name, text := range tc.files {
				flat = append(flat, name, text)
			}
			zipped := filepath.Join(t.TempDir(), "class.zip")
			if err := os.WriteFile(zipped, []byte(archive(t, flat...)), 0o644); err != nil {
				t.Fatal(err)
			}
			for _, at := range []string{dir, zipped} {
				set, err := Open(at)
				if err != nil {
					t.Fatal(err)
				}
				if got := listed(set); got != tc.want {
					t.Errorf("%s: got\n%swant\n%s", at, got, tc.want)
				}
				for _, s := range set.Submissions {
					for _, f := range s.Files {
						nb, err := f.Read()
						if err != nil || len(nb.Cells) != 2 || nb.Cells[1].ID != "b" || nb.Cells[1].Source != "x := 1" {
							t.Errorf("%s of %s: %+v, %v", f.Path, s.Student, nb, err)
						}
					}
				}
				if err := set.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// The name of an archive may have what a browser, or Google Drive, adds to it. The letters of names
// in old archives are those of code page 437, as the zip format says.
func TestArchives(t *testing.T) {
	for _, c := range []struct{ archive, file, other, want string }{
		{"week1 (1).zip", "week1/ada.ipynb", "week1/bob.ipynb", "ada|| ada.ipynb []\nbob|| bob.ipynb []\n"},
		{"Lab 3-20261129T143012Z-001.zip", "Lab 3/01.ipynb", "Lab 3/01(1).ipynb", "01|| 01.ipynb []\n01(1)|| 01(1).ipynb []\n"},
		{"Lab 3-20261129T143012Z-3-001.zip", "Lab 3/ada/x.ipynb", "Lab 3/bob/y.ipynb", "ada|| x.ipynb []\nbob|| y.ipynb []\n"},
		{"class.zip", "J\x81rgen M\x94ller/01.ipynb", "J\x81rgen M\x81ller/01.ipynb", "J\u00fcrgen M\u00f6ller|| 01.ipynb []\nJ\u00fcrgen M\u00fcller|| 01.ipynb []\n"},
	} {
		at := filepath.Join(t.TempDir(), c.archive)
		if err := os.WriteFile(at, []byte(archive(t, c.file, book, c.other, book)), 0o644); err != nil {
			t.Fatal(err)
		}
		set, err := Open(at)
		if err != nil {
			t.Fatal(err)
		}
		if got := listed(set); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", c.archive, got, c.want)
		}
		set.Close()
	}
}

// Oracles: the dates that Blackboard, nbgrader and Brightspace write.
func TestTimeOf(t *testing.T) {
	for text, want := range map[string]string{"2026-11-01-12-30-05": "2026-11-01 12:30:05", "2026-11-01 12:30:05": "2026-11-01 12:30:05", "Nov 1, 2026 230 PM": "2026-11-01 14:30:00", "Nov 10, 2026 1130 AM": "2026-11-10 11:30:00",
		"2 November, 2026 1103 PM": "2026-11-02 23:03:00", "20 November 2026 14.30": "2026-11-20 14:30:00", "November 2, 2026 2_30 PM": "2026-11-02 14:30:00", "1. Nov": "0001-01-01 00:00:00", "": "0001-01-01 00:00:00"} {
		if got := timeOf(text).Format(time.DateTime); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

// More notebooks than anybody writes would keep the tool busy for hours, because an
// archive within another is read anew for each.
func TestManyNotebooks(t *testing.T) {
	var files []string
	for i := range maxFiles + 7 {
		files = append(files, fmt.Sprintf("%04d.ipynb", i), book)
	}
	set, err := Open(folder(t, map[string]string{"eve/x.zip": archive(t, files...)}))
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	eve := set.Submissions[0]
	if len(eve.Files) != maxFiles || len(eve.Problems) != 1 || !strings.HasPrefix(eve.Problems[0], "7 more notebooks") {
		t.Errorf("%d files, %q", len(eve.Files), eve.Problems)
	}
}

// Names that mean harm stay names.
func TestHostileNames(t *testing.T) {
	dir := t.TempDir()
	zipped := filepath.Join(dir, "class.zip")
	text := archive(t, "../../etc/passwd.ipynb", book, "/abs/x.ipynb", book, "a\nb\x1b[31m/x.ipynb", book,
		`win\x.ipynb`, book, "\xff\xfe/x.ipynb", book, strings.Repeat("n", 60_000)+"/x.ipynb", book, "\u202eevil/x.ipynb", book, "=cmd()/x.ipynb", book)
	if err := os.WriteFile(zipped, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	set, err := Open(zipped)
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	if len(set.Submissions) != 8 {
		t.Errorf("%d students, want 8:\n%s", len(set.Submissions), listed(set))
	}
	for _, s := range set.Submissions {
		if strings.ContainsAny(s.Student, "\n\x1b\u202e") || !utf8.ValidString(s.Student) || len(s.Student) > maxName+3 || s.Student == "" {
			t.Errorf("a student is called %q", s.Student)
		}
		for _, f := range s.Files {
			if _, err := f.Read(); err != nil {
				t.Errorf("%q: %v", f.Path, err)
			}
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("files were written: %v", left)
	}
}

func TestWhatIsNotRead(t *testing.T) {
	zeros := strings.Repeat("\x00", MaxNotebook+1)
	outside := filepath.Join(t.TempDir(), "secret.ipynb")
	if err := os.WriteFile(outside, []byte(book), 0o644); err != nil {
		t.Fatal(err)
	}
	dir := folder(t, map[string]string{
		"huge/x.zip":    zeros,
		"bomb/x.zip":    archive(t, "x.ipynb", zeros),
		"nest/x.zip":    archive(t, "y.zip", archive(t, "z.zip", archive(t, "a.zip", archive(t, "b.zip", archive(t, "x.ipynb", book))))),
		"large/x.ipynb": zeros,
		"text/x.ipynb":  "no JSON",
		"three/x.ipynb": `{"nbformat": 3, "worksheets": []}`,
		"deep/x.ipynb":  strings.Repeat("[", 200_000),
		"null/x.ipynb":  "null",
	})
	if err := os.Mkdir(filepath.Join(dir, "link"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link", "x.ipynb")); err != nil {
		t.Fatal(err)
	}
	set, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	want := map[string]string{"bomb": "larger than 64 MiB", "large": "larger than 64 MiB", "text": "byte 2", "three": "format 3", "deep": "depth", "null": "format 0"}
	for _, s := range set.Submissions {
		switch s.Student {
		case "link":
			if len(s.Files) != 0 || len(s.Problems) != 1 || !strings.Contains(s.Problems[0], "link") {
				t.Errorf("link: %v %v", s.Files, s.Problems)
			}
			continue
		case "huge":
			if len(s.Files) != 0 || !slices.Equal(s.Problems, []string{"huge/x.zip: larger than 64 MiB; hand in the notebook itself."}) {
				t.Errorf("huge: %v %q", s.Files, s.Problems)
			}
			continue
		case "nest":
			if len(s.Files) != 0 || len(s.Problems) != 1 || !strings.Contains(s.Problems[0], "x/y/z/a/b.zip lies too deep") {
				t.Errorf("nest: %v %q", s.Files, s.Problems)
			}
			continue
		}
		if len(s.Files) != 1 {
			t.Errorf("%s has %d files", s.Student, len(s.Files))
			continue
		}
		if _, err := s.Files[0].Read(); err == nil || !strings.Contains(err.Error(), want[s.Student]) {
			t.Errorf("%s: error %v, want %q in it", s.Student, err, want[s.Student])
		}
	}
}

// Which of two files was handed in later.
func TestNewer(t *testing.T) {
	at := func(day int) entry { return entry{time: time.Date(2026, 11, day, 12, 0, 0, 0, time.UTC)} }
	handed := func(day int, e entry) entry {
		e.handed = at(day).time
		return e
	}
	old := entry{time: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
	for _, c := range []struct {
		name string
		a, b File
		want int
	}{
		{"a browser's number", File{"01.ipynb", "", 0, at(20)}, File{"01 (1).ipynb", "", 1, at(1)}, -1},
		{"Canvas's number", File{"01.ipynb", "", 2, at(1)}, File{"01.ipynb", "", 1, at(20)}, 1},
		{"the platform's time", File{"01.ipynb", "", 0, handed(20, old)}, File{"01 (1).ipynb", "", 1, handed(2, at(25))}, 1},
		{"one time of the platform's", File{"01.ipynb", "", 0, handed(2, at(1))}, File{"01 (1).ipynb", "", 1, handed(2, at(1))}, -1},
		{"the platform's time of one only", File{"01.ipynb", "", 0, handed(20, at(1))}, File{"02.ipynb", "", 0, at(2)}, -1},
		{"numbers of other names", File{"mine (3).ipynb", "", 3, at(1)}, File{"01 (1).ipynb", "", 1, at(20)}, -1},
		{"days", File{"new.ipynb", "", 0, at(20)}, File{"01.ipynb", "", 0, at(1)}, 1},
		{"one time", File{"new.ipynb", "", 0, at(1)}, File{"01.ipynb", "", 0, at(1)}, 0},
		{"no time", File{"new.ipynb", "", 0, old}, File{"01.ipynb", "", 0, at(1)}, 0},
	} {
		if got := c.a.Newer(c.b); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
		if got := c.b.Newer(c.a); got != -c.want {
			t.Errorf("%s, the other way: %d, want %d", c.name, got, -c.want)
		}
	}
}

// Moodle and Brightspace number participants anew for each assignment: one student is one row. Of two with one
// name in one place nobody can tell which is which later.
func TestWeeks(t *testing.T) {
	const of = "_assignsubmission_file_/"
	first := folder(t, map[string]string{"Ada_5" + of + "01.ipynb": book, "Bob_6" + of + "01.ipynb": book, "Smith_7" + of + "01.ipynb": book, "Smith_8" + of + "01.ipynb": book})
	second := folder(t, map[string]string{"Bob_15" + of + "02.ipynb": book, "Ada_16" + of + "02.ipynb": book, "Ada_16" + of + "notes.txt": "", "Smith_17" + of + "02.ipynb": book})
	third := folder(t, map[string]string{"12-6 - Bob - Nov 1, 2026 230 PM/03.ipynb": book, "13-6 - Bob - Nov 1, 2026 230 PM/03.ipynb": book, "14-6 - Jim - Nov 1, 2026 230 PM/03.ipynb": book})
	fourth := folder(t, map[string]string{"12-7 - Bob - Nov 8, 2026 230 PM/04.ipynb": book, "15-7 - Jim - Nov 8, 2026 230 PM/04.ipynb": book})
	brightspace, err := Open(third, fourth)
	if err != nil {
		t.Fatal(err)
	}
	defer brightspace.Close()
	if got, want := listed(brightspace), "Bob|12-6| 03.ipynb []\nBob|12-7| 04.ipynb []\nBob|13-6| 03.ipynb []\nJim|14-6| 03.ipynb 04.ipynb []\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	set, err := Open(first, second)
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	want := "Ada|5| 01.ipynb 02.ipynb [\"Not read, since it is no notebook: notes.txt.\"]\nBob|6| 01.ipynb 02.ipynb []\nSmith|17| 02.ipynb []\nSmith|7| 01.ipynb []\nSmith|8| 01.ipynb []\n"
	if got := listed(set); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestShown(t *testing.T) {
	for name, want := range map[string]string{"Ada": "Ada", "a\u200cda": "a?da", "\u0645\u06cc\u200c\u062e": "\u0645\u06cc\u200c\u062e", "\u0915\u094d\u200d\u0937": "\u0915\u094d\u200d\u0937",
		"\u200c\u0645": "?\u0645", "a\tb": "a?b", "": "?"} {
		if got := shown(name); got != want {
			t.Errorf("%q is shown as %q, want %q", name, got, want)
		}
	}
}

func TestNoSuchPlace(t *testing.T) {
	for _, at := range []string{filepath.Join(t.TempDir(), "none"), os.DevNull} {
		if _, err := Open(at); err == nil {
			t.Errorf("%s was opened", at)
		}
	}
}

// Whatever the file holds, it is an error or a list, and what is shown of it is harmless.
func FuzzOpen(f *testing.F) {
	f.Add([]byte(archive(f, "ada/01.ipynb", book, "x.zip", archive(f, "y/01.ipynb", book))))
	f.Add([]byte(archive(f, "a_1_2_b-1.ipynb", "{}", "\n_3_assignsubmission_file_/x.ipynb", "[]")))
	f.Add([]byte(book))
	f.Fuzz(func(t *testing.T, data []byte) {
		at := filepath.Join(t.TempDir(), "class.zip")
		if err := os.WriteFile(at, data, 0o644); err != nil {
			t.Fatal(err)
		}
		set, err := Open(at)
		if err != nil {
			return
		}
		defer set.Close()
		for _, s := range set.Submissions {
			if s.Student != shown(s.Student) {
				t.Errorf("a student is called %q", s.Student)
			}
			for _, file := range s.Files {
				if nb, err := file.Read(); err == nil && nb == nil {
					t.Error("neither a notebook nor an error")
				}
			}
		}
	})
}
