import Herald
import Testing

private enum Grade: Int, PersistableEnum {
  case low = 1
  case high
}

private final class Tag: EmbeddedObject {
  @Persisted var color = "red"
  @Persisted var number = 0
}

private struct Patch: CustomPersistable, Equatable {
  let number: Int

  init(_ number: Int) { self.number = number }

  init(persistedValue: Tag) { number = persistedValue.number }

  var persistableValue: Tag {
    let tag = Tag()
    tag.number = number
    return tag
  }
}

private final class CatKeeper: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var cats: List<Cat>
}

private final class Cat: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var age: Int?
  @Persisted var weight: Double?
  @Persisted var length = 0.0
  @Persisted var grade: Grade?
  @Persisted var notes: List<Int?>
  @Persisted var keeper: CatKeeper?
  @Persisted var tag: Tag?
  @Persisted var patch: Patch
}

/// What `create` takes and leaves of values by name, and edits whose values are the edited collection's own.
@Suite struct GivenValueTests {
  @Test(arguments: ["weight", "grade", "keeper", "tag", "notes", "age"])
  func `a value of another type of an optional property is an error`(name: String) throws {
    let store = try Store()
    let wrong: Any = name == "notes" ? ["x", 1] : name == "grade" ? 7 : "x"
    #expect {
      try store.write { store.create(Cat.self, value: ["id": 1, name: wrong]) }
    } throws: { "\($0)".contains("'\(name)'") }
    #expect(store.objects(Cat.self).isEmpty)
  }

  @Test func `a float is a value of a double, and nil one of what may be nil`() throws {
    let store = try Store()
    let nothing: Int? = nil
    let values: [String: Any] = [
      "id": 1, "weight": Float(1.5), "length": Float(0.25), "age": nothing as Any, "grade": 2,
      "notes": [1, nothing as Any],
    ]
    let cat = try store.write { store.create(Cat.self, value: values) }
    #expect(cat.weight == 1.5 && cat.length == 0.25 && cat.age == nil && cat.grade == .high)
    #expect(Array(cat.notes) == [1, nil])
  }

  @Test(arguments: [UpdatePolicy.modified, .all])
  func `nested values leave what they do not name`(policy: UpdatePolicy) throws {
    let store = try Store()
    let cat = try store.write {
      store.create(
        Cat.self,
        value: [
          "id": 1, "name": "Tom", "age": 3, "keeper": ["id": 5, "name": "Ann"],
          "tag": ["color": "blue", "number": 1],
        ])
    }
    try store.write {
      store.create(Cat.self, value: ["id": 1, "keeper": ["id": 5]], update: policy)
      store.create(
        CatKeeper.self, value: ["id": 7, "cats": [["id": 1, "age": 4]]], update: policy)
    }
    #expect(cat.name == "Tom" && cat.age == 4)
    #expect(
      cat.keeper?.name == "Ann"
        && store.object(ofType: CatKeeper.self, forPrimaryKey: 7)?.name == "")
    #expect(store.object(ofType: CatKeeper.self, forPrimaryKey: 7)?.cats.first == cat)
    try store.write {
      store.dynamic.create("Cat", value: ["id": 1, "keeper": ["id": 5]], update: policy)
    }
    #expect(cat.keeper?.name == "Ann" && cat.name == "Tom")
    try store.write {
      store.create(Cat.self, value: ["id": 1, "tag": ["number": 4]], update: policy)
    }
    #expect(cat.tag?.number == 4)
    #expect(cat.tag?.color == (policy == .modified ? "blue" : "red"))
  }

  @Test func `a list and a set take their own elements`() throws {
    let store = try Store()
    let list = List([1, 2, 3])
    list.append(contentsOf: list)
    list.insert(contentsOf: list.lazy.map { $0 * 10 }, at: 0)
    #expect(Array(list) == [10, 20, 30, 10, 20, 30, 1, 2, 3, 1, 2, 3])
    list.replaceSubrange(0..<11, with: list)
    #expect(list.count == 13 && list[0] == 10 && list[12] == 3)
    let cat = try store.write {
      let cat = store.create(Cat.self, value: ["id": 1, "notes": [1, 2, 3]])
      cat.notes.append(contentsOf: cat.notes.lazy.map { ($0 ?? 0) * 2 })
      cat.notes.replaceSubrange(0..<3, with: cat.notes)
      return cat
    }
    #expect(Array(cat.notes) == [1, 2, 3, 2, 4, 6, 2, 4, 6])
    let set = MutableSet<Int>()
    set.insert(objectsIn: [1, 2])
    set.insert(objectsIn: set.lazy.map { $0 + 1 })
    #expect(set.sorted() == [1, 2, 3])
  }

  @Test func `a value made of an embedded object that was replaced is nil`() throws {
    let store = try Store()
    let cat = try store.write { store.create(Cat.self, value: ["id": 1]) }
    var changes: [ObjectChange<Cat>] = []
    var patches: [(old: Patch?, new: Patch?)] = []
    let token = cat.observe { (change: ObjectChange<Cat>) in changes.append(change) }
    let other = cat.observe(\.patch) { change in
      patches.append((change.oldValue, change.newValue))
    }
    store.refresh()
    try store.write { cat.patch = Patch(5) }
    store.refresh()
    #expect(patches.last?.new == Patch(5) && patches.last?.old == nil)
    guard case .change(_, let properties)? = changes.last else {
      Issue.record("\(changes)")
      return
    }
    #expect(properties.map(\.name) == ["patch"])
    #expect(properties.first?.newValue as? Patch == Patch(5))
    #expect(properties.first?.oldValue == nil)
    withExtendedLifetime((token, other)) {}
  }
}
