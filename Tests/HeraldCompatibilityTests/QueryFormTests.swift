import Foundation
import HeraldCompatibility
import Testing

private final class Box: Object {
  @Persisted var name = ""
  @Persisted var boxes: List<Box>
  @Persisted var sets: MutableSet<Box>
  @Persisted var numbers: List<Int>
  @Persisted var counts: Map<String, Int>
  @Persisted var mark = ""
  @Persisted var size = 0

  convenience init(_ name: String, _ boxes: [Box] = [], _ numbers: [Int] = []) {
    self.init()
    self.name = name
    self.boxes.append(objectsIn: boxes)
    self.sets.insert(objectsIn: boxes)
    self.numbers.append(objectsIn: numbers)
  }

  override class func makeObjectTable() throws -> ObjectTable {
    try ObjectTable(
      of: self,
      [
        DeclaredProperty("name", \Box.name), DeclaredProperty("boxes", \Box.boxes),
        DeclaredProperty("sets", \Box.sets), DeclaredProperty("numbers", \Box.numbers),
        DeclaredProperty("counts", \Box.counts), DeclaredProperty("柱колоéнǢ👍", \Box.mark),
        DeclaredProperty("größe", \Box.size),
      ])
  }
}

private final class BoxNames: Projection<Box> {
  @Projected(\Box.boxes.projectTo.name) var names: ProjectedCollection<String>
  @Projected(\Box.sets.projectTo.name) var setNames: ProjectedCollection<String>
}

@Suite(.serialized) @MainActor struct QueryFormTests {
  private let realm: Realm
  private let root: Box

  init() throws {
    realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "boxes"))
    let leaf = { Box($0) }
    root = Box(
      "root",
      [
        Box("two", [leaf("a"), leaf("b")], [3, 4]), Box("one", [leaf("c")], [1]),
        Box("double", [leaf("d"), leaf("e")], [9]),
      ])
    root.counts["k"] = 3
    (root.size, root.mark) = (5, "値👍")
    try realm.write {
      realm.deleteAll()
      realm.add(root)
    }
  }

  @Test func `a subquery counts the elements of its objects' collections`() throws {
    let boxes = realm.objects(Box.self)
    func names(_ isIncluded: (Query<Box>) -> Query<Bool>) -> [String] {
      boxes.where(isIncluded).map(\.name)
    }
    #expect(names { ($0.boxes.boxes.count == 2).count == 2 } == ["root"])
    #expect(names { ($0.boxes.boxes.count > 1).count > 2 } == [])
    #expect(names { ($0.boxes.boxes.count == 1 && $0.boxes.name == "one").count == 1 } == ["root"])
    #expect(names { ($0.sets.boxes.count == 2).count == 2 } == ["root"])
    #expect(names { ($0.boxes.numbers.count >= 1).count == 3 } == ["root"])
    #expect(names { ($0.boxes.numbers.sum > 6).count == 2 } == ["root"])
    #expect(names { ($0.boxes.numbers.max == 1).count == 1 } == ["root"])
    let text = "SUBQUERY(boxes, $box, $box.boxes.@count == 2).@count == 2"
    #expect(boxes.filter(text).map(\.name) == ["root"])
    #expect(names { $0.boxes.count == 3 } == ["root"])
  }

  @Test func `names outside of ASCII stand for properties`() throws {
    let boxes = realm.objects(Box.self)
    #expect(boxes.filter("%K == %@", "柱колоéнǢ👍", "値👍").count == 1)
    #expect(boxes.filter("%K > 4 AND größe < 6", "größe").count == 1)
    #expect(boxes.filter("柱колоéнǢ👍 BEGINSWITH '値'").count == 1)
    #expect(boxes.where { $0.mark == "値👍" && $0.size == 5 }.first == root)
    #expect(boxes.sorted(byKeyPath: "柱колоéнǢ👍", ascending: false).first == root)
  }

  @Test func `the keys and the values of a map have the documented names`() throws {
    let boxes = realm.objects(Box.self)
    #expect(boxes.filter("ANY counts.@allKeys == 'k'").count == 1)
    #expect(boxes.filter("counts.@allValues == 3").count == 1)
    #expect(boxes.filter("counts.@allKeys == 'x' OR counts.@allValues > 3").isEmpty)
  }

  @Test func `a projected collection is observed by key paths of its objects`() throws {
    let projection = BoxNames(projecting: root)
    var calls: [String] = []
    let note = { (name: String) in
      { (change: CollectionChange<ProjectedCollection<String>>) in
        switch change {
        case .initial: break
        case .update(_, _, _, let modifications): calls.append("\(name) \(modifications)")
        case .error(let error): calls.append("\(error)")
        }
      }
    }
    let tokens = [
      projection.names.observe(keyPaths: ["name"], note("name")),
      projection.names.observe(keyPaths: ["größe"], note("size")),
      projection.names.observe(keyPaths: ["boxes.name"], note("inner")),
      projection.names.observe(keyPaths: [], note("none")),
      projection.names.observe(note("all")),
      projection.names.observe(keyPaths: ["nam"], note("wrong")),
    ]
    realm.refresh()
    #expect(calls == ["class 'Box' has no property 'nam'; did you mean 'name'?"])
    calls = []
    try realm.write { root.boxes[0].size = 1 }
    realm.refresh()
    try realm.write { root.boxes[0].boxes[0].name = "x" }
    realm.refresh()
    try realm.write { root.boxes[1].name = "y" }
    realm.refresh()
    #expect(calls == ["size [0]", "inner [0]", "name [1]", "all [1]"])
    for token in tokens { token.invalidate() }
  }
}
