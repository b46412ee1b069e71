package import Herald

/// Everything that the shell itself complains of. The words are made here and nowhere else; the
/// library's complaints bring theirs.
package enum Complaint: Error, Equatable, Sendable {
  case library(HeraldError)
  /// A store that could not be opened.
  case opening(HeraldError)
  case unreadableScript(path: String, reason: String)
  case query(String)
  case expected(String, found: String)
  case unterminatedString
  case invalidUTF8
  case invalidEscape(String)
  case numberTooLarge(String)
  case unknownStatement(String, nearest: String?)
  case invalidLiteral(String, type: String)
  case strayBracket(String)
  case openBracket(String)
  case tooDeep(Int)
  case duplicateEntry(String)
  case unknownVariable(String, nearest: String?)
  case goneVariable(String, of: String, session: String)
  case notAVariable(String)
  case notAnObject(String, found: String)
  case notACollection(String, found: String)
  case notAnIndex(String)
  case notAKey(String)
  case notAVersion(String)
  case noPath(String, found: String)
  case nilLink(String)
  case nilNumber(String)
  case overflow
  case notNumbers(String)
  case notAssignable(String)
  case listNeedsPlace
  case wrongCollection(String, found: String, wanted: String)
  case partOutside
  case cannotWrite(path: String, reason: String)
  case unknownFormat(String)
  case reservedToken(String)
  case writerBusy(session: String)
  case busyForOpening(String)
  case misplaced(String, belongsTo: String)
  case noStore
  case cannotRead(path: String, reason: String)
  /// The files, each of which reads the next; the first and the last are one.
  case readInCircle([String])
  /// The file that would be one too many, and how many may read one another.
  case readTooDeep(String, limit: Int)
  case importing(file: String, place: String, reason: String)
  case unknownTopic(String, nearest: String?)
  /// What was expected, what was seen, and how the two differ where that can be told apart.
  case expectation(expected: String, seen: String, difference: [String] = [])
  /// How many a check found; the path is that of a store other than the session's.
  case problems(Int, path: String?)
  case interrupted

  var severity: ShellError.Severity {
    switch self {
    case .expectation: .expectation
    case .interrupted: .interruption
    case .problems: .damage
    case .opening, .unreadableScript, .readInCircle, .readTooDeep: .opening
    case .library, .query, .expected, .unterminatedString, .invalidUTF8, .invalidEscape,
      .numberTooLarge, .unknownStatement, .invalidLiteral, .strayBracket,
      .openBracket, .tooDeep, .duplicateEntry, .unknownVariable, .goneVariable, .notAVariable,
      .notAnObject, .notACollection, .notAnIndex, .notAKey, .notAVersion, .noPath, .nilLink,
      .nilNumber,
      .overflow, .notNumbers,
      .notAssignable,
      .listNeedsPlace, .wrongCollection, .partOutside, .cannotWrite,
      .unknownFormat, .reservedToken, .writerBusy, .busyForOpening, .misplaced, .noStore,
      .cannotRead, .importing, .unknownTopic:
      .statement
    }
  }
}

extension Complaint {
  /// The exit status of a script whose first failure this is.
  var exitStatus: Int32 {
    switch severity {
    case .statement: 1
    case .expectation: 3
    case .opening: 4
    case .damage: 5
    case .interruption: 130
    }
  }

  package var message: String {
    switch self {
    case .library(let error), .opening(let error): error.message
    case .query(let message): message
    case .expected(let what, let found): "expected \(what), found \(found)"
    case .unterminatedString: "the string has no end on its line"
    case .invalidUTF8: "invalid UTF-8"
    case .invalidEscape(let text): "'\(text)' is not an escape that strings know"
    case .numberTooLarge(let text): "the number \(text) is too large"
    case .unknownStatement(let word, let near): "there is no statement '\(word)'" + hint(near)
    case .invalidLiteral(let text, let type): "'\(text)' is not \(type)"
    case .strayBracket(let bracket): "'\(bracket)' closes nothing"
    case .openBracket(let bracket): "'\(bracket)' is never closed"
    case .tooDeep(let limit): "more than \(limit) brackets or blocks inside one another"
    case .duplicateEntry(let name): "'\(name)' stands there twice"
    case .unknownVariable(let name, let near):
      "unknown variable '$\(name)'" + hint(near.map { "$" + $0 })
    case .goneVariable(let name, let object, let session):
      "the object \(object) of '$\(name)' does not exist in session '\(session)'"
    case .notAVariable(let name): "'$\(name)' holds no object that is waiting to be added"
    case .notAnObject(let what, let found): "'\(what)' is \(found), not an object"
    case .notACollection(let what, let found): "'\(what)' is \(found), not a collection"
    case .notAnIndex(let what): "'\(what)' is not a row number"
    case .notAKey(let what): "'\(what)' is not the key of a map"
    case .notAVersion(let what): "'\(what)' is not the number of a version"
    case .noPath(let what, let found): "'\(what)' is \(found): it has no properties"
    case .nilLink(let what): "'\(what)' is nil"
    case .nilNumber(let what): "'\(what)' is nil: there is nothing to change"
    case .overflow: "the result is too large for an int"
    case .notNumbers(let what): "'\(what)' and what changes it must be numbers"
    case .notAssignable(let what): "'\(what)' cannot be assigned to"
    case .listNeedsPlace: "a list needs a place: insert … into … at ROW, or append … to …"
    case .wrongCollection(let what, let found, let wanted): "'\(what)' is \(found), not \(wanted)"
    case .partOutside: "an object inside another is made only where the other is changed in a store"
    case .cannotWrite(let path, let reason): "cannot write '\(path)': \(reason)"
    case .unknownFormat(let path):
      "'\(path)' names no format: .json, .jsonl, .ndjson and .csv are known"
    case .reservedToken(let name): "'\(name)' cannot name a token"
    case .writerBusy(let session): "session '\(session)' has a write open"
    case .busyForOpening(let word): "'\(word)' is possible only on main, while no block runs"
    case .misplaced(let word, let target): "'\(word)' is for \(target)"
    case .noStore: "no store is open"
    case .cannotRead(let path, let reason), .unreadableScript(let path, let reason):
      "cannot read '\(path)': \(reason)"
    case .readInCircle(let paths):
      "'\(paths.last ?? "")' is being read already: \(paths.joined(separator: " reads "))"
    case .readTooDeep(let path, let limit):
      "'\(path)' would be read by a chain of more than \(limit) files"
    case .importing(let file, let place, let reason): "\(file): \(place): \(reason)"
    case .unknownTopic(let word, let near): "no help on '\(word)'" + hint(near)
    case .expectation(let expected, let seen, let difference):
      (["expected \(expected)", "seen \(seen)"] + difference).joined(separator: "; ")
    case .problems(let count, let path):
      (path.map { "'\($0)'" } ?? "the store") + " has \(count) problem\(count == 1 ? "" : "s")"
    case .interrupted: "interrupted"
    }
  }

  private func hint(_ nearest: String?) -> String {
    nearest.map { "; did you mean '\($0)'?" } ?? ""
  }
}
