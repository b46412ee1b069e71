import Herald
import TestSupport
import Testing

@testable import HeraldShell

/// Defined queries, and links to deleted objects, in stores that are rebuilt or opened again.
struct DefinedQueryTests {
  private static let scene = """
    class House { id: int primary; street: string; cats: backlinks<Cat.home> }
    class Note { text: string }
    class Cat { id: int primary; lives: int; home: House; note: Note }
    add House [ {id: 1, street: "Elm"}, {id: 2, street: "Oak"} ]
    add Note [ {text: "a"}, {text: "b"}, {text: "c"} ]
    delete Note where text == "a"
    add Cat [ {id: 1, lives: 9, home: House#1, note: Note#2}, {id: 2, lives: 3, home: House#2} ]

    """

  private func output(_ script: String) -> String {
    let run = ScriptRun(script)
    #expect(run.errors == "")
    return run.output
  }

  /// What a script prints, of a store that may have queries which name missing objects.
  private func unchecked(_ script: String) -> String {
    let sink = CollectingSink()
    let interpreter = Interpreter(options: .init(), sink: sink)
    #expect(interpreter.run(Source(name: "test", text: script)))
    interpreter.finish()
    #expect(sink.errors == "")
    return sink.output
  }

  @Test(arguments: [
    "define Elm as Cat where home.street == \"Elm\" sort(lives desc) { id, lives }",
    "define Home as Cat where home == House#2\ndelete House#2",
    "define Homes as Cat where home IN {House#1, House#2, House#7} { id, home == House#2 as old }",
    "define Noted as Cat where note == Note#2 "
      + "OR SUBQUERY(home.cats, $c, $c.note == Note#3).@count > 0",
    "define Noted as Cat where note == Note#3\ndelete Note where text == \"c\"",
    "define Home as Cat where home == House#2\ndefine Top as Home where lives < House#2.id limit(1)",
    "define Elm as Cat where lives > 1\nalter Cat { rename lives to left }\ndefine Top as Elm",
  ])
  func `a store with defined queries is rebuilt by its dump`(_ statements: String) throws {
    let dump = unchecked(Self.scene + statements + "\ndump")
    let rebuilt = unchecked(dump + "dump")
    #expect(rebuilt == dump)
    #expect(rebuilt.contains("\ndefine "))
  }

  @Test func `a missing object that a query names is a problem of the store until it is dropped`() {
    let problem = "query 'Home' names House#2, which does not exist"
    #expect(
      output(
        Self.scene + "define Home as Cat where home == House#2\ncheck\n"
          + "delete House#2\nexpect error \"1 problem\" { check }\ndrop Home\ncheck"
      ) == "ok\n\(problem)\nok\n")
  }

  @Test func `a link at an earlier version has its key in a store that was opened anew`() throws {
    try withFolder { folder in
      let path = "\(folder)/shelf.hdb"
      _ = output(
        "open \"\(path)\"\n" + Self.scene
          + "delete House#1\ndelete House#2\nset Cat#1.lives = 8")
      let shown = output(
        """
        open "\(path)"
        show Cat sort(id desc) at 7 { id, home }
        for $g in group Cat by home { n: @count } at 7 { print $g.home, $g.n }
        let $f = freeze at 7
        let $home = (Cat#1.home in $f)
        print $home
        print (Cat#2.home at 7)
        """)
      #expect(shown.hasPrefix("   id  home\n0   2  House#2\n1   1  House#1\n"))
      #expect(shown.contains("House#1 1\nHouse#2 1\n"))
    }
  }
}
