import Herald
import Testing

private final class Wagon: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var weight: Float = 0
  @Persisted var next: Wagon?
  @Persisted var brake: Brake?
  @Persisted var loads: List<String>
  @Persisted var marks: MutableSet<Int>
  @Persisted var axles: Map<String, Int>
  @Persisted var extra: AnyValue
  @Persisted(originProperty: "next") var before: LinkingObjects<Wagon>
}

private final class Brake: EmbeddedObject { @Persisted var kind = "air" }

private final class Tram: Object {
  @Persisted var name = ""
  @Persisted var line = 5
}

@Suite(.serialized) @MainActor struct ObjectCopyTests {
  private func train() throws -> (Store, Wagon) {
    let store = try Store()
    let wagon = Wagon()
    wagon.id = 1
    wagon.name = "Coal"
    wagon.brake = Brake()
    wagon.loads.append(objectsIn: ["a", "b"])
    wagon.marks.insert(3)
    wagon.axles["front"] = 2
    wagon.extra = .list([1, "one", 2.5, true])
    try store.write {
      store.add(wagon)
      wagon.next = store.create(Wagon.self, value: ["id": 2, "name": "Sand"])
    }
    return (store, wagon)
  }

  @Test func `an object is created from one of another store, with what it links to`() throws {
    let (store, wagon) = try train()
    try store.write { wagon.next?.next = wagon }
    let other = try Store()
    let copy = try other.write { other.create(Wagon.self, value: wagon.freeze()) }
    #expect(copy != wagon && copy.name == "Coal" && copy.brake?.kind == "air")
    #expect(Array(copy.loads) == ["a", "b"] && copy.marks.contains(3) && copy.axles["front"] == 2)
    #expect(copy.extra == wagon.extra && copy.next?.name == "Sand" && copy.next?.next == copy)
    #expect(other.objects(Wagon.self).count == 2 && copy.before.count == 1)
    #expect(throws: HeraldError.self) {
      try other.write { _ = other.create(Wagon.self, value: wagon) }
    }
    try store.write { wagon.name = "Ore" }
    try other.write { other.create(Wagon.self, value: wagon, update: .modified) }
    #expect(copy.name == "Ore" && other.objects(Wagon.self).count == 2)
  }

  @Test func `an object is created from one of another class, by the names that both have`() throws
  {
    let (store, wagon) = try train()
    let tram = try store.write { store.create(Tram.self, value: wagon) }
    #expect(tram.name == "Coal" && tram.line == 5)
    try store.write { store.delete(wagon) }
    #expect(throws: HeraldError.self) {
      try store.write { _ = store.create(Tram.self, value: wagon) }
    }
  }

  @Test func `the embedded objects and collections of an object stay its own`() throws {
    let (store, wagon) = try train()
    let copy = Wagon()
    copy.id = 3
    try store.write {
      store.add(copy)
      store.create(Wagon.self, value: ["id": 4])
      let values = Tram()
      values.name = "Coal"
      _ = store.create(Tram.self, value: values)
    }
    let unmanaged = Wagon()
    unmanaged.id = 5
    unmanaged.loads.append("c")
    unmanaged.brake = Brake()
    unmanaged.next = wagon
    let made = try store.write { store.create(Wagon.self, value: unmanaged) }
    unmanaged.loads.append("d")
    #expect(made.loads.count == 1 && unmanaged.store == nil && unmanaged.brake?.store == nil)
    #expect(made.next == wagon)
  }

  @Test func `a number beyond a float is no value of it`() throws {
    let (store, _) = try train()
    for value in [1e300, -1e39] {
      #expect(throws: HeraldError.self) {
        try store.write { _ = store.create(Wagon.self, value: ["id": 9, "weight": value]) }
      }
    }
    let wagon = try store.write {
      store.create(Wagon.self, value: ["id": 9, "weight": Double.infinity])
    }
    #expect(wagon.weight == .infinity)
  }

  @Test func `literals are values of any type`() throws {
    let (store, wagon) = try train()
    try store.write { wagon.extra = 5 }
    #expect(wagon.extra == .int(5) && store.objects(Wagon.self).where { $0.extra == 5 }.count == 1)
    try store.write { wagon.extra = "\(wagon.id) x" }
    #expect(wagon.extra == "1 x")
  }
}
