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
  case notAvailable(String)
  case unavailableType(String)
  case strayBracket(String)
  case openBracket(String)
  case tooDeep(Int)
  case duplicateEntry(String)
  case unknownVariable(String, nearest: String?)
  case goneVariable(String, session: String)
  case notAVariable(String)
  case notAnObject(String, found: String)
  case notACollection(String, found: String)
  case notAnIndex(String)
  case noPath(String, found: String)
  case nilLink(String)
  case notNumbers(String)
  case notAssignable(String)
  case listNeedsPlace
  case reservedToken(String)
  case writerBusy(session: String)
  case busyForOpening(String)
  case misplaced(String, belongsTo: String)
  case unknownSession(String, nearest: String?)
  case invalidSessionName(String)
  case noStore
  case cannotRead(path: String, reason: String)
  case readInCircle(String)
  case importing(file: String, place: String, reason: String)
  case unknownTopic(String, nearest: String?)
  case expectation(expected: String, seen: String)
  case interrupted

  var severity: ShellError.Severity {
    switch self {
    case .expectation: .expectation
    case .interrupted: .interruption
    case .opening, .unreadableScript, .readInCircle: .opening
    default: .statement
    }
  }
}

extension Complaint {
  package var message: String {
    syntaxMessage ?? variableMessage ?? storeMessage
  }

  private var syntaxMessage: String? {
    switch self {
    case .query(let message): message
    case .expected(let what, let found): "expected \(what), found \(found)"
    case .unterminatedString: "the string has no end on its line"
    case .invalidUTF8: "invalid UTF-8"
    case .invalidEscape(let text): "'\(text)' is not an escape that strings know"
    case .numberTooLarge(let text): "the number \(text) is too large"
    case .unknownStatement(let word, let nearest):
      "there is no statement '\(word)'" + suggestion(nearest)
    case .notAvailable(let what): "\(what) is not available in this version"
    case .unavailableType(let name): "the type '\(name)' is not available in this version"
    case .strayBracket(let bracket): "'\(bracket)' closes nothing"
    case .openBracket(let bracket): "'\(bracket)' is never closed"
    case .tooDeep(let limit): "more than \(limit) brackets or blocks inside one another"
    case .duplicateEntry(let name): "'\(name)' stands there twice"
    default: nil
    }
  }

  private var variableMessage: String? {
    switch self {
    case .unknownVariable(let name, let nearest):
      "unknown variable '$\(name)'" + suggestion(nearest.map { "$" + $0 })
    case .goneVariable(let name, let session):
      "the object of '$\(name)' does not exist in session '\(session)'"
    case .notAVariable(let name): "'$\(name)' holds no object that is waiting to be added"
    case .notAnObject(let what, let found): "'\(what)' is \(found), not an object"
    case .notACollection(let what, let found): "'\(what)' is \(found), not a collection"
    case .notAnIndex(let what): "'\(what)' is not a row number"
    case .noPath(let what, let found): "'\(what)' is \(found): it has no properties"
    case .nilLink(let what): "'\(what)' is nil"
    case .notNumbers(let what): "'\(what)' needs numbers"
    case .notAssignable(let what): "'\(what)' cannot be assigned to"
    case .listNeedsPlace: "a list needs a place: insert … into … at N, or append … to …"
    default: nil
    }
  }

  private var storeMessage: String {
    switch self {
    case .library(let error), .opening(let error): error.message
    case .unreadableScript(let path, let reason): "cannot read '\(path)': \(reason)"
    case .reservedToken(let name): "'\(name)' cannot name a token"
    case .writerBusy(let session): "session '\(session)' has a write open"
    case .busyForOpening(let word): "'\(word)' is not possible while a block runs"
    case .misplaced(let word, let target): "'\(word)' is for \(target)"
    case .unknownSession(let name, let nearest):
      "there is no session '\(name)'" + suggestion(nearest)
    case .invalidSessionName(let name): "'\(name)' cannot name a session"
    case .noStore: "no store is open"
    case .cannotRead(let path, let reason): "cannot read '\(path)': \(reason)"
    case .readInCircle(let path): "'\(path)' is being read already"
    case .importing(let file, let place, let reason): "\(file): \(place): \(reason)"
    case .unknownTopic(let word, let nearest): "no help on '\(word)'" + suggestion(nearest)
    case .expectation(let expected, let seen): "expected \(expected); seen \(seen)"
    case .interrupted: "interrupted"
    default: "\(self)"
    }
  }

  private func suggestion(_ nearest: String?) -> String {
    nearest.map { "; did you mean '\($0)'?" } ?? ""
  }
}
