# Compiles a document of Typst's language with the compiler that the package typst brings
# along. Its arguments, its messages and its exit code are those of Typst's own command, as
# far as they are used, so that either can be called.
import argparse
import sys

parser = argparse.ArgumentParser()
parser.add_argument("command", choices=["compile"])
parser.add_argument("--root", required=True)
parser.add_argument("--font-path", required=True)
parser.add_argument("--ignore-system-fonts", action="store_true")
parser.add_argument("--pdf-standard", required=True)
parser.add_argument("--package-path", required=True)
parser.add_argument("--package-cache-path", required=True)
parser.add_argument("--jobs", type=int)
parser.add_argument("--memory", type=int, default=0, help="in bytes, where the system has such a limit")
parser.add_argument("input")
parser.add_argument("output")
args = parser.parse_args()

if args.memory:
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (args.memory, args.memory))
    except (ImportError, OSError, ValueError):
        pass

import typst

fonts = typst.Fonts(include_system_fonts=not args.ignore_system_fonts, font_paths=[args.font_path])
compiler = typst.Compiler(
    input=args.input,
    root=args.root,
    font_paths=fonts,
    package_path=args.package_path,
    package_cache_path=args.package_cache_path,
)
try:
    _, warnings = compiler.compile_with_warnings(output=args.output, pdf_standards=args.pdf_standard)
except typst.TypstError as error:
    print(error.diagnostic or "error: " + error.message, file=sys.stderr)
    sys.exit(1)
for warning in warnings:
    print(warning.diagnostic or "warning: " + warning.message, file=sys.stderr)
