public import FoundationEssentials
@preconcurrency import Glibc
package import Herald
import Synchronization

/// Moves the values of an older version of the program's classes; the second argument is that version. A configuration also
/// takes a block that throws.
public typealias MigrationBlock = @Sendable (Migration, UInt64) -> Void

extension Realm {
  /// What `Realm` opens.
  ///
  ///     Realm.Configuration.defaultConfiguration = Realm.Configuration(fileURL: url)
  public struct Configuration: Sendable {
    /// The file; nil for a store in memory.
    public var fileURL: URL? {
      didSet { if fileURL != nil { inMemoryIdentifier = nil } }
    }
    /// The name of a store in memory, which takes the place of the file, and is deleted with the last reference to it, its
    /// objects, results and tokens.
    public var inMemoryIdentifier: String? {
      didSet { if inMemoryIdentifier != nil { fileURL = nil } }
    }
    /// The key of 64 bytes of an encrypted Realm file. The store that is made of it is not encrypted, nor is any other: a key
    /// without such a file is an error.
    public var encryptionKey: Data?
    /// Whether a file is opened for reading only.
    public var readOnly: Bool
    /// Whether a file whose classes, or whose `schemaVersion`, differ from those of the program is deleted and made anew,
    /// instead of an error or a migration.
    public var deleteRealmIfMigrationNeeded: Bool
    /// Called with the bytes of the file and those that are used before a file is opened the first time; if it returns
    /// true, the file is rewritten without free pages.
    public var shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)?
    /// A file that is copied to `fileURL` where there is none.
    public var seedFilePath: URL?
    /// The version of the program's classes; 0 for one that is not counted.
    public var schemaVersion: UInt64
    /// Moves the values of an older version to the program's classes.
    public var migrationBlock: (@Sendable (Migration, UInt64) throws -> Void)?
    /// The classes that are taken into the store when it is opened, with those that they link to; nil for all that the
    /// program declares. Of these, those are left to their first use whose declarations are incorrect, or of which two have
    /// one name, but for a migration of a file that has them; so are all where `readOnly` is set.
    public var objectTypes: [ObjectBase.Type]?

    public init(
      fileURL: URL? = nil, inMemoryIdentifier: String? = nil, encryptionKey: Data? = nil,
      readOnly: Bool = false, schemaVersion: UInt64 = 0,
      migrationBlock: (@Sendable (Migration, UInt64) throws -> Void)? = nil,
      deleteRealmIfMigrationNeeded: Bool = false,
      shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)? = nil,
      objectTypes: [ObjectBase.Type]? = nil, seedFilePath: URL? = nil
    ) {
      self.fileURL = inMemoryIdentifier == nil ? fileURL : nil
      self.inMemoryIdentifier = inMemoryIdentifier
      self.encryptionKey = encryptionKey
      self.readOnly = readOnly
      self.schemaVersion = schemaVersion
      self.migrationBlock = migrationBlock
      self.deleteRealmIfMigrationNeeded = deleteRealmIfMigrationNeeded
      self.shouldCompactOnLaunch = shouldCompactOnLaunch
      self.objectTypes = objectTypes
      self.seedFilePath = seedFilePath
    }

    private static let shared = Mutex(Configuration())

    /// The configuration of `Realm()`: a store in memory until the program sets another.
    public static var defaultConfiguration: Configuration {
      get { shared.withLock { $0 } }
      set { shared.withLock { $0 = newValue } }
    }
  }

  /// Opens the file of a configuration, which changes its classes to those of the program if they are older. Errors: those of
  /// opening a store, and of the migration.
  public static func performMigration(
    for configuration: Configuration = .defaultConfiguration
  ) throws { _ = try Realm(configuration: configuration) }

  /// Opens a file. Errors: those of opening a store.
  public init(fileURL: URL) throws {
    try self.init(configuration: Configuration(fileURL: fileURL))
  }
}

extension Realm.Configuration: CustomStringConvertible {
  /// The store, the version of the classes and what else is set.
  public var description: String {
    let place =
      fileURL.map { "fileURL = \($0.path)" } ?? "inMemoryIdentifier = \(inMemoryIdentifier ?? "")"
    let names = objectTypes.map { $0.map { $0.className() }.joined(separator: ", ") }
    let classes = names.map { "[\($0)]" } ?? "nil"
    return "Realm.Configuration { \(place); readOnly = \(readOnly); "
      + "schemaVersion = \(schemaVersion); objectTypes = \(classes) }"
  }
}

/// Returns the version of the program's classes in a file; 0 if it was never given. Errors: those of opening a store;
/// `Realm.Error.invalidDatabase` where there is no file, and `UnsupportedEncryption` with a key.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
  if encryptionKey != nil { throw UnsupportedEncryption() }
  if access(fileURL.path, F_OK) != 0, errno == ENOENT {
    throw HeraldError.notAStore(path: fileURL.path)
  }
  let store = try Store(path: fileURL.path, readOnly: true)
  defer { store.close() }
  return UInt64(store.programSchemaVersion)
}

/// An encryption key that is that of no Realm file.
public struct UnsupportedEncryption: Error, CustomStringConvertible {
  /// A full sentence.
  public let description =
    "an encryption key is given, and there is no Realm file that has one: stores are not encrypted"
}

extension Realm.Configuration {
  /// Returns the session of the store for an executor. Errors: those of opening it.
  func store(on executor: SharedStores.Executor) throws -> Store {
    let store: Store
    if let fileURL {
      try copySeed(to: fileURL.path)
      let path = try converted(fileURL.path)
      store = try SharedStores.store(file: path, readOnly: readOnly, on: executor) { executor in
        try compactIfWanted(path)
        do {
          return try open(path, executor)
        } catch HeraldError.schemaDiffers where deleteRealmIfMigrationNeeded && !readOnly {
          try Realm.deleteFiles(for: self)
          return try open(path, executor)
        }
      }
    } else {
      store = try SharedStores.store(
        memory: inMemoryIdentifier ?? "", on: executor, classes)
    }
    let session = RealmSession.of(store)
    if session.configuration == nil { session.configuration = self }
    return store
  }

  /// The classes that are taken into the store when it is opened.
  private var classes: [ObjectBase.Type] {
    objectTypes ?? (readOnly ? [] : ProgramClasses.compatible)
  }

  private func open(_ path: String, _ executor: SharedStores.Executor) throws -> Store {
    try migrate(path)
    let types = classes
    return switch executor {
    case .current: try Store(path: path, readOnly: readOnly, objectTypes: types)
    case .queue(let queue):
      try Store(path: path, readOnly: readOnly, on: queue, objectTypes: types)
    case .actor(let actor):
      try Store(path: path, readOnly: readOnly, on: actor, objectTypes: types)
    }
  }

  /// Copies the file that a new one begins with.
  private func copySeed(to path: String) throws {
    guard let seedFilePath, access(path, F_OK) != 0, access(storePath(path), F_OK) != 0 else {
      return
    }
    do {
      try FileManager.default.copyItem(atPath: seedFilePath.path, toPath: path)
    } catch {
      throw HeraldError.cannotOpen(path: seedFilePath.path, reason: "\(error)")
    }
  }

  /// The path of the store for a path, which may be that of a Realm file.
  func storePath(_ path: String) -> String {
    guard RealmSource.isLikely(path) else { return path }
    return (path.hasSuffix(".realm") ? String(path.dropLast(6)) : path) + ".hdb"
  }

  /// The store that takes the place of a Realm file: beside it, made of it the first time. The file is never written.
  private func converted(_ path: String) throws -> String {
    guard RealmSource.isLikely(path) else {
      if encryptionKey != nil { throw UnsupportedEncryption() }
      return path
    }
    let store = storePath(path)
    if access(store, F_OK) == 0 { return store }
    guard access(path, F_OK) == 0 else {
      if encryptionKey != nil { throw UnsupportedEncryption() }
      return path
    }
    let source = try RealmSource(path: path, key: encryptionKey.map { Array($0) })
    let losses: [RealmLoss]
    do {
      losses = try DynamicStore.converting(source, to: store).losses
    } catch {
      // Another program has made it meanwhile.
      if access(store, F_OK) == 0 { return store }
      throw error
    }
    for loss in source.lostClasses + losses { fputs("Realm: \(loss.text)\n", stderr) }
    let note = encryptionKey == nil ? "" : ", without encryption"
    fputs("Realm: converted '\(path)' to '\(store)', which takes its place\(note)\n", stderr)
    return store
  }

  /// Changes the classes of an older version to those of the program.
  private func migrate(_ path: String) throws {
    guard schemaVersion > 0, !readOnly else { return }
    if deleteRealmIfMigrationNeeded, access(path, F_OK) == 0,
      try schemaVersionAtURL(URL(fileURLWithPath: path)) != schemaVersion
    {
      try Realm.deleteFiles(for: self)
    }
    let block = migrationBlock
    _ = try Store(
      path: path, objectTypes: block == nil ? classes : try migratedClasses(path),
      schemaVersion: Int(schemaVersion),
      migration: block.map { block in
        { try block(Migration($0), UInt64($0.oldSchemaVersion)) }
      })
  }

  /// The classes that are taken into the store, and those that it has: a migration that left one of these out could not be
  /// made up for.
  private func migratedClasses(_ path: String) throws -> [ObjectBase.Type] {
    guard objectTypes == nil, access(path, F_OK) == 0 else { return classes }
    let taken = Set(classes.map(ObjectIdentifier.init))
    let others = ProgramClasses.all.filter { !taken.contains(ObjectIdentifier($0)) }
    if others.isEmpty { return classes }
    let store = try Store(path: path, readOnly: true)
    defer { store.close() }
    let schema = store.dynamic.schema
    return classes + others.filter { schema.classSchema(named: $0.className()) != nil }
  }
}
