import Glibc
import HeraldEngine
package import HeraldModel
import HeraldRealmFiles

/// A file of the documented system, whose classes and objects a store takes over. The file is never written.
///
/// Classes keep their names and properties, objects their order: their numbers follow from their places. Of a class that
/// cannot be read nothing is taken over, of a value that cannot be read the rest of its object.
package final class RealmSource {
  /// A class of the program, with its place in the file.
  struct Table {
    let index: Int
    let definition: ClassDefinition
    /// The properties that are taken over: those of the definition, by their places in the file.
    let properties: [Int]
  }

  let file: RealmFile
  package let path: String
  let tables: [Table]
  /// What the file was when it was opened.
  private let state: FileState?
  /// What cannot be read of the list of classes.
  package let lostClasses: [RealmLoss]

  /// Opens the file at `path`. Reads the classes, and no object.
  ///
  /// - Parameter key: its 64 bytes, if it is encrypted.
  ///
  /// Errors: `cannotOpen`.
  package init(path: String, key: [UInt8]? = nil) throws(HeraldError) {
    self.path = path
    state = FileState(of: path)
    let file: RealmFile
    do {
      file = try RealmFile(path: path, key: key)
    } catch let error as RealmFileError {
      throw .cannotOpen(path: path, reason: error.text(at: path))
    } catch {
      throw .cannotOpen(path: path, reason: "\(error)")
    }
    self.file = file
    let names = RealmNames(ofClasses: file.classes.map(\.name))
    var losses: [RealmLoss] = []
    var tables: [Table] = []
    for (index, table) in file.classes.enumerated() {
      if let error = table.error {
        losses.append(RealmLoss(error))
      } else {
        tables.append(Table(table, at: index, names, file, &losses))
      }
    }
    self.tables = tables
    lostClasses = losses
  }

  /// Whether a path is taken for that of a file of the documented system: a file that begins as these do, or whose name ends
  /// in `.realm` and which is no store. A path without a file is taken for one if its name ends so.
  package static func isLikely(_ path: String) -> Bool {
    guard let beginning = beginning(of: path) else {
      return path.hasSuffix(".realm") && access(path, F_OK) != 0
    }
    if isBeginning(beginning) { return true }
    return path.hasSuffix(".realm")
      && !beginning[16...].starts(with: [0xDE, 0xC0, 0xEF, 0xBE] as [UInt8])
  }

  /// Whether there is a file of the documented system at a path: it begins as these do, or, as encrypted ones do not, its name
  /// ends in `.realm` and it is no store.
  package static func isPresent(at path: String) -> Bool {
    beginning(of: path) != nil && isLikely(path)
  }

  private static func isBeginning(_ bytes: [UInt8]) -> Bool {
    bytes[16...].starts(with: "T-DB".utf8)
  }

  /// The first bytes of a regular file, with zeros for those that it lacks; nil for all else, which reading could change.
  private static func beginning(of path: String) -> [UInt8]? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 24)
    _ = pread(descriptor, &bytes, bytes.count, 0)
    return bytes
  }

  /// Throws `cannotOpen` if the file is another one, or has been written, since it was opened: what is read of it then need not
  /// fit together.
  func checkUnchanged() throws(HeraldError) {
    if FileState(of: path) != state {
      throw .cannotOpen(path: path, reason: "it has changed since it was opened; open it again")
    }
  }

  /// The classes as they are declared in a store.
  package var definitions: [ClassDefinition] { tables.map(\.definition) }

  /// The version of the schema that programs set; nil without one, or one beyond `Int`.
  var schemaVersion: Int? { file.schemaVersion.flatMap { Int(exactly: $0) } }

  /// Tables and those that their links lead to, in the order of the file.
  func tables(reachedFrom tables: [Table]) -> [Table] {
    var reached = Set(tables.map(\.index))
    var rest = tables
    while let table = rest.popLast() {
      for place in table.properties {
        guard let target = file.tables[table.index].properties[place].targetIndex,
          reached.insert(target).inserted
        else { continue }
        rest += self.tables.filter { $0.index == target }
      }
    }
    return self.tables.filter { reached.contains($0.index) }
  }

  /// Classes and all that are linked with them, in either direction, directly or over others. A value of any type may link to
  /// any class: a file that has such a property is one such group of classes.
  package func linkedClasses(with names: Set<String>) -> Set<String> {
    let properties = tables.map { table in
      table.properties.map { file.tables[table.index].properties[$0] }
    }
    if properties.joined().contains(where: { $0.type == .mixed }) {
      return Set(definitions.map(\.name))
    }
    var neighbours: [Int: [Int]] = [:]
    for (table, properties) in zip(tables, properties) {
      for target in properties.compactMap(\.targetIndex) {
        neighbours[table.index, default: []].append(target)
        neighbours[target, default: []].append(table.index)
      }
    }
    var rest = tables.filter { names.contains($0.definition.name) }.map(\.index)
    var reached = Set(rest)
    while let index = rest.popLast() {
      for neighbour in neighbours[index] ?? [] where reached.insert(neighbour).inserted {
        rest.append(neighbour)
      }
    }
    return Set(tables.filter { reached.contains($0.index) }.map(\.definition.name))
  }

  /// The number of objects of a class, as the file has it; nil without such a class. O(1).
  package func objectCount(of className: String) -> Int? {
    tables.first { $0.definition.name == className }.map { file.tables[$0.index].objectCount }
  }
}

/// Which file there is at a path, and how it was last written.
private struct FileState: Equatable {
  private let numbers: [UInt]

  /// nil if there is none.
  init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    numbers = [
      UInt(status.st_dev), UInt(status.st_ino), UInt(bitPattern: status.st_size),
      UInt(bitPattern: status.st_mtim.tv_sec), UInt(bitPattern: status.st_mtim.tv_nsec),
    ]
  }
}

extension RealmFileError {
  /// What is wrong, without the path, which the message has before it.
  fileprivate func text(at path: String) -> String {
    let whole = description
    return whole.hasPrefix(path + ": ") ? String(whole.dropFirst(path.count + 2)) : whole
  }
}

extension RealmSource.Table {
  init(
    _ table: RealmClass, at index: Int, _ names: RealmNames, _ file: RealmFile,
    _ losses: inout [RealmLoss]
  ) {
    self.index = index
    let ownNames = RealmNames(ofProperties: table.properties.map(\.name))
    var places: [Int] = []
    var properties: [ClassDefinition.Property] = []
    for (place, property) in table.properties.enumerated() where !property.isLibraryProperty {
      func lose(_ reason: String) {
        losses.append(RealmLoss(table.name, "\(table.name).\(property.name): \(reason)"))
      }
      if let target = property.targetIndex.map({ file.tables[$0] }),
        target.isLibraryTable || target.error != nil
      {
        lose("the class '\(target.name)', which it leads to, cannot be read")
        continue
      }
      guard let element = property.element(property.targetIndex.map { names[$0] }) else {
        lose("its type is not known")
        continue
      }
      places.append(place)
      properties.append(property.definition(element, named: ownNames[place]))
    }
    self.properties = places
    definition = ClassDefinition(
      name: names[index], isEmbedded: table.isEmbedded, properties: properties)
  }
}

extension RealmProperty {
  /// The type of the values in a store; nil for one that is not known.
  fileprivate func element(_ target: String?) -> ValueType<String>? {
    switch type {
    case .int: .int
    case .bool: .bool
    case .string: .string
    case .data: .data
    case .mixed: .any
    case .timestamp: .date
    case .float: .float
    case .double: .double
    case .decimal: .decimal
    case .link: target.map { .link($0) }
    case .objectID: .objectID
    case .uuid: .uuid
    case .unknown: nil
    }
  }

  fileprivate func definition(
    _ element: ValueType<String>, named name: String
  ) -> ClassDefinition.Property {
    let shape: PropertyShape =
      switch collection {
      case .none: .single
      case .list: .list
      case .set: .set
      case .dictionary: .map
      }
    var isOptional = isOptional
    var (canBeKey, canBeIndexed) = (false, shape == .single)
    switch element {
    case .link:
      isOptional = shape == .single || shape == .map
      canBeIndexed = false
    case .any: isOptional = true
    case .int, .string, .uuid, .objectID: canBeKey = shape == .single
    case _: break
    }
    let isPrimaryKey = isPrimaryKey && canBeKey
    return ClassDefinition.Property(
      name: name, element: element, shape: shape, isOptional: isOptional && !isPrimaryKey,
      isPrimaryKey: isPrimaryKey, isIndexed: isIndexed && !isPrimaryKey && canBeIndexed)
  }
}
