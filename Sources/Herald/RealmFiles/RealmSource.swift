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
  /// What cannot be read of the list of classes.
  let lostClasses: [RealmLoss]

  /// Opens the file at `path`. Reads the classes, and no object.
  ///
  /// - Parameter key: its 64 bytes, if it is encrypted.
  ///
  /// Errors: `cannotOpen`.
  package init(path: String, key: [UInt8]? = nil) throws(HeraldError) {
    self.path = path
    let file: RealmFile
    do {
      file = try RealmFile(path: path, key: key)
    } catch let error as RealmFileError {
      throw .cannotOpen(path: path, reason: error.text(at: path))
    } catch {
      throw .cannotOpen(path: path, reason: "\(error)")
    }
    self.file = file
    var names = RealmNames()
    for table in file.classes { names.add(table.name) }
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

  /// Whether a path is taken for that of a file of the documented system: the file begins as these do, or its name ends in
  /// `.realm` and it is no store.
  package static func isLikely(_ path: String) -> Bool {
    var beginning = [UInt8](repeating: 0, count: 24)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    let count = descriptor < 0 ? 0 : read(descriptor, &beginning, beginning.count)
    if descriptor >= 0 { close(descriptor) }
    if count == beginning.count, beginning[16..<20].elementsEqual("T-DB".utf8) { return true }
    let isStore = beginning[16..<20].elementsEqual([0xDE, 0xC0, 0xEF, 0xBE])
    return path.hasSuffix(".realm") && !isStore
  }

  /// The classes as they are declared in a store.
  package var definitions: [ClassDefinition] { tables.map(\.definition) }

  /// The number of objects of a class, as the file has it; nil without such a class. O(1).
  package func objectCount(of className: String) -> Int? {
    tables.first { $0.definition.name == className }.map { file.tables[$0.index].objectCount }
  }
}

/// What could not be read of a file of the documented system.
package struct RealmLoss: Equatable, Sendable {
  /// The class; nil for what concerns the whole file.
  package let className: String?
  /// A sentence with class, property and object, if these are known.
  package let text: String

  init(_ error: any Error) {
    let known = error as? RealmFileError
    className = known?.className
    text = known?.description ?? "\(error)"
  }

  init(_ className: String, _ text: String) {
    self.className = className
    self.text = text
  }
}

extension RealmFileError {
  /// What is wrong, without the path, which the message has before it.
  fileprivate func text(at path: String) -> String {
    let whole = description
    return whole.hasPrefix(path + ": ") ? String(whole.dropFirst(path.count + 2)) : whole
  }
}

/// The names that classes, or the properties of one, get in a store: letters, digits and underscores, as the language has
/// them, and none of its words.
struct RealmNames {
  private var names: [String: String] = [:]
  private var taken: Set<String> = []

  mutating func add(_ name: String) {
    var new = String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    if new.first.map({ $0.isNumber }) ?? true { new = "_" + new }
    while Schema.reservedNames.contains(new) || taken.contains(new) { new += "_" }
    taken.insert(new)
    names[name] = new
  }

  subscript(_ name: String) -> String { names[name] ?? name }
}

extension RealmSource.Table {
  init(
    _ table: RealmClass, at index: Int, _ names: RealmNames, _ file: RealmFile,
    _ losses: inout [RealmLoss]
  ) {
    self.index = index
    var ownNames = RealmNames()
    for property in table.properties { ownNames.add(property.name) }
    var places: [Int] = []
    var properties: [ClassDefinition.Property] = []
    for (place, property) in table.properties.enumerated() where !property.isLibraryProperty {
      let target = property.targetIndex.map { file.tables[$0].name }
      guard let element = property.element(target.map { names[$0] }) else {
        losses.append(
          RealmLoss(table.name, "\(table.name).\(property.name): its type is not known"))
        continue
      }
      places.append(place)
      properties.append(property.definition(element, named: ownNames[property.name]))
    }
    self.properties = places
    definition = ClassDefinition(
      name: names[table.name], isEmbedded: table.isEmbedded, properties: properties)
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
    switch element {
    case .link: isOptional = shape == .single || shape == .map
    case .any: isOptional = true
    case _: break
    }
    return ClassDefinition.Property(
      name: name, element: element, shape: shape, isOptional: isOptional && !isPrimaryKey,
      isPrimaryKey: isPrimaryKey, isIndexed: isIndexed && !isPrimaryKey && shape == .single)
  }
}
