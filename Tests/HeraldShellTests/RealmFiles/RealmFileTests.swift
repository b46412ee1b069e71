import RealmFileBuilder
import TestSupport
import Testing

@testable import HeraldShell

/// Files of the documented system in the shell.
struct RealmFileTests {
  private func path(_ folder: TemporaryFolder, _ bytes: [UInt8]) throws -> String {
    let path = folder.path + "/kennel.realm"
    try FileTree.save(bytes, to: path)
    return path
  }

  @Test func `a file is asked as a store with the same objects is`() throws {
    let folder = try TemporaryFolder()
    let bytes = RealmFileBuilder.kennel()
    let path = try path(folder, bytes)
    let run = ScriptRun(
      """
      open \(path)
      schema
      count Dog
      print Dog#"Rex".owner.name, Dog#"Max".owner.name, Dog#"Bo".owner
      print Dog#"Rex".lucky, Dog#"Bo".lucky, Dog#"Bo".full_name
      print Dog#"Rex".home.town, Dog#"Max".home.town
      print (Person where best.name == "Max").@count, (Person where name == nil).@count
      print (Person where friends.@count > 1).@count, (Person where ANY friends.name == "Rex").@count
      show now_ { at }
      group Dog by age > 4 as old { n: @count }
      export Dog { name, age } to - as csv
      watch Dog where age > 100
      """)
    #expect(run.status == 1)
    #expect(
      run.output == """
        class Dog {
          name: string primary
          age: int indexed
          full_name: string?
          owner: Person
          home: Home
          lucky: list<int>
        }
        class Person {
          name: string?
          best: Dog
          friends: list<Dog>
        }
        embedded class Home {
          town: string
        }
        class now_ {
          at: date?
        }
        3
        nil Ann nil
        [7, 7, 1] [] Bo II
        Rome Oslo
        1 1
        1 1
           at
        0  1970-01-01@00:00:00
        1  1969-12-31@23:59:58.5
           old    n
        0  false  1
        1  true   2
        name,age
        Rex,3
        Bo,5
        Max,9

        """, "\(run.output)")
    #expect(run.errors.contains("is a Realm file, which is only read: 'herald convert"))
    #expect(FileTree.read(path) == bytes)
    #expect(FileTree.names(in: folder.path) == ["kennel.realm"])
  }

  @Test(arguments: [
    "add Dog { name: \"x\" }", "set Dog { age: 3 }", "delete Dog", "class New { n: int }",
    "observe Dog", "observe store", "follow Dog --once", "begin", "undo", "define Old as Dog",
    "let $t = observe Dog", "compact", "write { set Dog#\"Rex\".age = 4 }",
  ])
  func `changing and observing are errors that say convert`(statement: String) throws {
    let folder = try TemporaryFolder()
    let bytes = RealmFileBuilder.kennel()
    let path = try path(folder, bytes)
    let run = ScriptRun("open \(path)\n\(statement)")
    #expect(run.errors.contains("herald convert \(path) to app.hdb"), "\(run.errors)")
    #expect(run.status == 1)
    #expect(FileTree.read(path) == bytes)
  }

  @Test func `what cannot be read is an error, and the rest can be asked`() throws {
    let folder = try TemporaryFolder()
    let path = try path(folder, RealmFileBuilder.damagedKennel())
    var options = Interpreter.Options()
    options.keepsGoing = true
    let run = ScriptRun("open \(path)\nprint (A).@count\nshow A { name, age }", options)
    let table = "   name  age\n0  a       0\n1  b       0\n2  c       0\n"
    #expect(run.output == "3\n" + table, "\(run.output)")
    #expect(run.errors.contains("A.age") && run.status == 4, "\(run.errors)")
    let strict = ScriptRun("open \(path)\nprint (A).@count\nshow A")
    #expect(strict.output == "" && strict.status == 4)
  }

  @Test func `classes are imported into a store, all or those named`() throws {
    let folder = try TemporaryFolder()
    let path = try path(folder, RealmFileBuilder.kennel())
    let run = ScriptRun(
      """
      class Dog { name: string primary; age: int indexed; full_name: string?; owner: Person; home: Home; lucky: list<int> }
      embedded class Home { town: string }
      class Person { name: string?; best: Dog; friends: list<Dog> }
      add Dog { name: "Ada", age: 1 }
      import \(path) into Dog, Home
      print (Dog).@count, Dog#"Rex".home.town, Dog#"Rex".owner
      import \(path) into Person, now_
      print (Person).@count, (now_).@count, (Dog where owner != nil).@count
      expect error "exists already" { import \(path) into Dog }
      expect error "did you mean 'Dog'" { import \(path) into Dgo }
      expect error "has no property" { alter now_ { rename at to when }; import \(path) into now_ }
      print (Dog).@count
      """)
    #expect(run.output == "4 Rome nil\n2 2 0\n4\n", "\(run.output)")
    #expect(run.errors == "", "\(run.errors)")
  }

  @Test(arguments: ["hdb", "json", "csv"])
  func `a file is converted`(suffix: String) throws {
    let folder = try TemporaryFolder()
    let path = try path(folder, RealmFileBuilder.kennel())
    let target = folder.path + "/app.\(suffix)"
    let sink = CollectingSink()
    let interpreter = Interpreter(sink: sink)
    interpreter.convert(file: path, key: nil, to: target)
    #expect(sink.output == "converted 9 objects of 4 classes to \(target)\n", "\(sink.errors)")
    #expect(interpreter.exitStatus == 0)
    interpreter.convert(file: path, key: nil, to: folder.path + "/no/such/app.\(suffix)")
    #expect(interpreter.exitStatus == 4)
    switch suffix {
    case "hdb":
      let run = ScriptRun(
        "open \(target)\nset Dog#\"Rex\".age = 4\nprint Dog#\"Rex\".home.town\ncheck")
      #expect(run.output == "Rome\nok\n", "\(run.output)\(run.errors)")
    case "json":
      let text = String(decoding: FileTree.read(target), as: UTF8.self)
      #expect(text.hasPrefix("{\n\"Dog\": [\n") && text.hasSuffix("]\n}\n"))
      #expect(text.contains(#""home": {"town": "Rome"}"#), "\(text)")
    case _:
      #expect(FileTree.names(in: target).sorted() == ["Dog.csv", "Person.csv", "now_.csv"])
    }
  }

  @Test func `only the classes that a statement names, and those linked with them, are read`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = try path(folder, RealmFileBuilder.damagedKennel())
    for statement in [
      "show B", "B", "print (B).@count, (B).@sum.n", "count B where n > 3", "let $b = B",
      "for $b in B { print $b.n }", "export B to - as csv", "group B by n { count: @count }",
      "describe B", "histogram B by n bins 1", "@bg show B", "show B > \(folder.path)/A",
    ] {
      let run = ScriptRun("open \(path)\n\(statement)\ncount A")
      #expect(run.errors == "" && run.output.hasSuffix("3\n"), "\(statement): \(run.errors)")
    }
    for statement in [
      "show A", "count A where age > 3", "dump", "B; show A", "print (B).@count, (A).@count",
    ] {
      let run = ScriptRun("open \(path)\n\(statement)")
      #expect(run.errors.contains("A.age") && run.status == 4, "\(statement): \(run.errors)")
    }
    let kennel = folder.path + "/whole.realm"
    try FileTree.save(RealmFileBuilder.kennel(), to: kennel)
    let run = ScriptRun(
      """
      open \(kennel)
      print now_.@count
      show Person where best.owner.name == "Ann" { name }
      @bg print (Home).@count, (Dog where @links.Person.friends.@count > 0).@count
      print (Dog).@count
      """)
    #expect(run.output.hasSuffix("2 2\n3\n"), "\(run.output)\(run.errors)")
  }

  @Test func `an open store or Realm file is converted by a statement`() throws {
    let folder = try TemporaryFolder()
    let realm = try path(folder, RealmFileBuilder.kennel())
    let damaged = folder.path + "/damaged.realm"
    try FileTree.save(RealmFileBuilder.damagedKennel(), to: damaged)
    for (index, opening) in ["open \(realm)", "import \(realm)", "open \(realm)\nshow Dog"]
      .enumerated()
    {
      let target = "\(folder.path)/\(index)"
      let run = ScriptRun(
        """
        \(opening)
        convert to \(target).hdb
        convert to \(target).json
        convert to \(target).csv
        """)
      #expect(run.errors == "", "\(run.errors)")
      for suffix in ["hdb", "json", "csv"] {
        #expect(
          run.output.contains("converted 9 objects of 4 classes to \(target).\(suffix)\n"),
          "\(run.output)")
      }
      let taken = ScriptRun("open \(realm)\nconvert to \(target).hdb")
      #expect(taken.errors.contains("File exists") && taken.status == 4, "\(taken.errors)")
      let copy = ScriptRun(
        "open \(target).hdb\nprint Dog#\"Rex\".owner.name, (Person).@count\ncheck")
      #expect(copy.output == "nil 2\nok\n", "\(copy.output)")
    }
    let names = (0..<3).map { "\(folder.path)/\($0).json" }
    #expect(Set(names.map { FileTree.read($0) }).count == 1)
    let lost = ScriptRun("open \(damaged)\nconvert to \(folder.path)/rest.hdb")
    #expect(lost.errors.contains("A.age") && lost.status == 4, "\(lost.errors)")
    let rest = ScriptRun("open \(folder.path)/rest.hdb\nprint (A).@count, (B).@count")
    #expect(rest.output == "3 1\n")
    #expect(FileTree.read(realm) == RealmFileBuilder.kennel())
  }

  @Test(arguments: [
    ("", "the file is encrypted, or no Realm file"), ("no Realm file", "not a Realm file"),
  ])
  func `what is no such file is refused`(content: String, message: String) throws {
    let folder = try TemporaryFolder()
    let path = try path(folder, Array(content.utf8))
    let run = ScriptRun("open \(path)")
    #expect(run.status == 4 && run.errors.contains("kennel.realm"), "\(run.errors)")
    let missing = ScriptRun("open \(folder.path)/none.realm")
    #expect(missing.errors.contains("No such file"), "\(missing.errors)")
    let key = ScriptRun("open \(path) key \(path)")
    #expect(key.errors.contains("a key has 64 bytes"), "\(key.errors)")
  }

  @Test func `a Realm file is never written over`() throws {
    let folder = try TemporaryFolder()
    let bytes = RealmFileBuilder.kennel()
    let path = try path(folder, bytes)
    let other = folder.path + "/other"
    try FileTree.save(bytes, to: other)
    for target in [path, other] {
      let run = ScriptRun("class A { n: int }\nadd A { n: 1 }\nexport A to \(target) as csv")
      #expect(run.errors.contains("it is a Realm file, which is never written"), "\(run.errors)")
      let backup = ScriptRun("class A { n: int }\nbackup to \(target)")
      #expect(backup.status != 0)
    }
    for target in [path, other, folder.path] {
      let interpreter = Interpreter(sink: CollectingSink())
      interpreter.convert(file: path, key: nil, to: target)
      #expect(interpreter.exitStatus == 4)
    }
    #expect(FileTree.read(path) == bytes && FileTree.read(other) == bytes)
    #expect(FileTree.names(in: folder.path).sorted() == ["kennel.realm", "other"])
  }

  @Test func `a file that has changed since it was opened is an error`() throws {
    let folder = try TemporaryFolder()
    let path = try path(folder, RealmFileBuilder.kennel())
    let sink = CollectingSink()
    let interpreter = Interpreter(sink: sink)
    func run(_ text: String) { _ = interpreter.run(Source(name: "test", text: text)) }
    run("open \(path)")
    try FileTree.save(RealmFileBuilder.damagedKennel(), to: path)
    run("show Dog")
    #expect(sink.errors.contains("it has changed since it was opened; open it again"))
    run("open \(path)\nprint (A).@count")
    #expect(sink.errors.contains("A.age"), "\(sink.errors)")
  }

  @Test
  func `an import declares the classes that links lead to, and takes no less than a class has`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = try path(folder, RealmFileBuilder.kennel())
    let run = ScriptRun(
      """
      import \(path) into Person
      print (Person).@count, (Dog).@count, (Person where best != nil).@count
      add Dog { name: "Ada", age: 1, home: { town: "Bonn" } }
      class now_ { at: date?; extra: int }
      expect error "the file has no property 'extra'" { import \(path) into now_ }
      """)
    #expect(run.output.hasPrefix("2 0 0\n"), "\(run.output)")
    #expect(run.errors == "" && run.status == 0, "\(run.errors)")
  }
}
