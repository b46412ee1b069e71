import Herald
import TestSupport
import Testing

@testable import HeraldShell

/// `help` on the whole language.
struct HelpTests {
  @Test(arguments: HelpText.topics)
  func `every topic has help, in either case, and it is printed`(topic: String) throws {
    let text = try #require(HelpText().topic(topic))
    #expect(HelpText().topic(topic.uppercased()) == text || topic == HelpText.examples)
    let run = ScriptRun("help \(topic)")
    #expect(run.errors == "")
    #expect(run.output == text + "\n")
  }

  @Test func `every heading of the manual page is a topic`() {
    let headings = LanguagePage.text.split(separator: "\n").compactMap { line -> String? in
      if line.hasPrefix(".Ss ") { return String(line.dropFirst(4)) }
      guard line.hasPrefix(".Sh "), line.dropFirst(4).first?.isNumber ?? false else { return nil }
      return String(line.split(separator: " ", maxSplits: 2)[2])
    }
    #expect(headings.count > 20)
    for heading in headings where heading != "COMMANDS" {
      #expect(HelpText().topic(heading) != nil, "\(heading)")
    }
  }

  @Test func `every keyword of queries and every type has help`() {
    let words = QueryParser.keywords + TypeKeyword.allCases.map(\.rawValue)
    for word in words { #expect(HelpText().topic(word) != nil, "\(word)") }
  }

  /// The words that the parser of statements compares with.
  @Test func `every keyword of statements has help`() {
    let statements = Recording.path("Sources/HeraldShell/Statements")
    let folders =
      FileTree.names(in: statements).filter { !$0.hasSuffix(".swift") }.map {
        "\(statements)/\($0)"
      }
      + [Recording.path("Sources/HeraldShell/Syntax/Parsing")]
    var count = 0
    for folder in folders {
      for file in FileTree.names(in: folder) where file.hasSuffix(".swift") {
        let text = FileTree.text(folder + "/" + file)
        for match in text.matches(of: #/(?:takeIf|take|isWord)\("([a-z]+)"\)/#) {
          count += 1
          #expect(HelpText().topic(String(match.1)) != nil, "\(match.1) in \(file)")
        }
      }
    }
    #expect(count > 60)
  }

  @Test(arguments: [
    ("where", "where PREDICATE"), ("predicates", "age BETWEEN {3, 5}"), ("types", "list<T>"),
    ("dates", "2026-11-21@10:30:00"), ("sort", "sort(path asc | desc, ...)"),
    ("key paths", "keypaths none"), ("keypaths", "* stands for every property"),
    ("BETWEEN", "From the first value to the second"), ("between", "age BETWEEN {3, 5}"),
    ("exclusive", "[exclusive]"), ("@count", "Aggregates are @count"), ("queries", "help clauses"),
    ("changes", "add: add one object"), ("nil", "Numbers, Booleans and nil"), ("read-only", "open"),
    ("--once", "follow QUERY"), ("events", "first event of a collection"),
    ("order", "sort(path asc | desc, ...)"), ("decimals", "34 digits"),
    ("\"primary key\"", "no two objects"), ("order by", "sort(path"), ("null", "age == nil"),
    ("maps", "scores[\"agility\"]"), ("lists", "friends[FIRST]"), ("keys", "Ctrl-R"),
    ("tables", "schema"), ("select", "show QUERY"), ("group by", "group QUERY [by"),
    ("regex", "MATCHES"), ("sum", "@sum"), ("timezone", "+02:00"), ("utf-16", "encoding"),
    ("saved queries", "define NAME"), ("exit status", "and 130"), ("prompt", "Ctrl-_"),
    ("'|'", "lets that program read"), ("arithmetic", "sign of the dividend"),
    ("csv", "import FILE into CLASS"), ("csv", "mode text"), ("()", "help WORD shows"),
  ])
  func `help shows what the word means`(word: String, part: String) {
    #expect(ScriptRun("help \(word)").output.contains(part))
    #expect(ScriptRun("help \(word); print 1").output.hasSuffix("\n1\n"))
  }

  @Test func `a synonym leads to topics, and has no help of its own`() {
    for (word, topics) in HelpText.synonyms {
      #expect(!HelpText.topics.contains(word), "\(word)")
      for topic in topics { #expect(HelpText.topics.contains(topic), "\(topic)") }
    }
  }

  @Test(arguments: [
    ("help predicate s", "predicates"), ("help wher", "where"), ("help key path", nil),
    ("help betwen", "between"), ("help zzzzzz", nil), ("help dats", "dates"),
    ("help subscrib", "subscribe"),
  ])
  func `an unknown topic suggests a near one`(statement: String, nearest: String?) {
    let errors = ScriptRun(statement).errors
    if let nearest { #expect(errors.contains("did you mean '\(nearest)'?")) }
    #expect(errors.contains("no help on") == (statement != "help key path"))
  }

  @Test func `topics are completed, also those of several words`() throws {
    #expect(try CompletionScene.offered("help wher|") == ["where"])
    #expect(
      try CompletionScene.offered("help key|")
        == ["key paths", "keypaths", "key path", "keyboard", "keys", "key"].sorted())
    #expect(try CompletionScene.offered("help names and l|") == ["literals "])
  }

  @Test(arguments: [40, 80, 140])
  func `help is wrapped by words to the window`(columns: Int) {
    let help = HelpText(columns: columns)
    let texts =
      [help.overview] + HelpText.topics.filter { $0 != HelpText.examples }.compactMap(help.topic)
    let width = min(78, max(20, columns - 2))
    for line in texts.flatMap({ $0.split(separator: "\n") }) where line.count > width {
      // A word that does not fit is alone in its line.
      #expect(line.split(separator: " ").count == 1, "\(line)")
    }
  }
}
