package texmath

var (
	Compile = compile
	Unsafe  = unsafe
)
