import Herald

/// A file of the documented system that is open: a store in memory has its classes at once, and the objects of a class from
/// the first statement on that names it, or one that links lead to it from or from it. The file itself is only read.
final class OpenRealmFile {
  let source: RealmSource
  /// Takes the objects in; nil once it has all.
  private var writer: DynamicStore?
  /// The classes whose objects the store does not have yet.
  private var missing: Set<String>

  /// A store in memory with the classes of a file, which only reads, and what fills it. Errors: `cannotOpen`; those of a store
  /// in memory.
  static func open(
    _ path: String, key: [UInt8]?, sizeLimit: Int?
  ) throws -> (store: DynamicStore, file: OpenRealmFile) {
    let source = try RealmSource(path: path, key: key)
    let writer = try DynamicStore(sizeLimit: sizeLimit)
    writer.writeLimit = .max
    try writer.declareClasses(of: source)
    return (try writer.readingSession(named: "main"), OpenRealmFile(source, writer))
  }

  private init(_ source: RealmSource, _ writer: DynamicStore) {
    self.source = source
    self.writer = writer
    missing = Set(source.definitions.map(\.name))
  }

  /// The number of objects of a class that are not read yet; nil after that, and for an unknown class.
  func count(of className: String) -> Int? {
    missing.contains(className) ? source.objectCount(of: className) : nil
  }

  /// Reads the objects of the classes that a statement names, and of all that are linked with them, each once: the objects
  /// of variables are of classes that earlier statements named. Returns what could not be read. Errors: those of a write;
  /// `interrupted`.
  func load(namedIn statement: [UInt8], _ interruption: Interruption) throws -> [RealmLoss] {
    try load(source.linkedClasses(with: classes(namedIn: statement)), interruption)
  }

  /// Reads the objects of these classes, with which no others are linked, or of all, each once. Returns and errors as above.
  func load(_ classes: Set<String>?, _ interruption: Interruption) throws -> [RealmLoss] {
    guard let writer else { return [] }
    writer.interruption = interruption
    let wanted = classes?.intersection(missing) ?? missing
    if wanted.isEmpty { return [] }
    let losses = try writer.load(source, classes: wanted)
    missing.subtract(wanted)
    if missing.isEmpty {
      self.writer = nil
      writer.close()
    }
    return losses
  }

  /// The classes whose names are words of a text.
  private func classes(namedIn text: [UInt8]) -> Set<String> {
    let names = Set(source.definitions.map(\.name))
    var named: Set<String> = []
    var lexer = Lexer(text)
    while true {
      let token = lexer.next()
      if token.kind == .end { break }
      let word = String(decoding: text[token.start..<token.end], as: UTF8.self)
      if names.contains(word) { named.insert(word) }
    }
    return named
  }

  /// The bytes of a key file: 64 bytes, or as many in hexadecimal digits. Errors: `cannotOpen`.
  static func key(inFile path: String) throws -> [UInt8] {
    let bytes: [UInt8]
    do {
      bytes = try File.read(path)
    } catch {
      throw HeraldError.cannotOpen(path: path, reason: error.reason)
    }
    if bytes.count == 64 { return bytes }
    let text = String(decoding: bytes, as: UTF8.self)
    let digits = text.filter { !$0.isWhitespace }
    let values = stride(from: 0, to: digits.count - 1, by: 2).compactMap { offset in
      let start = digits.index(digits.startIndex, offsetBy: offset)
      return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16)
    }
    guard digits.count == 128, values.count == 64 else {
      throw HeraldError.cannotOpen(
        path: path, reason: "a key has 64 bytes, or 128 hexadecimal digits")
    }
    return values
  }
}

extension Context {
  /// Reads the objects of an open file of the documented system that a statement needs. What of them cannot be read is an
  /// error; the rest can be asked: by this statement if the run keeps going, and by the next ones.
  func readRealmFile(for statement: Statement) throws {
    guard let file = shell.realmFile else { return }
    let losses: [RealmLoss]
    switch statement.form.objectsRead {
    case .none: return
    case .ofNamedClasses:
      losses = try file.load(namedIn: Array(source.text(statement.span).utf8), shell.interruption)
    case .all: losses = try file.load(nil, shell.interruption)
    }
    // Each session has to see the objects, whichever read them.
    try session.store?.refresh()
    guard let first = losses.first else { return }
    let failure = failure(
      .realmLoss(path: file.source.path, first: first.text, more: losses.count - 1), at: span)
    guard shell.options.keepsGoing else { throw failure }
    shell.report(failure)
  }

  /// Throws if the open store is a file of the documented system, which nobody changes.
  func refuseObservingRealmFile() throws {
    guard let file = shell.realmFile else { return }
    throw failure(.realmReadOnly(path: file.source.path), at: span)
  }
}
