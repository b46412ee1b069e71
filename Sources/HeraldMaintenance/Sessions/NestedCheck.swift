import HeraldEngine
import HeraldModel
import HeraldQuery

/// Finds references to nested collections that lead nowhere, or to one that has another owner, and nested
/// collections that no value refers to.
struct NestedCheck {
  private let reader: TransactionReader
  private let isInterrupted: () -> Bool
  private var owned: Set<ObjectID> = []
  private var problems: [String] = []

  /// Checks the store at `reader`'s version; returns the problems found so far if it is interrupted. O(values of
  /// type `any`).
  static func problems(
    _ reader: TransactionReader, isInterrupted: @escaping () -> Bool
  ) -> [String] {
    var check = NestedCheck(reader.stored, isInterrupted)
    for classSchema in reader.schema.classes { check.visit(classSchema) }
    if !isInterrupted() { check.findOrphans() }
    return check.problems
  }

  private init(_ reader: TransactionReader, _ isInterrupted: @escaping () -> Bool) {
    self.reader = reader
    self.isInterrupted = isInterrupted
  }

  private mutating func visit(_ classSchema: ClassSchema) {
    let properties = classSchema.properties.filter { $0.type.element == .any }
    if properties.isEmpty { return }
    for object in reader.objects(of: classSchema.id) where !isInterrupted() {
      for property in properties {
        let owner = "\(classSchema.name)#\(object.number).\(property.name)"
        switch property.type.shape {
        case .single: visit(reader.value(property.id, of: object), in: owner, depth: 0)
        case .list, .map:
          for value in reader.elements(of: property, object) { visit(value, in: owner, depth: 0) }
        case .set, .backlinks: break
        }
      }
    }
  }

  private mutating func visit(_ value: Value, in owner: String, depth: Int) {
    guard let collection = value.nestedCollection else { return }
    guard reader.exists(collection) else {
      problems.append("\(owner) contains \(collection.nestedName), which does not exist")
      return
    }
    guard owned.insert(collection).inserted else {
      problems.append("\(owner) contains \(collection.nestedName), which has another owner")
      return
    }
    guard depth < nestingLimit else {
      problems.append("\(owner) contains lists or maps nested too deeply")
      return
    }
    let (elements, keys) = reader.nestedContents(collection)
    if collection.classID == .nestedMaps, Set(keys.map { MapKey($0) }).count != elements.count {
      problems.append("\(collection.nestedName) in \(owner) has two values for a key")
    }
    for element in elements { visit(element, in: owner, depth: depth + 1) }
  }

  private mutating func findOrphans() {
    for classID in [ClassID.nestedLists, .nestedMaps] {
      for object in reader.objects(of: classID) where !owned.contains(object) {
        problems.append("\(object.nestedName) belongs to no value")
      }
    }
  }
}

extension ObjectID {
  fileprivate var nestedName: String {
    classID == .nestedMaps ? "nested map \(number)" : "nested list \(number)"
  }
}
