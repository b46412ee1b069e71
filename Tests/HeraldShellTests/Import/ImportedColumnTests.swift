import TestSupport
import Testing

@testable import HeraldShell

/// Which columns of a file are which properties, and how their fields are read.
@Suite struct ImportedColumnTests {
  /// What a column is does not depend on where it stands, or is said.
  @Test(arguments: [
    ("a-b,a_b,id\n1,2,1\n", "id,a_b,a-b\n2,2,1\n"), ("id,a_b,a-b\n1,2,1\n", "a-b,id,a_b\n1,2,2\n"),
    ("[{\"id\":1,\"a-b\":1,\"a_b\":2}]", "[{\"a-b\":1,\"a_b\":2,\"id\":2}]"),
    ("[{\"id\":1,\"a_b\":2,\"a-b\":1}]", "{\"id\":2,\"a-b\":1,\"a_b\":2}"),
  ])
  func `columns of one valid name are not mixed up`(first: String, second: String) throws {
    try withFile(Array(first.utf8)) { one in
      try withFile(Array(second.utf8)) { other in
        let run = ScriptRun(
          "import \"\(one)\" as new T\nimport \"\(other)\" into T\nshow T { id, a_b, a_b_2 }")
        #expect(run.output == "   id  a_b  a_b_2\n0   1    2      1\n1   2    2      1\n")
        #expect(run.status == 0)
      }
    }
  }

  @Test func `a column that may be one of several properties has to be named`() throws {
    let declared = "class T { id: int primary; Amount: int?; Amount_2: int? }\n"
    for (file, position) in [
      ("Amount (%),id\n6,1\n", "line 1"),
      ("{\"id\":1,\"Amount (%)\":6}", "line 1, record 1"),
      ("{\"id\":1,\"Amount\":5}\n{\"id\":2,\"Amount (%)\":6}", ""),
    ] {
      try withFile(Array(file.utf8)) { path in
        let run = ScriptRun(
          declared + "import \"\(path)\" into T\ncount T")
        if position.isEmpty {
          // The other one has the name of its own.
          #expect(run.output == "2\n")
          return
        }
        #expect(run.errors.contains("\(position), property 'Amount ("))
        #expect(
          run.errors.contains("it may be property 'Amount' or 'Amount_2': say so with columns {"))
        let named = ScriptRun(
          declared
            + "import \"\(path)\" into T with columns { \"Amount (%)\": Amount_2 }\nprint (T)[0].Amount_2"
        )
        #expect(named.output == "6\n", "\(named.errors)")
      }
    }
  }

  @Test func `fields of type any are read in the notation of the file`() throws {
    let text = "id;v;s\n1;1.234,5;NA\n2;NA;x\n3;01.02.2024;y\n4;1.5;z\n5;\"7,5\";\"\"\n"
    try withFile(Array(text.utf8)) { path in
      let run = ScriptRun(
        """
        class V { id: int primary; v: any; s: string? }
        import "\(path)" into V with decimal ",", thousands ".", dates "dd.MM.yyyy", nil "NA"
        print V
        class W { id: int primary; v: any; s: string }
        import "\(path)" into W with nil "NA"
        """, named: "x")
      #expect(
        run.output == """
          V#1 {id: 1, v: 1234.5, s: nil}
          V#2 {id: 2, v: nil, s: "x"}
          V#3 {id: 3, v: 2024-02-01@00:00:00, s: "y"}
          V#4 {id: 4, v: "1.5", s: "z"}
          V#5 {id: 5, v: 7.5, s: ""}

          """)
      #expect(
        run.errors.contains(
          "line 2, record 1, property 's': expected a string that is not nil, found \"NA\""))
    }
  }
}
