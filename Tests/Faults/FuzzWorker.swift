import Glibc
import Herald
import HeraldQuery
import HeraldShell
import TestSupport

/// Runs one reader on one input after the other, in this process.
final class FuzzWorker {
  private let reader: FuzzReader
  private let seed: UInt64
  private let note: FuzzNote
  private let corpus: Corpus
  private var interpreter: Interpreter?
  private let sink = SilentSink()
  private var runs = 0
  private let folder: String
  private var store: [UInt8] = []

  init(_ reader: FuzzReader, _ seed: UInt64, _ note: String, in parent: String) throws {
    self.reader = reader
    self.seed = seed
    self.note = FuzzNote(note)
    folder = "\(parent)/\(reader)"
    // Statements that name files without a folder write them here.
    mkdir(folder, 0o700)
    chdir(folder)
    corpus = Corpus(reader)
    if reader == .open { try makeStore() }
  }

  func run(_ numbers: Range<Int>) throws {
    for number in numbers {
      var random = SplitMix64(seed: seed &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
      let input = reader == .open ? broken(&random) : corpus.input(&random)
      note.input = input
      note.number = number
      read(input)
    }
    interpreter?.finish()
  }

  /// Runs the reader on an input of libFuzzer, which for a store encodes changes of an undamaged file.
  func take(_ input: [UInt8]) {
    read(reader == .open ? BrokenBytes.change(store, as: input) : input)
  }

  private func read(_ input: [UInt8]) {
    switch reader {
    case .statements: runStatements(String(decoding: input, as: UTF8.self))
    case .predicates:
      let text = String(decoding: input, as: UTF8.self)
      if isHarmless(text) {
        execute("count Thing where \(text)")
        execute("show Thing \(text)")
      }
    case .csv, .json, .logs:
      let name = reader == .logs ? "rows.log" : "rows.\(reader)"
      FileTree.write(input, to: name)
      execute("import \"\(name)\" into Row")
      execute("begin\nimport \"\(name)\" as new Made\nrollback")
    case .open: readStore(input)
    }
  }

  // MARK: Statements

  private func runStatements(_ text: String) {
    _ = Interpreter.openBrackets(of: text)
    if isHarmless(text) { execute(text) }
  }

  /// The words of statements that read or write other files, start programs, or wait.
  private static let unwanted = [
    "/", "|", "~", "read", "open", "follow", "watch", "import", "export", "dump", "backup",
    "repair",
    "compact", "tour", "history", ">",
  ]

  private func isHarmless(_ text: String) -> Bool {
    // `>` is a comparison in predicates, and redirects output in statements.
    !Self.unwanted.contains { word in
      text.contains(word) && !(word == ">" && reader == .predicates)
    }
  }

  private func execute(_ text: String) {
    let interpreter = currentInterpreter()
    interpreter.run(Source(name: "fuzz", text: text))
    interpreter.takeTurns()
  }

  /// Returns an interpreter, with a new store after every 400 inputs, so that failures are reproducible.
  private func currentInterpreter() -> Interpreter {
    runs += 1
    if let interpreter, runs % 400 != 0, !interpreter.wantsToQuit { return interpreter }
    interpreter?.finish()
    var options = Interpreter.Options()
    options.keepsGoing = true
    let new = Interpreter(options: options, sink: sink)
    _ = new.open(path: nil)
    new.run(Source(name: "fuzz", text: Corpus.preparation))
    interpreter = new
    return new
  }

  // MARK: Files

  private func makeStore() throws {
    let path = folder + "/whole.hdb"
    FileTree.removeStore(path)
    var options = Interpreter.Options()
    options.keepsGoing = true
    let interpreter = Interpreter(options: options, sink: sink)
    _ = interpreter.open(path: path)
    interpreter.run(Source(name: "fuzz", text: Corpus.preparation))
    interpreter.finish()
    store = FileTree.read(path)
  }

  private func broken(_ random: inout SplitMix64) -> [UInt8] {
    var bytes = store
    for _ in 0...random.below(3) where bytes.count > 8192 {
      _ = BrokenBytes.breakSome(&bytes, &random)
    }
    return bytes
  }

  private func readStore(_ bytes: [UInt8]) {
    let path = folder + "/broken.hdb"
    FileTree.removeStore(path)
    FileTree.write(bytes, to: path)
    guard let store = try? DynamicStore(path: path) else { return }
    defer { store.close() }
    _ = store.check()
    for entry in store.schema.classes {
      guard let rows = try? store.objects(entry.name).objects else { continue }
      for row in rows {
        for property in entry.properties { _ = try? row.value(property.name) }
      }
    }
  }
}

/// A sink that discards output.
private final class SilentSink: OutputSink {
  func writeWithoutWaiting(_ text: Substring) -> String.Index { text.endIndex }
  func writeError(_ text: String) {}
}
