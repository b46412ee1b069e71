import Synchronization
import TestSupport
import Testing

@testable import HeraldShell

/// What messages suggest, and the statements that they name.
struct MessageTests {
  private static let kennel = """
    class Dog { id: int primary; name: string; age: int = 0 }
    class Person { name: string }
    add Dog { id: 1, name: "Max" }

    """

  @Test(arguments: ["--once --count 2", "--count 2 --once", "--count 0"])
  func `follow ends with the rows where --once is given, wherever --count stands`(options: String) {
    let run = ScriptRun(Self.kennel + "follow Dog \(options)")
    #expect(run.output.hasPrefix("t1: initial 1 row\n"))
    #expect(run.status == 0)
  }

  @Test func `expect nothing names the first event`() {
    let run = ScriptRun(
      Self.kennel
        + "observe Dog as z\nobserve Dog as a\nadd Dog { id: 2, name: \"\" }\nexpect nothing")
    #expect(run.errors.contains("expected nothing; seen z: initial 1 row"))
  }

  @Test(arguments: [
    ("schema Q", "unknown class 'Q'; the store has Dog, Person"),
    ("count Q", "unknown class 'Q'; the store has Dog, Person"),
    ("write { add Zebra {} }", "unknown class 'Zebra'; the store has Dog, Person"),
    ("schema Dgo", "unknown class 'Dgo'; did you mean 'Dog'?"),
    ("projection A of Q { a: b }", "unknown class 'Q'; the store has Dog, Person"),
  ])
  func `an unknown class suggests a similar one, or names those that there are`(
    statement: String, message: String
  ) {
    #expect(ScriptRun(Self.kennel + statement).errors.contains("error: \(message)\n"))
  }

  @Test func `an unknown class of a store without classes says so`() {
    #expect(ScriptRun("count Dog").errors.contains("unknown class 'Dog'; the store has no classes"))
  }

  @Test func `tokens lists key paths`() {
    let script = """
      observe Dog as a keypaths name, age
      observe Dog as b keypaths none
      observe Dog as c
      tokens

      """
    let text = ScriptRun(Self.kennel + script).output
    #expect(
      text.hasSuffix(
        "a  main  Dog  keypaths name, age\nb  main  Dog  keypaths none\nc  main  Dog\n"))
    let json = ScriptRun(Self.kennel + script.replacing("tokens", with: "mode json; tokens")).output
    #expect(
      json.contains(
        "{\"token\":\"a\",\"session\":\"main\",\"observes\":\"Dog\",\"keypaths\":[\"name\",\"age\"]}"
      ))
    #expect(json.contains("\"observes\":\"Dog\",\"keypaths\":[]}"))
    #expect(json.contains("{\"token\":\"c\",\"session\":\"main\",\"observes\":\"Dog\"}"))
  }

  /// The number of objects, the answer, the number of questions, and the objects that are left.
  @Test(arguments: [(1_000, false, 0, 0), (1_001, false, 1, 1_001), (1_001, true, 1, 0)])
  func `delete asks once above a thousand objects`(
    count: Int, answer: Bool, asked: Int, left: Int
  ) {
    let questions = Mutex<[String]>([])
    var options = Interpreter.Options()
    options.confirms = { question in
      questions.withLock { $0.append(question) }
      return answer
    }
    let objects = (0..<count).map { _ in "{}" }.joined(separator: ", ")
    let run = ScriptRun("class N { n: int = 0 }\nadd N [\(objects)]\ndelete N\ncount N", options)
    #expect(run.output.hasSuffix("\(left)\n"))
    #expect(
      questions.withLock { $0 } == Array(repeating: "Delete \(count) objects? y/N ", count: asked))
  }

  @Test func `a script named as a store suggests -f`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.herald"
    try FileTree.save("print 1\n", to: path)
    let sink = CollectingSink()
    let interpreter = Interpreter(sink: sink)
    #expect(!interpreter.open(path: path))
    #expect(sink.errors.contains("'\(path)' is not a store; 'herald -f \(path)' runs a script"))
  }
}
