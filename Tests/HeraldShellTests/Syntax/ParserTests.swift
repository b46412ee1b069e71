import Herald
import Testing

@testable import HeraldShell

/// Statements and what they are understood as.
private let statements: [(text: String, meaning: String)] = [
  ("open", "open()"),
  ("open pets.hdb", "open(pets.hdb)"),
  ("open \"my pets.hdb\" read-only", "open(my pets.hdb) read-only"),
  ("open pets.hdb sync=normal", "open(pets.hdb) sync=normal"),
  ("open pets.hdb sync = full", "open(pets.hdb)"),
  ("close; quit", "close | quit"),
  (
    "class Dog { name: string; age: int? = -3, siblings: list<Dog>\n owner: Person }",
    "class Dog{name:string; age:int?=-3; siblings:list link(\"Dog\"); owner:link(\"Person\")?}"
  ),
  (
    "class A { id: int primary; b: float = 1.5 indexed; c: list<int?> = [1, nil] }",
    "class A{id:int primary; b:float indexed=1.5; c:list int?=[1,nil]}"
  ),
  (
    "class A { a: set<uuid>; b: map<decimal?>; c: backlinks<B.links>; d: any; e: objectid? }",
    "class A{a:set uuid; b:map decimal?; c:backlinks(\"links\") link(\"B\"); d:any; e:objectID?}"
  ),
  ("embedded class A { n: int }", "embedded class A{n:int}"),
  (
    "projection Card of Dog { title: name; city: owner.address.city }",
    "projection Card of Dog{title:name; city:owner.address.city}"
  ),
  ("schema Dog", "schema(Dog)"),
  (
    "alter Dog { add weight: double = 0; drop nick\n rename age to years, name: string? indexed }",
    "alter Dog{add weight:double=0; drop nick; rename age to years; name:string? indexed}"
  ),
  (
    "alter Odd { add: int; add add: int?; drop drop; rename rename to to; change change: any }",
    "alter Odd{add:int; add add:int?; drop drop; rename rename to to; change:any}"
  ),
  ("alter Dog {}", "alter Dog{}"),
  ("alter Dog { keep 1h, 9; keep all\n keep: int }", "alter Dog{keep 1h, 9; keep all; keep:int}"),
  ("class Dog {} keep 1h", "class Dog{} keep 1h"),
  ("class Dog { a: int } keep 100000, 7d", "class Dog{a:int} keep 7d, 100000"),
  ("drop Dog", "drop Dog"),
  ("define Old as Dog where a > 9 { b, c as d }", "define Old as Dog where a > 9{b: b, d: c}"),
  ("show Dog { a, b.c * 7 as d, e > 3 }", "show Dog{a: a, d: b.c * 7, e > 3: e > 3}"),
  (
    "Dog where a > 3 { a }; export Dog { a } to b.csv",
    "show Dog where a > 3{a: a} | export Dog{a: a} to b.csv"
  ),
  ("import a.csv into A, \"b c.json\" into B", "import(a.csv) into A, import(b c.json) into B"),
  ("import - as new A dry run", "import(-) as new A dry run"),
  ("import - into A live", "import(-) into A live"),
  (
    "import a.log into A upsert live with form logfmt, columns { a: b }",
    "import(a.log) into A upsert live form logfmt {a: b}"
  ),
  ("import a.log as new A with form log", "import(a.log) as new A form access"),
  (
    "import a.gz as new A, b into B with header no, encoding latin1, columns into C",
    "import(a.gz) as new A, import(b) into B header no encoding latin1, import(columns) into C"
  ),
  (
    "import a as new A with delimiter tab, columns { b c: d text\n 'e:': skip, *: skip } dry run",
    "import(a) as new A delimiter \"\\t\" {b c: d text, e:: skip, *: skip} dry run"
  ),
  ("export A to - as jsonl", "export A to - as lines"),
  ("add Dog { name: \"Max\", age: 3 } as $max", "add Dog{name:\"Max\",age:3} as max"),
  ("add Dog [ {a: 1},\n\n {a: 2\n b: 3}\n ]", "add Dog{a:1}{a:2,b:3}"),
  ("add Dog {   # inside\n  id: 2     # another\n  name: '#'\n}", "add Dog{id:2,name:\"#\"}"),
  ("upsert Dog { id: 1 }", "upsert Dog{id:1}"),
  ("add $d", "add new d"),
  ("new Dog { a: [], 'b c': true } as $d", "new Dog{a:[],b c:true} as d"),
  ("set $max.age = 4", "$max.age set 4"),
  ("$max.age += 1", "$max.age add 1"),
  ("$x = 4; $x += 1; $t = observe Dog", "let x = 4 | $x add 1 | let t = observe Dog"),
  ("let $t = observe Dog do { }", "let t = observe Dog do {}"),
  ("Dog; Dog where a > 5 sort(b)", "bare <Dog> | bare <Dog where a > 5 sort(b asc)>"),
  ("$x; $x.a[0]; Dog#3.a; [1]", "bare $x | bare $x.a[0] | bare Dog#3.a | bare [1]"),
  ("$x == 3; not $x; Dog.@count", "bare `$x == 3` | bare `NOT ($x)` | bare `Dog.@count`"),
  ("inTransaction; if inTransaction { }", "bare inTransaction | if inTransaction {} else {}"),
  ("for $d in Dog where a > 3 { print $d }", "for d in <Dog where a > 3> {print $d}"),
  ("for $x in [1, 2] { }; for $x in $p.a { }", "for x in [1,2] {} | for x in $p.a {}"),
  ("5 + 3; exit", "bare `5 + 3` | quit"),
  ("print 2026-02-28, 2026-02-28 10:00", "print 2026-02-28@00:00:00, 2026-02-28@10:00:00"),
  ("print 2026-02-28T10:00:00.5Z", "print 2026-02-28@10:00:00.5"),
  ("print 2026-02-28 10:00+02:00, 1000-10", "print 2026-02-28@08:00:00, `1000 - 10`"),
  ("$max.age-=1", "$max.age subtract 1"),
  ("Dog#3.age = -5", "Dog#3.age set -5"),
  ("set Dog#\"a\".b.c = nil", "Dog#\"a\".b.c set nil"),
  ("set $p.dogs[1] = $b", "$p.dogs[1] set $b"),
  ("set $max { age: 4 }", "set $max{age:4}"),
  ("set Dog where age < 1 { puppy: true }", "set Dog where age < 1{puppy:true}"),
  ("set autocommit off", "autocommit false"),
  ("delete Dog where age > 20", "delete Dog where age > 20"),
  ("delete $max", "delete $max"),
  ("append $a, Dog#1 to $p.dogs", "append [\"$a\", \"Dog#1\"] $p.dogs"),
  ("append 100, -7 to Box#\"a\".nums", "append [\"100\", \"-7\"] Box#\"a\".nums"),
  ("insert $a into $p.dogs at 0", "insert [\"$a\"] $p.dogs at 0"),
  ("remove $p.dogs[2]", "remove $p.dogs[2]"),
  ("remove \"x\" from $p.tags", "remove \"x\" from $p.tags"),
  ("move $p.dogs[2] to 0", "move $p.dogs[2] to 0"),
  ("clear Dog#-4.tags", "clear Dog#-4.tags"),
  ("let $old = Dog where age > 9 sort(age desc)", "let old = <Dog where age > 9 sort(age desc)>"),
  ("let $first = (Dog sort(name))[0]", "let first = (Dog sort(name asc))[0]"),
  ("let $n = 3", "let n = 3"),
  ("let $c = Card of $max", "let c = Card of $max"),
  ("let $u = uuid()", "let u = uuid()"),
  ("print oid(62e2905feb23128a10ab3973)", "print oid(\"62e2905feb23128a10ab3973\")"),
  ("print 0.10000000000000000000001, 2.50", "print 0.10000000000000000000001, 2.5"),
  (
    "print Row#uuid(\"00000000-0000-0000-0000-000000000001\").a",
    "print Row#uuid(\"00000000-0000-0000-0000-000000000001\").a"
  ),
  ("insert \"x\" into $p.tags", "insert [\"\\\"x\\\"\"] $p.tags"),
  ("set $p.scores[\"a\"] = 3", "$p.scores[\"a\"] set 3"),
  ("remove $p.scores[\"a\"]", "remove $p.scores[\"a\"]"),
  ("set $p.address = { city: \"x\" }", "$p.address set {city:\"x\"}"),
  ("follow Dog", "follow Dog"),
  (
    "follow Dog where a > 5 sort(b) as d keypaths a.b, c depth 2 --count 3 --for 1.5m",
    "follow Dog where a > 5 sort(b asc) as d keypaths a.b,c depth 2 --count 3 --for 90.0 seconds"
  ),
  ("follow $p.dogs --once", "follow $p.dogs --count 0"),
  (
    "follow Dog where a == ' --once' --for 3; tokens",
    "follow Dog where a == \" --once\" --for 3.0 seconds | tokens"
  ),
  (
    "follow Dog where a > 5 --for 250ms # --once",
    "follow Dog where a > 5 --for 0.25 seconds"
  ),
  ("observe property $max.name as k", "observe property $max.name as k"),
  ("observe Card of $max as c keypaths a", "observe Card of $max as c keypaths a"),
  (
    "expect s insertions [\"a\"] modifications [\"b\"]",
    "expect s: insertions [\"a\"], modifications [\"b\"]"
  ),
  ("expect k name \"Max\" -> \"Rex\"", "expect k: name \"Max\" -> \"Rex\""),
  ("expect k dogs insertion [0]", "expect k: dogs insertion [0]"),
  ("expect k dogs setting", "expect k: dogs setting"),
  ("dump; dump to a.herald", "dump | dump to a.herald"),
  ("export Dog where age > 3 to d.csv", "export Dog where age > 3 to d.csv"),
  ("let $n = $max.age + 1", "let n = `$max.age + 1`"),
  ("write { }", "write {}"),
  ("write { add A { b: 1 }; clear $x.y\n refresh }", "write {add A{b:1}; clear $x.y; refresh}"),
  ("write without t1, t2 { delete $a }", "write without t1,t2 {delete $a}"),
  ("write async { delete $a }", "write async {delete $a}"),
  ("write delete $a", "write {delete $a}"),
  ("begin\ncommit without a\nrollback", "begin | commit without a | rollback"),
  ("observe store", "observe store"),
  ("observe store as s do { print 1 }", "observe store as s do {print 1}"),
  (
    "observe $max as m keypaths a, b.c.* exclusive on worker",
    "observe $max as m keypaths a,b.c.* exclusive on worker"
  ),
  ("observe Dog#1 keypaths none", "observe Dog#1 keypaths none"),
  (
    "observe Dog where age > 5 sort(age) as x depth 2",
    "observe Dog where age > 5 sort(age asc) as x depth 2"
  ),
  ("observe $p.dogs as t", "observe $p.dogs as t"),
  ("watch Dog where age > 5 depth 2", "watch Dog where age > 5 depth 2"),
  ("watch $p.dogs keypaths name, *", "watch $p.dogs keypaths name,*"),
  ("tokens; invalidate a, b; invalidate all", "tokens | invalidate a,b | invalidate all"),
  ("refresh; autorefresh off", "refresh | autorefresh false"),
  ("@bg write { add A { } }", "@bg (write {add A{}})"),
  ("sessions; session bg", "sessions | session bg"),
  ("show Dog; show $x.dogs", "show <Dog> | show $x.dogs"),
  ("count $p.dogs where age > 3", "count <$p.dogs where age > 3>"),
  ("describe Dog where age > 3", "describe Dog where age > 3"),
  (
    "histogram Dog where age > 3 by age * 2 bins 5",
    "histogram Dog where age > 3 by age * 2 { @count: @count } bins 5"
  ),
  (
    "watch histogram Dog by age * 2 bins $n as h; observe histogram Dog by age do run ./a 'b c' --d --after-file e",
    "watch histogram Dog by age * 2 { @count: @count } bins $n as h | observe histogram Dog by age { @count: @count }"
      + " do run ./a|b c|--d --after-file e"
  ),
  (
    "count Dog sections by age desc; explain Dog sections by age; for $s in Dog sections by age { quit }",
    "count Dog sections by age desc | explain Dog sections by age | for s in Dog sections by age {quit}"
  ),
  (
    "show Dog { age as a } where a > 3 sort(a) limit(2) where a < 5",
    "show Dog{a: age} where a > 3 sort(a asc) limit(2) where a < 5"
  ),
  ("print \"a\", $x.y, [1, 2]", "print \"a\", $x.y, [1,2]"),
  ("print 2026-11-21@10:30:00", "print 2026-11-21@10:30:00"),
  ("print (1 + 2) * 3", "print `(1 + 2) * 3`"),
  ("mode json; mode text", "mode json | mode text"),
  ("help; help observe; help @", "help() | help(observe) | help(@)"),
  (
    "expect dogs deletions [1] insertions [0, 4] modifications [2->1, 5]",
    "expect dogs: deletions [1], insertions [0, 4], modifications [2->1, 5]"
  ),
  ("expect t deletions [0] owner deleted", "expect t: deletions [0], owner deleted"),
  ("expect max change name, age", "expect max: change name, age"),
  ("expect max change a 1 -> 2, b", "expect max: change a 1 -> 2, b"),
  ("expect max deleted; expect s changed", "expect max: deleted | expect s: changed"),
  ("expect s refresh required", "expect s: refresh required"),
  ("expect dogs initial 3", "expect dogs: initial 3 rows"),
  ("expect nothing", "expect nothing"),
  ("expect Dog.@count == 3", "expect Dog.@count == 3"),
  (
    "expect error \"no\" { count Row where ( \"x }; close",
    "expect error \"no\" { count Row where ( \"x } | close"
  ),
  ("if $n > 3 { close } else { quit }", "if $n > 3 {close} else {quit}"),
  ("if $n > 3 { close }\nquit", "if $n > 3 {close} else {} | quit"),
  ("read a/b.herald", "read(a/b.herald)"),
  ("import \"a b.csv\" into Dog", "import(a b.csv) into Dog"),
  ("#!/usr/bin/env -S herald -f\n  # white\nclose # after", "close"),
  ("print \"tab\\t \\\"q\\\" \\u00e9 \\ud83d\\udc36\"", "print \"tab\\t \\\"q\\\" é 🐶\""),
  ("add Hündin { größe: 1 }", "add Hündin{größe:1}"),
  (
    "add Dog { a: 9223372036854775807, b: -9223372036854775808 }",
    "add Dog{a:9223372036854775807,b:-9223372036854775808}"
  ),
  ("add Dog { a: 1e3, b: -0.5, c: 2.0 }", "add Dog{a:1000.0,b:-0.5,c:2.0}"),
]

struct ParserTests {
  @Test(arguments: statements)
  func `a statement is understood as it is written`(text: String, meaning: String) throws {
    #expect(try StatementText.text(text) == meaning)
  }

  @Test(arguments: CommandReference.commands.flatMap(\.examples))
  func `the examples of the manual are statements`(example: String) throws {
    #expect(throws: Never.self) { try StatementText.text(example) }
  }

  @Test(arguments: mistakes)
  func `a mistake is named at its place`(text: String, diagnostic: String) {
    #expect(diagnosticText(text) == diagnostic)
  }

  @Test func `bytes that are not UTF-8 are reported at their position`() {
    let bytes = Array("print \"a".utf8) + [0xFF] + Array("b\"".utf8)
    #expect(diagnosticText(bytes) == "1:9: invalid UTF-8")
    #expect(diagnosticText(Array("print ".utf8) + [0xC3]) == "1:7: invalid UTF-8")
  }

  @Test func `nested brackets have a limit`() {
    let text = "print " + String(repeating: "[", count: 5_000)
    #expect(
      diagnosticText(text)?.hasSuffix("brackets or blocks nested more than 350 deep") == true)
  }

  @Test(arguments: [
    ("close", true), ("write {", false), ("write { add Dog {", false), ("print [1,", false),
    ("print \"{\"", true), ("# {", true), ("write {\n} ", true), ("count Row where (a", false),
    ("print 'x", true), ("}", true), ("write { ( }", true),
  ])
  func `a text is complete when no bracket is open`(text: String, isComplete: Bool) {
    #expect(Interpreter.openBrackets(of: text).isEmpty == isComplete)
  }

  @Test func `after a mistake the next statement is read`() throws {
    var parser = StatementParser(
      Source(name: "test", text: "add Dog { a: \n } }\nclose\nlet x = [1\n 2]; refresh\nquit"))
    var read: [String] = []
    while true {
      parser.skipSeparators()
      let start = parser.token.start
      do {
        guard let statement = try parser.next() else { break }
        read.append(StatementText.text(statement, parser.source))
      } catch {
        read.append("!")
        parser.recover(from: start)
      }
    }
    #expect(read == ["!", "close", "!", "refresh", "quit"])
  }
}

/// Mistakes, with the place and the words of the diagnostic.
private let mistakes: [(text: String, diagnostic: String)] = [
  ("adn Dog { }", "1:1: no command 'adn'; did you mean 'add'?"),
  ("xyzzy all", "1:1: no command 'xyzzy'"),
  ("close }", "1:7: unmatched '}'"),
  ("}", "1:1: unmatched '}'"),
  ("close now", "1:7: expected the end of the statement, found 'now'"),
  ("add", "1:4: expected a class, found the end"),
  ("add Dog", "1:8: expected '{', found the end"),
  ("add Dog { name \"x\" }", "1:16: expected ':', found \"x\""),
  ("add Dog { a: 1 b: 2 }", "1:16: expected ',' or '}', found 'b'"),
  ("add Dog { a: }", "1:14: expected a value, found '}'"),
  ("add Dog { a: 1", "1:9: '{' is never closed"),
  ("add Dog [ {a: 1}", "1:9: '[' is never closed"),
  ("write {\n  add Dog { }\n", "1:7: '{' is never closed"),
  ("add Dog { a: \"x }", "1:14: unterminated string"),
  ("print \"a\\q\"", "1:9: '\\q' is not a valid escape sequence"),
  ("print \"\\ud800x\"", "1:8: '\\ud800' is not a valid escape sequence"),
  ("print 1e9999", "1:7: the number 1e9999 is too large"),
  ("print ?", "1:7: expected a value, found '?'"),
  ("let x = 3", "1:5: expected a variable, found 'x'; did you mean '$x'?"),
  ("let $x", "1:7: expected '=', found the end"),
  ("set Dog where a == 1", "1:21: expected '{', found the end"),
  ("set $max", "1:9: expected '=' or '{', found the end"),
  ("append $a into $p.dogs", "1:11: expected 'to', found 'into'"),
  ("remove $p.dogs", "1:8: expected a row or a key, found '$p.dogs'"),
  ("remove \"x\"", "1:11: expected 'from', found the end"),
  ("autorefresh maybe", "1:13: expected 'on' or 'off', found 'maybe'"),
  ("import a into A dry run", "1:17: 'dry run' is only for import … as new"),
  ("import a as A", "1:13: expected 'new', found 'A'"),
  (
    "import a into A with delimiter \";;\"",
    "1:32: expected a character in quotes, found \";;\""
  ),
  ("import a into A with columns { a: skip, a: b }", "1:41: 'a' is given twice"),
  ("export A to - as xml", "1:18: expected 'csv', 'json' or 'jsonl', found 'xml'"),
  ("mode xml", "1:6: expected 'text', 'line', 'csv', 'markdown', 'json' or 'jsonl', found 'xml'"),
  ("class Dog { a: list<set<int>> }", "1:21: expected a type of elements, found 'set'"),
  ("class Dog { a: backlinks<Dog> }", "1:29: expected '.', found '>'"),
  ("print uuid(\"x\")", "1:12: 'x' is not a uuid"),
  ("print oid(12)", "1:11: '12' is not an objectid"),
  ("print binary(\"?\")", "1:14: the text is not base64"),
  ("projection Card of Dog { a }", "1:28: expected ':', found '}'"),
  ("class Dog { a int }", "1:15: expected ':', found 'int'"),
  ("class Dog { a: int b: int }", "1:20: expected ';' or '}', found 'b'"),
  ("expect dogs", "1:12: expected an operator such as '==', found the end"),
  ("expect error \"x\"", "1:17: expected '{', found the end"),
  ("expect error \"x\" { close", "1:18: '{' is never closed"),
  ("@ bg refresh", "1:3: expected a session, found 'bg'"),
  ("close\n  \tadn x", "2:4: no command 'adn'; did you mean 'add'?"),
  ("print \"日本\", ?", "1:13: expected a value, found '?'"),
]

func diagnosticText(_ text: String) -> String? { diagnosticText(Array(text.utf8)) }

/// `line:column: message` of the first mistake; nil where there is none.
func diagnosticText(_ bytes: [UInt8]) -> String? {
  let source = Source(name: "test", bytes: bytes)
  var parser = StatementParser(source)
  do {
    while try parser.next() != nil {}
    return nil
  } catch {
    let position = source.position(of: error.span.start)
    return "\(position.line):\(position.column): \(error.message)"
  }
}
