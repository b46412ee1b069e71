import Synchronization

/// A database file of the documented system, to be read only.
///
///     let file = try RealmFile(path: "default.realm")
///     for table in file.classes { print(table.name, table.objectCount) }
///
/// Opening reads the header and the schema; objects are read when they are asked for. The file is
/// mapped, and nothing is written, to it or beside it. All methods can be called on any thread.
public final class RealmFile: Sendable {
  /// The tables: those of the program in the order of the file, then those of the library.
  public let tables: [RealmClass]
  /// The format, which is 2…11 or 20…24; 0 for a file that never had a transaction.
  public var formatVersion: Int { contents.format }
  /// Whether the file is encrypted.
  public let isEncrypted: Bool
  /// The classes of the program: the first of `tables`.
  public var classes: ArraySlice<RealmClass> { tables.prefix { !$0.isLibraryTable } }

  /// What was read when the file was opened.
  let contents: FileContents
  private let file: FileBytes
  private let firstBytes: [UInt8]
  private let directories = Mutex<[Int: ClusterDirectory]>([:])

  /// The number of bytes that change with every transaction: the header, or the first record of an
  /// encrypted file.
  private static let changingLength = EncryptionLayout.recordLength

  /// Opens the file at `path`, which is encrypted if `key`, of 64 bytes, is given.
  ///
  /// Throws `RealmFileError` if it cannot be opened, is no such file, or its list of tables is
  /// damaged. Cost: proportional to the number of tables and properties.
  public convenience init(
    path: String, key: [UInt8]? = nil, state: RealmFileState = .newest
  ) throws {
    do throws(Fault) {
      try self.init(FileBytes(path: path), key: key, state: state)
    } catch {
      throw RealmFileError(error, path: path)
    }
  }

  /// Opens a file whose bytes are in memory; copies them.
  ///
  /// Throws as `init(path:key:state:)`.
  public convenience init(
    bytes: [UInt8], key: [UInt8]? = nil, state: RealmFileState = .newest
  ) throws {
    do throws(Fault) {
      try self.init(FileBytes(bytes), key: key, state: state)
    } catch {
      throw RealmFileError(error, path: nil)
    }
  }

  private init(_ file: FileBytes, key: [UInt8]?, state: RealmFileState) throws(Fault) {
    self.file = file
    isEncrypted = key != nil
    let bytes = try Self.decrypted(file, key: key)
    firstBytes = try Self.firstBytes(of: file)
    contents = try FileContents(bytes, state: state)
    tables = contents.tablesWithPrimaryKeys()
  }

  private static func firstBytes(of file: FileBytes) throws(Fault) -> [UInt8] {
    let length = min(file.count, changingLength)
    return Array(
      UnsafeRawBufferPointer(start: try file.pointer(at: 0, count: length), count: length))
  }

  private static func decrypted(_ file: FileBytes, key: [UInt8]?) throws(Fault) -> FileBytes {
    let isPlain = FileHeader.isPlain(file)
    guard let key else {
      if isPlain { return file }
      throw Fault(EncryptionLayout.isProbable(file) ? .probablyEncrypted : .notRealm)
    }
    guard key.count == EncryptedPages.keyLength else { throw Fault(.keyLength(key.count)) }
    guard !isPlain else { throw Fault(.notEncrypted) }
    let bytes = FileBytes(try EncryptedPages(file, key: key))
    guard FileHeader.isPlain(bytes) else { throw Fault(.wrongKey) }
    return bytes
  }

  /// Whether the file is as it was when it was opened: false if another program has committed since.
  ///
  /// The space of a state is used again only after later commits: what was read while one commit was
  /// made is consistent, too. An encrypted file may say false after a commit, and never says false
  /// without one.
  public var isUnchanged: Bool {
    guard let bytes = try? Self.firstBytes(of: file) else { return false }
    return isEncrypted ? bytes == firstBytes : bytes.prefix(24) == firstBytes.prefix(24)
  }

  /// Returns the index in `tables` of the class with this name; nil if there is none.
  public func classIndex(_ name: String) -> Int? {
    tables.firstIndex { !$0.isLibraryTable && $0.name == name }
  }

  /// Returns a cursor over the objects of the table at `index`.
  ///
  /// Throws `RealmFileError` if the table cannot be read. Cost: a look at the beginning of each 256
  /// objects, the first time.
  public func objects(of index: Int) throws -> RealmCursor {
    let table = try table(index)
    do throws(Fault) {
      return try RealmCursor(
        contents, table: index, directory: directory(of: index))
    } catch {
      throw RealmFileError(error, className: table.name)
    }
  }

  /// Returns what finds the position of an object of the table at `index` by its key.
  ///
  /// Throws and costs as `objects(of:)`.
  public func positions(of index: Int) throws -> RealmPositions {
    let table = try table(index)
    do throws(Fault) {
      return try RealmPositions(contents, table: index, directory: directory(of: index))
    } catch {
      throw RealmFileError(error, className: table.name)
    }
  }

  private func table(_ index: Int) throws -> RealmClass {
    guard tables.indices.contains(index) else { throw RealmFileError(.noClass(index)) }
    if let error = tables[index].error { throw error }
    return tables[index]
  }

  private func directory(of index: Int) -> ClusterDirectory? {
    guard case .clusters(let root) = contents.layouts[index].rows else { return nil }
    if let directory = directories.withLock({ $0[index] }) { return directory }
    var reader = contents.reader()
    let directory = ClusterDirectory(root: root, &reader)
    directories.withLock { directories in
      // The trees of a damaged file may share what is below their roots.
      let leafCount = directories.values.reduce(directory.leaves.count) { $0 + $1.leaves.count }
      if leafCount <= contents.bytes.count / 16 { directories[index] = directory }
    }
    return directory
  }
}
