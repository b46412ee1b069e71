package import Herald

/// The errors of the shell. Their messages are made here and nowhere else; errors of the library bring
/// their own.
package enum Diagnostic: Error, Equatable, Sendable {
  case library(HeraldError)
  /// A store that could not be opened.
  case opening(HeraldError, path: String?)
  case unreadableScript(path: String, reason: String)
  case query(String)
  case expected(String, found: String)
  case unknownStatement(String, nearest: String?)
  case strayBracket(String)
  case openBracket(String)
  case tooDeep(Int)
  case duplicateEntry(String)
  /// A class that is like none of those that exist.
  case unknownClass(String, existing: [String])
  /// A word in the place of a value.
  case unquotedText(String)
  /// A name that stands for a class in queries only.
  case notAClass(String, found: String)
  case unknownVariable(String, nearest: String?)
  case missingObject(String, of: String, session: String)
  case notANewObject(String)
  case notAnObject(String, found: String)
  case notACollection(String, found: String)
  /// A value is observed; `property` is the path of the property that has it, if one has.
  case observedValue(String, found: String, property: String?)
  /// The feed of a store cannot begin after the version.
  case feedNotKept(Int, oldest: Int, advice: String)
  case notAnIndex(String)
  case notAKey(String)
  case notAVersion(String)
  case noPath(String, found: String)
  case nilLink(String)
  case nilNumber(String)
  case overflow
  case divisionByZero
  case notNumbers(String)
  case notAssignable(String)
  case listNeedsPosition
  case wrongCollection(String, found: String, wanted: String)
  case embeddedOutside
  case cannotWrite(path: String, reason: String)
  /// A command after `|`.
  case cannotStart(String)
  /// What became of a program that an observer runs.
  case program(String, token: String)
  case unknownFormat(String)
  /// A clause after columns that cannot be one of the query.
  case clauseOfColumns(String, reason: String)
  case unknownColumn(String, nearest: String?)
  case valueAsFile(String)
  case reservedToken(String)
  /// A name beside that of the variable that holds the token.
  case tokenOfVariable(String)
  case writerBusy(session: String)
  /// Another process is writing: its number and name, if they are known.
  case locked(path: String, by: String?)
  case onlyOnMain(String)
  case ownTransaction(String)
  case misplaced(String, belongsTo: String)
  /// A statement that only people may give, sent by another program.
  case notServed(String)
  case noStore
  case cannotRead(path: String, reason: String)
  /// The files, each of which reads the next; the first and the last are the same.
  case readCycle([String])
  /// The file that exceeds the limit of nested files.
  case readTooDeep(String, limit: Int)
  case importing(file: String, position: String, reason: String)
  case noColumn(String, file: String, nearest: String?)
  case unknownClassOfImport(String, nearest: String?)
  case unknownAlias(String, nearest: String?)
  case aliasIsCommand(String)
  case notEditable(String, nearest: String?)
  case cannotEdit(reason: String)
  case needsPrompt(String)
  case unknownTopic(String, nearest: String?)
  /// The expectation, the actual event, and how the two differ where that is known.
  case expectation(expected: String, actual: String, difference: [String] = [])
  /// The number of problems that a check found; the path of the store if it is not the session's.
  case problems(Int, path: String?)
  case interrupted
  /// What of a file of the documented system cannot be read, and how much more.
  case realmLoss(path: String, first: String, more: Int)
  /// A change or an observer of such a file.
  case realmReadOnly(path: String)

  var severity: ShellError.Severity {
    switch self {
    case .expectation: .expectation
    case .interrupted: .interruption
    case .problems: .damage
    case .opening, .unreadableScript, .readCycle, .readTooDeep, .realmLoss: .opening
    case .library, .query, .expected, .unknownStatement, .strayBracket, .openBracket, .tooDeep,
      .duplicateEntry, .unknownClass, .unquotedText, .notAClass, .unknownVariable, .missingObject,
      .notANewObject,
      .notAnObject, .notACollection, .observedValue, .feedNotKept, .notAnIndex, .notAKey,
      .notAVersion, .noPath,
      .nilLink,
      .nilNumber,
      .overflow, .divisionByZero, .notNumbers,
      .notAssignable,
      .listNeedsPosition, .wrongCollection, .embeddedOutside, .cannotWrite, .cannotStart,
      .program, .unknownFormat, .clauseOfColumns, .unknownColumn, .valueAsFile, .reservedToken,
      .tokenOfVariable, .writerBusy, .locked,
      .onlyOnMain, .misplaced, .notServed, .ownTransaction, .noStore, .cannotRead, .importing,
      .noColumn,
      .unknownClassOfImport,
      .unknownTopic, .unknownAlias, .aliasIsCommand, .notEditable, .cannotEdit, .needsPrompt,
      .realmReadOnly:
      .statement
    }
  }
}

extension Diagnostic {
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
    case .library(let error): error.message + Self.advice(error)
    case .opening(let error, let path): error.message + Self.advice(error, path)
    case .feedNotKept(let version, let oldest, let advice):
      HeraldError.versionNotKept(version, oldest: oldest).message + ": " + advice
    case .query(let message): message
    case .realmLoss(let path, let first, let more):
      "\(path): \(first)"
        + (more == 0 ? "" : more == 1 ? "; and one more like it" : "; and \(more) more like it")
    case .realmReadOnly(let path):
      "'\(path)' is a Realm file, which is only read: 'herald convert \(path) to app.hdb' makes a store of it"
    case .expected(let what, let found): "expected \(what), found \(found)"
    case .unknownStatement(let word, let near): "no command '\(word)'" + suggestion(near)
    case .strayBracket(let bracket): "unmatched '\(bracket)'"
    case .openBracket(let bracket): "'\(bracket)' is never closed"
    case .tooDeep(let limit): "brackets or blocks nested more than \(limit) deep"
    case .duplicateEntry(let name): "'\(name)' is given twice"
    case .notAClass(let name, let found):
      "'\(name)' is \(found), which stands for a class in queries only"
    case .unknownClass(let name, let existing):
      HeraldError.unknownClass(name, nearest: nil).message + Self.listing(existing)
    case .unquotedText(let word):
      "'\(word)' is neither a class nor a value; a text is written in quotes: \(word.quoted)"
    case .unknownVariable(let name, let near):
      "unknown variable '$\(name)'" + suggestion(near.map { "$" + $0 })
    case .missingObject(let name, let object, let session):
      "the object \(object) of '$\(name)' does not exist in session '\(session)'"
    case .notANewObject(let name): "'$\(name)' is not a new object; 'new' makes one"
    case .notAnObject(let what, let found): "'\(what)' is \(found), not an object"
    case .notACollection(let what, let found): "'\(what)' is \(found), not a collection"
    case .observedValue(let what, let found, let property):
      "'\(what)' is \(found), which never changes; "
        + (property.map { "'observe property \($0)' observes the property" }
          ?? "observe the collection or the property that it was read from")
    case .notAnIndex(let what): "'\(what)' is not a row number"
    case .notAKey(let what): "'\(what)' is not the key of a map"
    case .notAVersion(let what): "'\(what)' is not the number of a version"
    case .noPath(let what, let found): "'\(what)' is \(found): it has no properties"
    case .nilLink(let what): "'\(what)' is nil"
    case .nilNumber(let what): "'\(what)' is nil, not a number"
    case .divisionByZero: "an int cannot be divided by zero"
    case .overflow: "the result is too large for an int"
    case .notNumbers(let what): "'\(what)' and its operand must be numbers"
    case .notAssignable(let what): "'\(what)' cannot be assigned to"
    case .listNeedsPosition: "a list needs a position: insert … into … at ROW, or append … to …"
    case .wrongCollection(let what, let found, let wanted): "'\(what)' is \(found), not \(wanted)"
    case .embeddedOutside: "an embedded object is created only by changing its owner in a store"
    case .cannotWrite(let path, let reason): "cannot write '\(path)': \(reason)"
    case .cannotStart(let command): "cannot run '\(command)'"
    case .program(let failure, let token): "'\(token)': \(failure)"
    case .unknownFormat(let path):
      "'\(path)' has no known format; use .json, .jsonl, .ndjson or .csv, or 'as csv'"
    case .unknownColumn(let name, let near): "no column '\(name)'" + suggestion(near)
    case .clauseOfColumns(let clause, let reason):
      "'\(clause)' cannot follow columns here, as \(reason); 'show' and 'export' can have it"
    case .valueAsFile(let value):
      "a comparison cannot stand here; a file called '\(value)' is written in quotes"
    case .tokenOfVariable(let name): "a token in a variable has its name: '\(name)'"
    case .reservedToken(let name): "'\(name)' cannot name a token"
    case .locked(let path, let process):
      HeraldError.locked(path: path).message + (process.map { ": \($0)" } ?? "")
    case .writerBusy(let session): "session '\(session)' has a transaction open"
    case .onlyOnMain(let word): "'\(word)' is allowed only in session 'main', outside of blocks"
    case .misplaced(let word, let target): "'\(word)' is only for \(target)"
    case .notServed(let word): "'\(word)' is not among the statements that are served here"
    case .ownTransaction(let word):
      "'\(word)' is a transaction of its own; 'commit' or 'rollback' the open one first"
    case .noStore: "no store is open"
    case .cannotRead(let path, let reason), .unreadableScript(let path, let reason):
      "cannot read '\(path)': \(reason)"
    case .readCycle(let paths):
      "'\(paths.last ?? "")' is already being read: \(paths.joined(separator: " reads "))"
    case .readTooDeep(let path, let limit):
      "'\(path)' exceeds the limit of \(limit) nested files"
    case .importing(let file, let position, let reason): "\(file): \(position): \(reason)"
    case .noColumn(let name, let file, let near):
      "\(file) has no column '\(name)'" + suggestion(near)
    case .unknownClassOfImport(let name, let near):
      HeraldError.unknownClass(name, nearest: near).message
        + "; 'as new \(name)' declares it from the file"
    case .unknownAlias(let name, let near): "no alias '\(name)'" + suggestion(near)
    case .aliasIsCommand(let name): "'\(name)' is a command, so it cannot name an alias"
    case .notEditable(let name, let near):
      "no alias, query or projection '\(name)'" + suggestion(near)
    case .cannotEdit(let reason): "cannot edit: \(reason)"
    case .needsPrompt(let word): "'\(word)' is only for a prompt"
    case .unknownTopic(let word, let near): "no help on '\(word)'" + suggestion(near)
    case .expectation(let expected, let actual, let difference):
      (["expected \(expected)", "seen \(actual)"] + difference).joined(separator: "; ")
    case .problems(let count, let path):
      (path.map { "'\($0)'" } ?? "the store") + " has \(count) problem\(count == 1 ? "" : "s")"
    case .interrupted: "interrupted"
    }
  }

  /// The end of a message about a class: the existing names, at most eight.
  private static func listing(_ names: [String]) -> String {
    guard !names.isEmpty else { return "; the store has no classes" }
    let shown = names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
    return "; the store has \(shown)"
  }

  /// The end of a message about a text that is no date: how dates are written.
  private static func advice(_ error: HeraldError) -> String {
    guard case .wrongType(_, _, let type, let value) = error, type.hasPrefix("date") else {
      return ""
    }
    return ForeignDate.advice(value.filter { $0 != "\"" })
  }

  /// The end of a message about a store that could not be opened: how it can be.
  private static func advice(_ error: HeraldError, _ path: String?) -> String {
    guard let path else { return "" }
    switch error {
    case .readOnly: return ", or its folder; --read-only, or 'open \(path) read-only', reads it"
    case .notAStore where path.hasSuffix(".herald"): return "; 'herald -f \(path)' runs a script"
    default: return ""
    }
  }
}
