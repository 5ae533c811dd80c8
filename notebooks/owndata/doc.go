// Package owndata serves the notebooks about your own data: it writes their three made-up
// files, which are as untidy as real ones (Soil, Appointments, Bikes), and reads, cleans and
// describes any CSV file (Texts, Cleaning, Columns).
package owndata
