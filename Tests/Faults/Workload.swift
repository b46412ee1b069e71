import TestSupport

/// Consecutive commits, and the state of the store after each of them.
struct Workload {
  /// The transactions.
  let steps: [String]
  /// The statements that print a state.
  let view: [String]
  /// The output of the view before the first step and after each one.
  let states: [String]
  /// The statements that hold after so many steps, where a view would be too long.
  var expectations: (Int) -> [String] = { _ in [] }

  /// Runs the steps in a store in memory to record the states.
  init(_ bench: Bench, _ steps: [String], view: [String] = ["dump"]) throws {
    self.steps = steps
    self.view = view
    let mark = "the next state"
    let script = "\(bench.folder)/reference.herald"
    let printing = view.joined(separator: "\n") + "\nprint \"\(mark)\"\n"
    FileTree.write(printing + steps.map { $0 + "\n" + printing }.joined(), to: script)
    let outcome = try Herald(bench).run(["-f", script])
    guard outcome.status == 0 else { throw World.Unusable(words: outcome.summary) }
    states = outcome.output.components(endingWith: mark + "\n")
  }

  /// Returns the script of the steps from `first` on, which prints the number of each commit.
  func script(from first: Int, to last: Int? = nil) -> String {
    (first..<min(steps.count, last ?? steps.count)).map {
      "\(steps[$0])\nprint \"done\", \($0 + 1)\n"
    }
    .joined()
  }

  /// Returns the number of steps that lead to a state, from `minimum` to `maximum`; nil if none do.
  func steps(in state: String, from minimum: Int, to maximum: Int) -> Int? {
    (max(0, minimum)...max(minimum, min(maximum, steps.count))).last {
      $0 < states.count && states[$0] == state
    }
  }
}

extension Workload {
  /// Returns steps that insert and delete objects, links and list elements: after step `n` there are the
  /// items from `n - 39` to `n`, and the counter with their list.
  static func items(_ count: Int, suffix: String = "") -> [String] {
    (1...count).map { n in
      let item = "Item\(suffix)#"
      let counter = "Counter\(suffix)#1"
      var parts = [
        n == 1
          ? "add Counter\(suffix) { id: 1, n: 1 }" : "set \(counter) { n: \(n) }",
        "add Item\(suffix) { id: \(n), text: \"item \(n) \(filling(n))\""
          + (n == 1 ? "" : ", before: \(item)\(n - 1)") + " }",
        "append \(item)\(n) to \(counter).items", "append \(n) to \(counter).log",
      ]
      if n > 40 { parts.append("delete \(item)\(n - 40)") }
      return "write { " + parts.joined(separator: "; ") + " }"
    }
  }

  /// Returns steps that change one value, link or element each, most of them.
  static func values(_ count: Int) -> [String] {
    [
      "class Value { id: int primary; n: int; m: double; text: string indexed; to: Value; list: list<int> }",
      "add Value [ { id: 1, n: 1, m: 1.0, text: \"a\" }, { id: 2, n: 1, m: 1.0, text: \"b\" } ]",
    ]
      + (1...count).map { n in
        let value = "Value#\(n % 2 + 1)"
        return switch n % 8 {
        case 0: "set \(value) { text: \"text \(n) \(filling(n / 8))\" }"
        case 1: "append \(n) to \(value).list"
        case 2: "set \(value) { to: Value#\(n % 3 == 0 ? 1 : 2) }"
        case 3: "set \(value) { m: \(n).5 }"
        case 4: "add Value { id: \(n + 10), n: \(n), m: 0.5, text: \"c\" }"
        default: "set \(value) { n: \(n * 1_000_003) }"
        }
      }
  }

  /// Returns a text, sometimes one that needs overflow pages.
  private static func filling(_ number: Int) -> String {
    String(repeating: "x", count: number % 7 == 3 ? 9000 : number % 30)
  }

  static func itemClasses(suffix: String = "") -> [String] {
    [
      "class Item\(suffix) { id: int primary; text: string indexed; before: Item\(suffix) }",
      "class Counter\(suffix) { id: int primary; n: int; items: list<Item\(suffix)>; log: list<int> }",
    ]
  }

  /// Returns expectations that hold after exactly `last` steps of the items.
  static func itemExpectations(_ last: Int, suffix: String = "") -> [String] {
    let item = "Item\(suffix)"
    let counter = "Counter\(suffix)"
    guard last > 0 else { return ["expect \(item).@count == 0", "expect \(counter).@count == 0"] }
    let count = min(40, last)
    return [
      "expect \(counter)#1.n == \(last)", "expect \(counter)#1.log.@count == \(last)",
      "expect \(counter)#1.log[LAST] == \(last)", "expect \(item).@count == \(count)",
      "let $kept = \(item) where id > \(last - 40) and id <= \(last)",
      "expect $kept.@count == \(count)", "expect \(counter)#1.items.@count == \(count)",
      "let $named = \(item) where text BEGINSWITH \"item \"", "expect $named.@count == \(count)",
      "let $linked = \(item) where before != nil", "expect $linked.@count == \(count - 1)",
    ]
  }

  /// Returns changes of the schema with objects that they migrate.
  static func schemaChanges(_ rounds: Int) -> [String] {
    var steps = ["class Base { id: int primary; name: string; n: int }"]
    let bases = (1...300).map { "{ id: \($0), name: \"base \($0)\", n: \($0) }" }
    steps.append("add Base [\n" + bases.joined(separator: "\n") + "\n]")
    for round in 1...max(1, rounds) {
      steps += [
        "alter Base { add extra\(round): int = \(round) }", "alter Base { n: string }",
        "class More\(round) { id: int primary; to: Base; name: string indexed }",
        "add More\(round) [ { id: 1, to: Base#1, name: \"a\" }, { id: 2, to: Base#2, name: \"b\" } ]",
        "alter Base { name: string indexed }", "alter Base { n: int }",
        "alter Base { rename extra\(round) to kept\(round) }", "alter Base { name: string }",
        "drop More\(round)", "alter Base { drop kept\(round) }",
        "set Base where id < 100 { name: \"round \(round)\" }",
      ]
    }
    return steps
  }

  /// Returns imports of files, each of which is atomic.
  static func imports(_ files: Int, rows: Int, in folder: String) -> [String] {
    ["class Row { id: int primary; batch: int indexed; name: string }"]
      + (1...files).map { file in
        let path = "\(folder)/rows-\(file).csv"
        let lines = (1...rows).map { "\(file * 100_000 + $0),\(file),row \($0) of \(file)" }
        FileTree.write("id,batch,name\n" + lines.joined(separator: "\n") + "\n", to: path)
        return "import \"\(path)\" into Row"
      }
  }
}

extension Workload {
  /// Returns imports that declare a class each, and write more than a transaction keeps in memory if that is one
  /// megabyte.
  static func largeImports(_ bench: Bench, _ files: Int, rows: Int) throws -> Workload {
    let text = String(repeating: "lorem ipsum ", count: 75)
    let steps = (1...files).map { number in
      let path = "\(bench.folder)/large-\(rows)-\(number).csv"
      let lines = (1...rows).map { "\($0),\(number),\(text)\($0)" }
      FileTree.write("id,batch,text\n" + lines.joined(separator: "\n") + "\n", to: path)
      return "import \"\(path)\" as new Row\(number)"
    }
    var workload = try Workload(bench, steps, view: ["schema"])
    workload.expectations = { done in
      (1...max(1, done)).prefix(done).map {
        "expect Row\($0).@count == \(rows); expect Row\($0).@sum.id == \(rows * (rows + 1) / 2)"
      }
    }
    return workload
  }
}

extension String {
  /// Returns the parts that end with a mark, without it.
  fileprivate func components(endingWith mark: String) -> [String] {
    var parts: [String] = []
    var rest = Substring(self)
    while let range = rest.firstRange(of: mark) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts
  }
}
