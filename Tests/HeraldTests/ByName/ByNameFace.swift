import FoundationEssentials
import Herald
import TestSupport

// A store of toys, pets and their owners, of which everything but the types is done by name: by the classes of the
// program, and by the names of classes.

class NamedToy: EmbeddedObject {
  @Persisted var label = "ball"
  @Persisted var size: Int?
}

class NamedPet: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = "new"
  @Persisted(indexed: true) var age: Int?
  @Persisted var weight = 1.5
  @Persisted var isGood: Bool?
  @Persisted var born: Date?
  @Persisted var price: Decimal128
  @Persisted var data: Data?
  @Persisted var tags: MutableSet<String>
  @Persisted var marks: List<Int?>
  @Persisted var extra: AnyValue
  @Persisted var friend: NamedPet?
  @Persisted var toy: NamedToy?
  @Persisted var toys: List<NamedToy>
  @Persisted(originProperty: "pets") var owners: LinkingObjects<NamedOwner>
}

class NamedOwner: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var pets: List<NamedPet>
  @Persisted var scores: Map<String, Int>
  @Persisted var places: Map<String, NamedPet?>
}

/// One way to a store; `Pet` and `Owner` are the types of its objects.
struct ByNameFace<Pet: Object, Owner: Object> {
  let store: Store
  let pets: Results<Pet>
  let owners: Results<Owner>
  let find: (Int) -> Pet?
  let create: (String, [String: Any], UpdatePolicy) -> Object
}

let namedTypes: [ObjectBase.Type] = [NamedPet.self, NamedOwner.self, NamedToy.self]

extension ByNameFace where Pet == NamedPet, Owner == NamedOwner {
  init() throws {
    let store = try Store(objectTypes: namedTypes)
    self.init(
      store: store, pets: store.objects(NamedPet.self), owners: store.objects(NamedOwner.self)
    ) {
      store.object(ofType: NamedPet.self, forPrimaryKey: $0)
    } create: { className, values, update in
      className == "NamedPet"
        ? store.create(NamedPet.self, value: values, update: update)
        : store.create(NamedOwner.self, value: values, update: update)
    }
  }
}

extension ByNameFace where Pet == DynamicObject, Owner == DynamicObject {
  init() throws {
    let store = try Store(objectTypes: namedTypes)
    self.init(
      store: store, pets: store.dynamic.objects("NamedPet"),
      owners: store.dynamic.objects("NamedOwner")
    ) {
      store.dynamic.object("NamedPet", forKey: $0)
    } create: {
      store.dynamic.create($0, value: $1, update: $2)
    }
  }
}

/// A value in words that do not depend on the type by which it was read.
func namedText(_ value: Any?) -> String {
  switch value {
  case nil: return "nil"
  case let object as ObjectBase where object.isInvalidated: return "deleted"
  case let toy as ObjectBase where toy.description.hasPrefix("NamedToy"):
    return "toy(\(namedText(toy["label"])), \(namedText(toy["size"])))"
  case let object as ObjectBase: return "#\(namedText(object["id"]))"
  case let collection as any StoredCollection:
    return "[" + texts(collection).joined(separator: ", ") + "]"
  case let map as Map<String, Int>:
    return "[" + map.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "]"
  case let map as Map<String, NamedPet?>:
    return "[" + map.map { "\($0.key): \(namedText($0.value))" }.joined(separator: ", ") + "]"
  case let map as Map<String, DynamicObject?>:
    return "[" + map.map { "\($0.key): \(namedText($0.value))" }.joined(separator: ", ") + "]"
  case AnyValue.object(let object)?: return namedText(object)
  case let optional as Int?: return optional.map(String.init) ?? "nil"
  case let value?: return "\(type(of: value)) \(value)"
  }
}

private func texts(_ collection: some StoredCollection) -> [String] {
  collection.map { namedText($0) }
}

/// Every property of a pet that has a value of its own, and its owners.
let namedProperties = [
  "id", "name", "age", "weight", "isGood", "born", "price", "data", "tags", "marks", "extra",
  "friend", "toy", "toys", "owners",
]
