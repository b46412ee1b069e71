import Testing

@testable import HeraldShell

@Test func `the manual pages in the repository are those that the description makes`() throws {
  try Recording.check(ManualPage.text, against: "man/herald.1")
  try Recording.check(LanguagePage.text, against: "man/herald-language.7")
}

@Test(arguments: PredicateReference.forms.map(\.example))
func `a predicate of the manual page can be asked`(example: String) {
  let run = Run(
    PredicateReference.classes + "\nadd Dog { id: 1, name: \"Max\" }\ncount Dog where " + example)
  #expect(run.errors == "")
}

@Test func `every statement that can be carried out is described`() {
  let words = Set(CommandReference.words)
  for word in StatementWord.allCases where word.isAvailable {
    #expect(words.contains(word.rawValue), "\(word.rawValue)")
  }
  for word in words where word != "@" {
    #expect(StatementWord(rawValue: word)?.isAvailable == true, "\(word)")
  }
}

@Test(arguments: CommandReference.commands)
func `help on a word tells its forms and its purpose`(command: Command) throws {
  let text = try #require(HelpText.topic(command.word))
  #expect(text.hasPrefix(command.synopsis[0]))
  #expect(text.contains(command.summary))
  #expect(HelpText.overview.contains(command.summary))
}

@Test func `the session in the manual page's examples runs as it stands`() throws {
  let examples = try #require(ManualPage.text.split(separator: ".Sh EXAMPLES").last)
  let lines = examples.split(separator: "\n")
  let start = try #require(lines.firstIndex { $0.hasPrefix(".Bd -literal") })
  let end = try #require(lines[start...].firstIndex(of: ".Ed"))
  let run = Run(lines[(start + 1)..<end].joined(separator: "\n"))
  #expect(run.errors == "")
  #expect(
    run.output == """
      old: initial 1 row
      old: insertions [1]
      max: change name "Max" -> "Wolfie"
      max: change age 3 -> 6

      """)
}
