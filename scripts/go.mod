module github.com/mllabs-go/mllabs/scripts

go 1.26

tool (
	github.com/janpfeifer/gonb
	golang.org/x/tools/cmd/goimports
)

replace (
	github.com/mllabs-go/mllabs => ../
	github.com/mllabs-go/mllabs/notebooks => ../notebooks
)

require (
	codeberg.org/go-fonts/latin-modern v0.4.0
	github.com/alecthomas/chroma/v2 v2.20.0
	github.com/andybalholm/brotli v1.2.0
	github.com/bluekeyes/go-gitdiff v0.8.1
	github.com/chromedp/cdproto v0.0.0-20250724212937-08a3db8b4327
	github.com/chromedp/chromedp v0.14.2
	github.com/dop251/goja v0.0.0-20250630131328-58d95d85e994
	github.com/go-gota/gota v0.12.0
	github.com/gofrs/flock v0.12.1
	github.com/microcosm-cc/bluemonday v1.0.27
	github.com/mllabs-go/mllabs v0.0.0
	github.com/mllabs-go/mllabs/notebooks v0.0.0
	github.com/yuin/goldmark v1.7.13
	go.yaml.in/yaml/v3 v3.0.6
	golang.org/x/image v0.32.0
	golang.org/x/net v0.47.0
	golang.org/x/tools v0.38.0
	gonum.org/v1/gonum v0.17.0
)

require (
	github.com/chromedp/sysutil v1.1.0 // indirect
	github.com/go-json-experiment/json v0.0.0-20250725192818-e39067aee2d2 // indirect
	github.com/gobwas/httphead v0.1.0 // indirect
	github.com/gobwas/pool v0.2.1 // indirect
	github.com/gobwas/ws v1.4.0 // indirect
)

require (
	codeberg.org/go-fonts/liberation v0.5.0 // indirect
	codeberg.org/go-latex/latex v0.2.0 // indirect
	codeberg.org/go-pdf/fpdf v0.11.1 // indirect
	git.sr.ht/~sbinet/gg v0.7.0 // indirect
	github.com/ajstarks/svgo v0.0.0-20211024235047-1546f124cd8b // indirect
	github.com/aymerick/douceur v0.2.0 // indirect
	github.com/dlclark/regexp2 v1.11.5 // indirect
	github.com/fatih/color v1.18.0 // indirect
	github.com/fsnotify/fsnotify v1.8.0 // indirect
	github.com/go-logr/logr v1.4.2 // indirect
	github.com/go-sourcemap/sourcemap v2.1.4+incompatible // indirect
	github.com/go-zeromq/goczmq/v4 v4.2.2 // indirect
	github.com/go-zeromq/zmq4 v0.17.0 // indirect
	github.com/gofrs/uuid v4.4.0+incompatible // indirect
	github.com/golang/freetype v0.0.0-20170609003504-e2365dfdc4a0 // indirect
	github.com/google/pprof v0.0.0-20240927180334-d43a67379298 // indirect
	github.com/gorilla/css v1.0.1 // indirect
	github.com/gx-org/backend v0.3.0 // indirect
	github.com/gx-org/gx v0.6.1 // indirect
	github.com/janpfeifer/gonb v0.11.4 // indirect
	github.com/janpfeifer/must v0.2.0 // indirect
	github.com/mattn/go-colorable v0.1.14 // indirect
	github.com/mattn/go-isatty v0.0.20 // indirect
	github.com/pkg/errors v0.9.1 // indirect
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.3.4 // indirect
	go.lsp.dev/jsonrpc2 v0.10.0 // indirect
	go.lsp.dev/pkg v0.0.0-20210717090340-384b27a52fb2 // indirect
	go.lsp.dev/protocol v0.12.0 // indirect
	go.lsp.dev/uri v0.3.0 // indirect
	go.uber.org/multierr v1.11.0 // indirect
	go.uber.org/zap v1.27.0 // indirect
	golang.org/x/exp v0.0.0-20250106191152-7588d65b2ba8 // indirect
	golang.org/x/mod v0.29.0 // indirect
	golang.org/x/sync v0.18.0
	golang.org/x/sys v0.38.0
	golang.org/x/telemetry v0.0.0-20251008203120-078029d740a8 // indirect
	golang.org/x/text v0.31.0
	gonum.org/v1/plot v0.17.0
	k8s.io/klog/v2 v2.130.1 // indirect
)
