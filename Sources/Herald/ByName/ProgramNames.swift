import HeraldEngine
import HeraldModel
import HeraldQuery

/// The names of properties in the program, of a query without variables and objects.
struct ProgramNames: QueryNames {
  private let core: StoreCore

  init(_ core: StoreCore) { self.core = core }

  func variable(_ name: String) -> QueryOperand? { nil }
  var variableNames: [String] { [] }
  func object(_ className: String, key: Value) throws -> ObjectID? { nil }

  func propertyName(_ name: String, of className: String) -> String? {
    core.propertyName(name, of: className)
  }
}

extension Store {
  /// The class of the program with a name in stores, if it has been used with this one; nil otherwise.
  package func programType(named name: String) -> ObjectBase.Type? { core.knownType(named: name) }
}

extension StoreCore {
  /// Returns the name in the store of a property by its name in a class of the program that has been used with the store;
  /// nil where both are the same, and for an unknown name.
  func propertyName(_ name: String, of className: String) -> String? {
    guard let type = knownType(named: className), let table = try? ObjectTable.of(type),
      table.hasOtherNames
    else { return nil }
    return table.properties.first { $0.label == name }?.name
  }

  /// Returns a dotted path from a class in the names of the store.
  func storedPath(_ path: String, from classID: ClassID) -> String {
    guard var owner = session.schema.classSchema(classID) else { return path }
    var steps = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    for (index, step) in steps.enumerated() {
      var property = owner.property(named: step)
      if property == nil, let name = propertyName(step, of: owner.name) {
        steps[index] = name
        property = owner.property(named: name)
      }
      guard let next = property?.type.linkedClass.flatMap({ session.schema.classSchema($0) }) else {
        break
      }
      owner = next
    }
    return steps.joined(separator: ".")
  }
}
