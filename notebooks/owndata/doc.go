// Package owndata serves the notebooks about your own data: it writes their three made-up
// files, which are as untidy as real ones (Soil, Appointments, Bikes), and reads and
// describes any CSV file before anything is known about its columns (Texts, Columns).
package owndata
