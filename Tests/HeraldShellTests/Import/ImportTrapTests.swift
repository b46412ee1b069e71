import Glibc
import TestSupport
import Testing

@testable import HeraldShell

/// A CSV file with every trap, and what `print` shows of its objects.
private let traps = #"""
  id,name,"a ""quoted"" name",empty,text
  1,"comma, inside",x,,"line
  break"
  2,"doubled ""quotes"" twice",y,"",'single'

  3, spaces ,z,,"CR\#r
  LF"
  4,naïve 日本 🐕,"",,\#u{1}control
  5,5" disk,z,,"\#u{0}NUL"

  """#

private let trapsShown = #"""
  T#1 {id: 1, name: "comma, inside", a_quoted_name: "x", empty: nil, text: "line\nbreak"}
  T#2 {id: 2, name: "doubled \"quotes\" twice", a_quoted_name: "y", empty: "", text: "'single'"}
  T#3 {id: 3, name: " spaces ", a_quoted_name: "z", empty: nil, text: "CR\r\nLF"}
  T#4 {id: 4, name: "naïve 日本 🐕", a_quoted_name: "", empty: nil, text: "\u0001control"}
  T#5 {id: 5, name: "5\" disk", a_quoted_name: "z", empty: nil, text: "\u0000NUL"}

  """#

private func utf16(_ text: String, isBig: Bool) -> [UInt8] {
  text.utf16.flatMap { unit in
    let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
    return isBig ? [high, low] : [low, high]
  }
}

private func shown(_ content: some Sequence<UInt8>, _ options: String = "") throws -> String {
  var text = ""
  try withFile(Array(content)) { path in
    let run = ScriptRun("import \"\(path)\" as new T \(options)\nprint T")
    text = run.output + run.errors.split(separator: "\n").filter { $0.contains("error:") }.joined()
  }
  return text
}

@Suite struct ImportTrapTests {
  @Test func `every trap of CSV is read, in every encoding`() throws {
    let bytes = Array(traps.utf8)
    #expect(try shown(bytes) == trapsShown)
    #expect(try shown([0xEF, 0xBB, 0xBF] + bytes) == trapsShown)
    #expect(try shown([0xFF, 0xFE] + utf16(traps, isBig: false)) == trapsShown)
    #expect(try shown([0xFE, 0xFF] + utf16(traps, isBig: true)) == trapsShown)
    #expect(try shown(utf16(traps, isBig: false)) == trapsShown)
    #expect(try shown(utf16(traps, isBig: true)) == trapsShown)
    #expect(try shown(utf16(traps, isBig: false), "with encoding utf16") == trapsShown)
    #expect(try shown(utf16(traps, isBig: false), "with encoding utf16le") == trapsShown)
    #expect(try shown(utf16(traps, isBig: true), "with encoding utf16be") == trapsShown)
    #expect(try shown(bytes, "with encoding utf8") == trapsShown)
    // The text has line breaks within fields, which stay as they are.
    let lines = traps.split(separator: "\n", omittingEmptySubsequences: false)
    let returns = lines.map { $0.hasSuffix("\r") ? $0 : $0 + "\r" }.joined(separator: "\n")
    let withReturns = trapsShown.replacing(#"line\nbreak"#, with: #"line\r\nbreak"#)
    #expect(try shown(Array(returns.dropLast().utf8)) == withReturns)
  }

  @Test func `latin 1 is read by a word, and without it is an error that names the line`() throws {
    let bytes = Array("n\nGr".utf8) + [0xFC, 0xDF] + Array("e\n".utf8)
    for name in ["latin1", "latin-1", "Latin1", "ISO-8859-1", "iso_8859_1"] {
      #expect(try shown(bytes, "with encoding \(name), header yes") == "T#1 {n: \"Grüße\"}\n")
    }
    #expect(try shown(bytes).contains("line 2: invalid UTF-8; 'with encoding latin1'"))
  }

  @Test func `what Windows writes is read by a word, which the error suggests`() throws {
    let bytes =
      Array("q\n1990".utf8) + [0x96] + Array("1995".utf8) + [0x85, 0x80, 0xE9, 0x81, 0x0A]
    for name in ["windows1252", "cp1252", "Windows-1252", "CP-1252"] {
      #expect(
        try shown(bytes, "with encoding \(name)")
          == "T#1 {q: \"1990\u{2013}1995\u{2026}\u{20AC}\u{E9}\\u0081\"}\n")
    }
    #expect(try shown(bytes).contains("line 2: invalid UTF-8; 'with encoding windows1252'"))
    let json = Array("{\"a\": \"x".utf8) + [0x92] + Array("\"}".utf8)
    #expect(try shown(json).contains("line 1: invalid UTF-8; 'with encoding windows1252'"))
    #expect(try shown(json, "with encoding cp1252") == "T#1 {a: \"x\u{2019}\"}\n")
    let later = Array("q,r\n".utf8) + [0xE9] + Array(",1\nx,".utf8) + [0x92, 0x0A]
    #expect(try shown(later).contains("line 2: invalid UTF-8; 'with encoding windows1252'"))
  }

  @Test(arguments: [
    (
      "City, country\tPeople\nRome, Italy\t28\n",
      "T#1 {City_country: \"Rome, Italy\", People: 28}\n"
    ),
    ("City, country;People\nRome, Italy;28\n", "T#1 {City_country: \"Rome, Italy\", People: 28}\n"),
    ("a;b\n1,5;2,5\n", "T#1 {a: \"1,5\", b: \"2,5\"}\n"),
    ("a,b\nx;y,1\nz;w,2\n", "T#1 {a: \"x;y\", b: 1}\nT#2 {a: \"z;w\", b: 2}\n"),
    ("a,b;\n1,2;\n", "T#1 {a: 1, b: \"2;\"}\n"),
    ("\r\n\r\nname|height\r\nAda|3\r\n", "T#1 {name: \"Ada\", height: 3}\n"),
    ("  \n \t \nname|height\nAda|3\n  \n", "T#1 {name: \"Ada\", height: 3}\n"),
    ("# made by hand\na;b\n1;3\n", "T#1 {a: 1, b: 3}\n"),
    ("# one\n# two; three, four, five\n\na,b\n1,3\n", "T#1 {a: 1, b: 3}\n"),
    ("#a\tb\nx\t3\n", "T#1 {a: \"x\", b: 3}\n"),
    ("\"a\nb\";c\n\"x\ny\";2\n", "T#1 {a_b: \"x\\ny\", c: 2}\n"),
    (
      "name\theight\rAda\t3\rBo\t5",
      "T#1 {name: \"Ada\", height: 3}\nT#2 {name: \"Bo\", height: 5}\n"
    ),
    ("a,b\r\r\"x\ry\",1\r", "T#1 {a: \"x\\ry\", b: 1}\n"),
    ("a,b\r\n1,2\r3,4\n5,6", "T#1 {a: 1, b: 2}\nT#2 {a: 3, b: 4}\nT#3 {a: 5, b: 6}\n"),
    ("n\r1\r\r2\r", "T#1 {n: 1}\nT#2 {n: nil}\nT#3 {n: 2}\n"),
  ])
  func `the delimiter and the line ends are those of the whole text`(
    content: String, output: String
  )
    throws
  {
    #expect(try shown(Array(content.utf8)) == output)
  }

  @Test func `a table that begins with other lines is an error, not one column`() throws {
    #expect(
      try shown("Report 2020\na;b\n1;3\n2;4\n".utf8)
        .contains("line 2: 2 fields where the header has 1"))
  }

  @Test(arguments: [
    ("x.jsonl", "\nINFO start\n{\"a\": 1}\n", "line 2: expected an object or an array, found 'I'"),
    ("x.ndjson", "1\n2\n", "line 1: expected an object or an array, found '1'"),
    ("x.JSON", "a,b\n1,2\n", "line 1: expected an object or an array, found 'a'"),
  ])
  func `a file with a name of JSON is no CSV`(name: String, content: String, message: String) throws
  {
    try withFolder { folder in
      let path = "\(folder)/\(name)"
      #expect(FileTree.write(content, to: path))
      let run = ScriptRun("import \"\(path)\" as new T")
      #expect(run.errors.contains(message), "\(run.errors)")
      let forced = ScriptRun("import \"\(path)\" as new T with header no\nprint T.@count")
      #expect(forced.output == "2\n", "\(forced.errors)")
    }
  }

  @Test(arguments: [
    ("BZh91AY&SY\0\u{1}", "compressed by bzip2"), ("\u{FD}7zXZ\0\0", "compressed by xz"),
    ("\u{28}\u{B5}\u{2F}\u{FD}\u{4}", "compressed by zstandard"),
    ("PK\u{3}\u{4}[Content_Types].xml", "libreoffice"), ("PAR1\u{15}\0\u{15}", "duckdb"),
    ("SQLite format 3\0\u{10}", "sqlite3"),
    ("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\u{DE}\u{C0}\u{EF}\u{BE}\u{1}\0", "it is a store; 'herald"),
  ])
  func `another form of file is named, with a program that makes CSV of it`(
    content: String, message: String
  ) throws {
    let bytes = content.unicodeScalars.map { UInt8($0.value) }
    for options in ["", "with encoding latin1", "with delimiter \";\""] {
      #expect(try shown(bytes, options).contains(message))
    }
  }

  @Test func `a column may have the name of another form of file`() throws {
    #expect(try shown("PAR1,b\n1,2\n".utf8) == "T#1 {PAR1: 1, b: 2}\n")
  }

  @Test(arguments: [
    ("a;b\n1;2\n", "", "T#1 {a: 1, b: 2}\n"), ("a\tb\n1\t2,5\n", "", "T#1 {a: 1, b: \"2,5\"}\n"),
    ("\"a\"|\"b,c\"\n1|2\n", "", "T#1 {a: 1, b_c: 2}\n"),
    ("a:b\n1:2\n", "with delimiter \":\"", "T#1 {a: 1, b: 2}\n"),
    ("a,b\n'x,y',\"z\"\n", "with quote \"'\"", "T#1 {a: \"x,y\", b: \"\\\"z\\\"\"}\n"),
    ("a,b\n\"x,y\n", "with quote none", "T#1 {a: \"\\\"x\", b: \"y\"}\n"),
    (
      "1,x\n2,y\n", "with header no",
      "T#1 {column1: 1, column2: \"x\"}\nT#2 {column1: 2, column2: \"y\"}\n"
    ),
    (
      "1\t2\n", "with delimiter tab, header no, columns { column1: a, column2: b }",
      "T#1 {a: 1, b: 2}\n"
    ),
    ("[1,2\n", "with header no", "T#1 {column1: \"[1\", column2: 2}\n"),
    ("a\n1\n\n2", "", "T#1 {a: 1}\nT#2 {a: nil}\nT#3 {a: 2}\n"),
  ])
  func `the form of a file is found or given`(content: String, options: String, output: String)
    throws
  {
    #expect(try shown(Array(content.utf8), options) == output)
  }

  @Test(arguments: [
    ("a,b\n1,2\n3\n", "line 3: 1 field where the header has 2"),
    ("a,b\n1,\"x\ny\"\n3,4,5\n", "line 4: 3 fields where the header has 2"),
    ("1,2\n3\n", "line 2: 1 field where the header has 2"),
    ("a,b\n1,\"x\n2,y\n", "line 2: a quoted field is never closed"),
    ("a,b\n1,\"x\"y\n", "line 2: unexpected text after a closing quote"),
    ("", "line 1: there is nothing to infer a class from"),
    (" \n \n", "line 1: there is nothing to infer a class from"),
    ("[]", "line 1: there is nothing to infer a class from"),
    ("{}\n{}\n", "line 1: there is nothing to infer a class from"),
    ("{\"a\": 1}\n{\"a\": 2\n", "line 2: expected ',' or '}', found the end"),
    ("{\"a\": 1}\n{\"a\": 2\n{\"a\": 3}\n", "line 2: expected ',' or '}', found '{'"),
    ("{\"a\": 1}\n{\"a\": \n\n", "line 2: expected a value, found the end"),
    ("{\"a\": 1}\n{\"a\": \"x\n{\"a\": 3}\n", "line 2: unterminated string"),
    ("[{\"a\": 1},\n{\"a\": 2}\n\n", "line 2: expected ',' or ']', found the end"),
    ("[{\"a\": 1},\n\n", "line 1: expected a value, found the end"),
    ("{\"a\": 1}\n7\n", "line 2: expected an object, found 7"),
  ])
  func `an error names the line where it is`(content: String, message: String) throws {
    #expect(try shown(Array(content.utf8)).contains(message))
  }

  @Test func `without a header the first record says how many fields there are`() throws {
    let text = try shown("1,2\n3\n".utf8, "with header no")
    #expect(text.contains("line 2: 1 field where the first record has 2"))
  }

  @Test func `unknown columns are one error`() throws {
    let script = "class Dog { id: int; name: string? }\n"
    for (content, message) in [
      (
        "id,nmae,x,y\n1,2,3,4\n",
        "line 1: class 'Dog' has no properties 'nmae' (did you mean 'name'?), 'x' and 'y'"
      ),
      (
        "{\"id\": 1}\n{\"id\": 2, \"x\": 1}\n{\"y\": 1, \"x\": 2}\n",
        "line 2, record 2: class 'Dog' has no properties 'x' and 'y'"
      ),
    ] {
      try withFile(Array(content.utf8)) { path in
        let run = ScriptRun(script + "import \"\(path)\" into Dog")
        #expect(run.errors.contains("\(path): \(message)\n"), "\(run.errors)")
      }
    }
  }

  @Test func `a very long field and a long record are read`() throws {
    let long = String(repeating: "x\"\"y\n,", count: 300_000)
    let content = Array("a,b\n1,\"\(long)\"\n2,z\n".utf8)
    try withFile(content) { path in
      let run = ScriptRun("import \"\(path)\" as new T\nprint T#1.b.length, T#2.b")
      #expect(run.output == "\(300_000 * 5) z\n", "\(run.errors)")
    }
    let json = "[" + (1...200_000).map { "{\"n\": \($0)}" }.joined(separator: ",") + "]"
    try withFile(Array("{\"a\": 1, \"l\": \(json)}\n".utf8)) { path in
      let run = ScriptRun("import \"\(path)\" as new T\nprint T#1.l.@count")
      #expect(run.output == "200000\n", "\(run.errors)")
    }
  }

  @Test func `a path may begin with the home folder`() throws {
    let home = try #require(getenv("HOME").map { String(cString: $0) })
    #expect(File.expanded("~/a.csv") == home + "/a.csv")
    #expect(File.expanded("~") == home)
    for path in ["a~/b", "~a/b", "/~/b", "-"] { #expect(File.expanded(path) == path) }
  }

  @Test func `an object around records is none if its name is almost a property`() throws {
    try withFile(Array("{\"dgos\": [{\"a\": 1}]}".utf8)) { path in
      let run = ScriptRun("class T { dogs: list<int> }\nimport \"\(path)\" into T")
      #expect(run.errors.contains("class 'T' has no property 'dgos'; did you mean 'dogs'?"))
    }
    try withFile(Array("{\"all\": [{\"a\": 1}, {\"a\": 2}]}".utf8)) { path in
      let run = ScriptRun("class T { a: int }\nimport \"\(path)\" into T\ncount T")
      #expect(run.output == "2\n")
      let more = ScriptRun("class T { a: int }\nimport \"\(path)\" into T with header no")
      #expect(more.errors.contains("error:"))
    }
  }

  @Test func `an empty file is noted`() throws {
    for content in ["", " \n\n"] {
      try withFile(Array(content.utf8)) { path in
        let run = ScriptRun("class Dog { id: int }\nimport \"\(path)\" into Dog", named: "x")
        #expect(run.errors == "x:2:8: note: \(path): the file is empty\n")
        #expect(run.status == 0)
      }
    }
  }

  /// The table of the test below, as `xz` and `zstd` compress it.
  @Test(arguments: [
    (
      "xz",
      "fd377a585a000004e6d6b4460200210116000000742fe5a301000b612c620a312c320a332c340a001055e396322f915e0001240ca618d8d81fb6f37d010000000004595a"
    ),
    ("zstd", "28b52ffd240c610000612c620a312c320a332c340ae1b3cb2e"),
  ])
  func `what an installed program unpacks is read`(program: String, content: String) throws {
    let digits = Array(content.utf8)
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
    }
    let folders = (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":")
    let isInstalled = folders.contains { access("\($0)/\(program)", X_OK) == 0 }
    let text = try shown(bytes)
    #expect(
      isInstalled ? text == "T#1 {a: 1, b: 2}\nT#2 {a: 3, b: 4}\n" : text.contains("unpacks it"))
    var damaged = bytes
    damaged[bytes.count - 8] ^= 0xFF
    #expect(try shown(damaged).contains("compressed by \(program == "xz" ? "xz" : "zstandard")"))
  }

  @Test func `gzip is read, of several members, and damaged gzip is an error`() throws {
    // What `gzip` makes of "a,b\n1,2\n" and of "3,4\n", one after the other.
    let bytes: [UInt8] = [
      0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4B, 0xD4, 0x49, 0xE2, 0x32,
      0xD4, 0x31, 0xE2, 0x02, 0x00, 0x7B, 0x07, 0x97, 0x0A, 0x08, 0x00, 0x00, 0x00, 0x1F, 0x8B,
      0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x33, 0xD6, 0x31, 0xE1, 0x02, 0x00, 0x3E,
      0x2D, 0x72, 0xA9, 0x04, 0x00, 0x00, 0x00,
    ]
    #expect(try shown(bytes) == "T#1 {a: 1, b: 2}\nT#2 {a: 3, b: 4}\n")
    #expect(try shown(bytes.dropLast(9)).contains("the compressed data ends too early"))
    var damaged = bytes
    damaged[14] ^= 0xFF
    #expect(try shown(damaged).contains("error:"))
  }
}
