"""Make the answers that the reader of tables in mlcore/frame is tested against, with pandas.

    python frame.py

writes mlcore/frame/testdata/peers.json: messy files, and what pandas reads of them with the
settings that stand beside each. pandas is not part of `lab setup --peers`; any Python with
pandas 2 or 3 makes the same file.
"""

import base64
import gzip
import io
import json
import os
import platform
import zipfile

import numpy as np
import pandas as pd

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "..", "mlcore", "frame", "testdata", "peers.json")


def zipped(name):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        z.writestr(zipfile.ZipInfo(name), "a,b\n1,2\n")
    return out.getvalue()


def numbered(header, line, n=24):
    return header + "\n" + "".join(line(i) + "\n" for i in range(n))


# The name of a file, its bytes or text, and the arguments of read_csv beside na_values.
FILES = [
    ("plain", "a,b,y\n1,red,no\n2.5,blue,yes\n-3,red,no\n", {}),
    ("numbers in all ways", "a,b,y\n+1,1e3,p\n-0,.5,q\n007.5,2.,p\n1E-2,-1.25e+02,q\n", {}),
    ("CRLF and spaces", "a, b,y\r\n1, red,no\r\n2, blue,yes\r\n", {"skipinitialspace": True}),
    ("spaces at the end", "a ,b ,y\n1 ,red ,no\n2\t,blue,yes\n", {}),
    ("quotes", 'a,b,y\n1,"x, ""y""\nz",no\n"2",w,yes\n', {}),
    ("a byte order mark", "\ufeffa,y\n1,no\n2,yes\n", {}),
    ("a no-break space", "a,b,y\n1,\u00a0red,no\n2,red\u00a0,yes\n", {}),
    ("a no-break space and a quote", 'a,b,y\n1,\u00a0red,no\n2,"red",yes\n', {}),
    ("CR CR LF", "a,b,y\r\r\n1,red,no\r\r\n2,blue,yes\r\r\n", {}),
    ("CR CR LF and a quote", 'a,b,y\r\r\n1,"red",no\r\r\n2,blue,yes\r\r\n', {}),
    ("CR", "a,b,y\r1,red,no\r2,blue,yes\r", {}),
    ("CR and an LF at the end", "a,b,y\r1,red,no\r2,blue,yes\n", {}),
    ("CR and an LF in quotes", 'a,b,y\r1,"red\nblue",no\r2,"",yes\r', {}),
    ("CR and CRLF", 'a,b,y\r\n1,"red\rblue",no\r2,blue,yes\r\n', {}),
    ("spaces around quotes", 'a,b,y\n 1, "red, dark" ,no\n"2" ,"a ""b"" , c",yes \n', {"skipinitialspace": True}),
    ("spaces around quotes between tabs", 'a\tb\ty\n1\t "red\tdark" \tno\n\t"blue"\tyes\n', {"sep": "\t", "skipinitialspace": True}),
    ("a column PAR1", "PAR1,PAR2,y\n1,2,no\n3,4,yes\n", {}),
    ("a column BZh", "BZh,y\n1,no\n3,yes\n", {}),
    ("blank lines", "\n\na,b,y\n\n1,red,no\n  \n\n2,blue,yes\n\n", {}),
    ("a last line without an end", "a,y\n1,no\n2,yes", {}),
    ("words for missing values", "a,b,y\n" + "".join(f"{w},{w},p\n" for w in
        ["", "NA", "N/A", "n/a", "<NA>", "#N/A", "NaN", "nan", "-nan", "NULL", "null", "None", "?"]) + "1,none,q\n2,na,q\n", {}),
    ("missing labels", "a,y\n1,no\n2,nan\n3,None\n4,yes\n5,N/A\n6,null\n7,\n", {}),
    ("a country NA", "a,country,y\n1,NA,no\n2,DE,yes\n,None,no\n", {"keep_default_na": False, "na_values": [""]}),
    ("more words for missing values", "a,b,y\n-999,red,no\n2,unknown,yes\n3,blue,no\n", {"na_values": ["?", "-999", "unknown"]}),
    ("a missing number that is written in two ways", "a,b,y\n-999,red,no\n-999.0,blue,yes\n3,red,no\n", {"na_values": ["?", "-999"]}),
    ("ends of lines of three kinds", 'a,b,y\r\n1,red,no\n2,"x\ry",yes\r3,red,no', {}),
    ("semicolons", "a;b;y\n1;red, dark;no\n2;blue;yes\n", {"sep": ";"}),
    ("semicolons and decimal commas", "a;b;y\n1,5;red;no\n-2;blue;yes\n1e1;blue;no\n", {"sep": ";", "decimal": ","}),
    ("quoted decimal commas", 'a,y\n"1,5",no\n"2,25",yes\n', {"decimal": ","}),
    ("semicolons unsaid", "a;b;y\n1;red;no\n2;blue;yes\n", {}),
    ("quoted semicolons unsaid", '"a";"b";"y"\n1;"red";"no"\n2;"blue";"yes"\n', {}),
    ("tabs", 'a\tb\ty\n1\t"red, dark"\tno\n\t\tyes\n3\tblue\tno\n', {"sep": "\t"}),
    ("tabs unsaid", "a\tb\ty\n1\tred\tno\n2\tblue\tyes\n", {}),
    ("bars", "a|b|y\n1|red|no\n2|blue|yes\n", {"sep": "|"}),
    ("an empty text at the end of spaces", 'a b y\n1 no ""\n2 yes p\n3 no q\n', {"sep": r"\s+"}),
    ("runs of spaces", "  a   b y\n 1   red no\n22 blue  yes  \n", {"sep": r"\s+"}),
    ("gzip", gzip.compress(b"a,y\n1,no\n2,yes\n", mtime=0), {"compression": "gzip"}),
    ("cut gzip", gzip.compress(b"a,y\n1,no\n2,yes\n", mtime=0)[:-10], {"compression": "gzip"}),
    ("a zip archive", zipped("a.csv"), {}),
    ("a workbook", zipped("xl/workbook.xml"), {}),
    ("JSON", '[{"a": 1, "y": "no"}, {"a": 2, "y": "yes"}]\n', {}),
    ("a pointer of Git LFS", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21\nsize 12345\n", {}),
    ("a data base", b"SQLite format 3\0\x10\0", {}),
    ("an HTML page in small letters", "\n<!doctype html>\n<p>a,y</p>\n", {}),
    ("UTF-16", "a,y\n1,no\n2,yes\n".encode("utf-16"), {}),
    ("Latin-1", "a,y\n1,no\n2,schön\n".encode("latin-1"), {}),
    ("an HTML page", "<!DOCTYPE html>\n<html><body>a,y</body></html>\n", {}),
    ("nothing", "", {}),
    ("a header alone", "a,y\n", {}),
    ("decimal commas unsaid", 'a,y\n"1,5",no\n"2,25",yes\n"3,5",no\n', {}),
    ("thousands", 'a,y\n"1,234",no\n"12,345,678",yes\n"2,000",no\n', {}),
    ("thousands unsaid after a number", 'a,y\n950,no\n"1,234",yes\n', {}),
    ("percent signs", "a,y\n10%,no\n12.5%,yes\n10%,no\n", {}),
    ("minus signs of typesetters", "a,y\n\u22121,no\n\u22122.5,yes\n3,no\n", {}),
    ("minus signs of typesetters alone", "a,y\n\u22121,no\n\u22122.5,yes\n", {}),
    ("digits of another script", "a,y\n\u0661\u0662,no\n\u0663\u066b\u0664,yes\n", {}),
    ("losses in parentheses", "a,y\n(12.50),no\n(7),yes\n", {}),
    ("exponents of Fortran", "a,y\n1.5D+03,no\n2d-1,yes\n", {}),
    ("years in parentheses are words", "a,y\nUp (2009),no\nHeat (1995),yes\n", {}),
    ("months unsaid", "month,y\nJan 2024,no\nFeb 2024,yes\n", {}),
    ("dates without separators", numbered("day,y", lambda i: (f"202401{i:02d}" if i else "") + f",{'pq'[i % 2]}"), {}),
    ("eight digits", numbered("a,y", lambda i: f"{20240188 + i},{'pq'[i % 2]}"), {}),
    ("dates unsaid", "day,y\n2021-05-03,no\n2021-05-04,yes\n2020-02-29,no\n", {}),
    ("German dates unsaid", "day,y\n3.5.2021,no\n24.12.2021,yes\n", {}),
    ("dates", "day,y\n2021-05-03,no\n1969-12-31,yes\n,no\n2020-02-29,yes\n", {"days": {"day": "%Y-%m-%d"}}),
    ("German dates", "day;y\n03.05.2021;no\n24.12.2021;yes\n", {"sep": ";", "days": {"day": "%d.%m.%Y"}}),
    ("dates and times", "day,y\n2021-05-03 12:00,no\n2021-05-04 18:00,yes\n", {"days": {"day": "%Y-%m-%d %H:%M"}}),
    ("a bad date", "day,y\n2021-05-03,no\n2021-02-30,yes\n", {}),
    ("fractions of seconds", "t,y\n2021-05-03 06:00:00.25,no\n1969-12-31 23:59:59.5,yes\n", {"days": {"t": "%Y-%m-%d %H:%M:%S.%f"}}),
    ("names of people", numbered("name,a,y", lambda i: f"person {i},{i % 5},{'pq'[i % 2]}"), {}),
    ("a row number of pandas", numbered(",a,y", lambda i: f"{i},{i % 5},{'pq'[i % 2]}"), {"index_col": 0}),
    ("a row number of a part", numbered(",a,y", lambda i: f"{7 * i % 24},{i % 5},{'pq'[i % 2]}"), {"index_col": 0}),
    ("a row number with a name", numbered("case,a,y", lambda i: f"{i + 1},{i % 5},{'pq'[i % 2]}"), {}),
    ("numbers that identify", numbered("patient_id,a,y", lambda i: f"{7919 * i % 1000},{i % 5},{'pq'[i % 2]}"), {}),
    ("postal codes", "code,y\n01234,no\n98765,yes\n01234,no\n00501,yes\n", {"dtype": str}),
    ("amounts for classes", numbered("a,y", lambda i: f"{i % 5},{1000 + 7 * i}"), {}),
    ("long numbers for classes", "a,y\n1,12345678901234567890\n2,12345678901234567891\n3,12345678901234567890\n", {"dtype": {"y": str}}),
    ("numbers and words", "a,y\n1,no\nmany,yes\n", {}),
    ("booleans", "a,b,y\n1,True,no\n2,False,yes\n3,True,no\n", {"dtype": {"b": str}}),
    ("an infinity", "a,y\n1,no\ninf,yes\n", {}),
    ("too many fields", "a,b\n1,2\n3,4,5\n", {}),
    ("too few fields", "a,b,y\n1,2,no\n3,4\n", {}),
    ("a separator at the end of lines", "a,b,y\n1,2,no,\n3,4,yes,\n", {}),
    ("two columns of one name", "a,a,y\n1,2,no\n3,4,yes\n", {}),
    ("a column without a name", "a,,y\n1,2,no\n3,4,yes\n", {}),
    ("an open quote", 'a,y\n1,no\n2,"yes\n3,no\n4,yes\n', {}),
    ("a quote amid a field", 'a,y\n5" pipe,no\n6,yes\n', {}),
    ("a bad line behind quoted line breaks", 'a,b,y\n1,"one\ntwo",no\n\nx,red,yes\n', {}),
    ("no header", "5.1,3.5,setosa\n4.9,3.0,setosa\n6.4,3.2,versicolor\n", {"header": None, "names": ["length", "width", "class"]}),
    ("no header unsaid", "5.1,3.5,setosa\n4.9,3.0,setosa\n6.4,3.2,versicolor\n", {}),
]


def read(data, args):
    args = dict(args)
    days = args.pop("days", {})
    args.setdefault("na_values", ["?"])
    try:
        df = pd.read_csv(io.BytesIO(data), **args)
    except Exception as e:  # what pandas says of it
        return {"error": f"{type(e).__name__}: {e}"}
    for name, layout in days.items():
        day = pd.to_datetime(df[name], format=layout)
        df[name] = (day - pd.Timestamp("1970-01-01")) / pd.Timedelta(days=1)
    columns = []
    for j, name in enumerate(df.columns):
        values = df.iloc[:, j]
        numeric = pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)
        there = values.notna()
        column = {"name": str(name)}
        if numeric:
            column["numbers"] = [float(v) if ok and np.isfinite(v) else None for v, ok in zip(values, there)]
        else:
            column["texts"] = [str(v) if ok else None for v, ok in zip(values, there)]
        columns.append(column)
    return {"columns": columns}


def main():
    out = []
    for name, data, args in FILES:
        if isinstance(data, str):
            data = data.encode("utf-8")
        out.append({"name": name, "file": base64.b64encode(data).decode(), "settings": repr(args), **read(data, args)})
    versions = {"python": platform.python_version(), "pandas": pd.__version__, "numpy": np.__version__}
    os.makedirs(os.path.dirname(OUT), exist_ok=True)
    with open(OUT, "w", encoding="utf-8") as f:
        json.dump({"versions": versions, "files": out}, f, indent=1, allow_nan=False)
        f.write("\n")


if __name__ == "__main__":
    main()
