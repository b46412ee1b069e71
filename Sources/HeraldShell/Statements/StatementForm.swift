import Herald

/// A statement as it was parsed, not yet resolved: names are names, not classes.
///
/// A form has a file of its own, which has all of it: its fields are its parts, `run` is what it does, and its static
/// `command`, if a word begins it, is that word, how the rest is parsed, and its help. `StatementTable` lists the
/// commands for the parser, completion, suggestions and help. What may follow a word needs no list: the parser notes
/// what it asks for, and completion offers it.
protocol StatementForm {
  /// Carries it out, on the thread of the context's session. Errors without a span get that of the statement.
  func run(in context: Context) throws

  /// Whether it concerns the store as a whole, or no session at all, and so runs on `main`.
  var isForMain: Bool { get }

  /// Whether it is several statements, each of which checks for an interruption, and reports its errors, by itself.
  var isSeveral: Bool { get }

  /// Which objects of the store it needs: no others are read from a Realm file.
  var objectsRead: ObjectsRead { get }

  /// The name that it gives to rows.
  var declaredName: String? { get }

  /// The session that it runs a statement on; nil if it names none.
  func session(in shell: Interpreter) -> ShellSession?

  /// Whether a text can stand where a word is that is not a class.
  func mayHaveText(at span: SourceSpan, _ word: String) -> Bool
}

extension StatementForm {
  var isForMain: Bool { false }
  var isSeveral: Bool { false }
  var objectsRead: ObjectsRead { .all }
  var declaredName: String? { nil }
  func session(in shell: Interpreter) -> ShellSession? { nil }
  func mayHaveText(at span: SourceSpan, _ word: String) -> Bool { false }
}

/// The objects that a statement reads.
enum ObjectsRead {
  /// None: it reads no more than the classes of the store.
  case none
  /// Those of the classes that its text names, and of those linked with them: it names each, or has it in a variable.
  case ofNamedClasses
  case all
}
