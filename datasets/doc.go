// Package datasets is the catalogue of the course's data.
package datasets
