import Herald

/// A file of the documented system that is open: a store in memory has its classes at once, and its objects from the first
/// statement on that reads any. The file itself is only read.
final class OpenRealmFile {
  let source: RealmSource
  /// Takes the objects in; nil once it has.
  private var writer: DynamicStore?

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
  }

  /// The number of objects of a class while the objects are not read; nil after that, and for an unknown class.
  func count(of className: String) -> Int? {
    writer == nil ? nil : source.objectCount(of: className)
  }

  /// Reads the objects, the first time; returns what could not be read. Errors: those of a write; `interrupted`.
  func load(_ interruption: Interruption) throws -> [RealmLoss] {
    guard let writer else { return [] }
    writer.interruption = interruption
    let losses = try writer.load(source)
    self.writer = nil
    writer.close()
    return losses
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
  /// Reads the objects of an open file of the documented system. What of them cannot be read is an error; the rest can be
  /// asked: by this statement if the run keeps going, and by the next ones.
  func readRealmFile() throws {
    guard let file = shell.realmFile else { return }
    let losses = try file.load(shell.interruption)
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
