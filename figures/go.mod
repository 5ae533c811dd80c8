// An empty module keeps the figures out of the one that is downloaded.
module github.com/mllabs-go/mllabs/figures

go 1.26
