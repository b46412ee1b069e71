import Foundation
import HeraldCompatibility
import Testing

private final class Toy: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var name: String
  @Persisted var price: Int
  @Persisted var weight: Double?
  @Persisted var shelf: Shelf?
  @Persisted(originProperty: "toys") var boxes: LinkingObjects<Box>

  convenience init(_ name: String, _ price: Int) {
    self.init()
    (self.name, self.price) = (name, price)
  }
}

private final class Shelf: EmbeddedObject { @Persisted var number: Int }

private final class Box: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var toys: List<Toy>
  @Persisted var numbers: List<Int>
  @Persisted var words: MutableSet<String>
  @Persisted var counts: Map<String, Int>
  @Persisted var best: Map<String, Toy?>
}

private struct Parcel: Codable {
  var numbers: List<Int>
  var words: MutableSet<String>
  var counts: Map<String, Double?>
  var level: RealmProperty<Int?>
}

private final class Label: Object, Decodable {
  @Persisted var text: String
  @Persisted var size: Int?
  @Persisted var tags: List<String>
}

/// Collections by Realm's names.
@Suite(.serialized) struct CollectionNamesTests {
  let realm: Realm
  private let box: Box

  init() throws {
    realm = try Realm(configuration: .init(inMemoryIdentifier: "collections"))
    box = Box(value: ["id": 1, "numbers": [5, 3, 9, 3], "counts": ["a": 4, "b": 1]])
    let box = box
    let realm = realm
    try realm.write {
      realm.deleteAll()
      realm.add(box)
      box.toys.append(objectsIn: [Toy("ball", 3), Toy("kite", 9), Toy("top", 1)])
      box.words.insert(objectsIn: ["x", "y"])
      box.best["old"] = box.toys[1]
      box.best["new"] = box.toys[2]
    }
  }

  @Test func `values by keys, over links, and aggregates of them`() throws {
    let toys = box.toys
    #expect(toys.value(forKey: "name") as? [String] == ["ball", "kite", "top"])
    #expect(toys.value(forKeyPath: "@sum.price") as? Int == 13)
    #expect(toys.value(forKeyPath: "@min.price") as? Int == 1)
    #expect(toys.value(forKeyPath: "@max.price") as? Int == 9)
    #expect(toys.value(forKeyPath: "@count") as? Int == 3)
    #expect(box.numbers.value(forKeyPath: "@avg.self") as? Double == 5)
    #expect(box.numbers.value(forKey: "self") as? [Int] == [5, 3, 9, 3])
    try realm.write {
      toys.setValue(2.5, forKey: "weight")
      toys[0].shelf = Shelf(value: ["number": 7])
      box.counts.setValue(8, forKey: "c")
    }
    #expect(realm.objects(Toy.self).value(forKey: "weight") as? [Double] == [2.5, 2.5, 2.5])
    #expect((toys.value(forKeyPath: "shelf.number") as? [Any])?.first as? Int == 7)
    #expect(box.counts.value(forKey: "c") as? Int == 8 && box.counts.value(forKey: "none") == nil)
    #expect(realm.objects(Toy.self).filter("price > 100").value(forKeyPath: "@max.price") == nil)
  }

  @Test func `collections are equal if they are the same`() throws {
    let other = try #require(realm.object(ofType: Box.self, forPrimaryKey: 1))
    #expect(box.toys == other.toys && box.words == other.words && box.counts == other.counts)
    #expect(box.toys != List(Array(box.toys)) && List(Array(box.toys)) != box.toys)
    let results = realm.objects(Toy.self)
    #expect(results == results && results != realm.objects(Toy.self))
    #expect(box.toys[0].boxes == other.toys[0].boxes && box.toys[0].boxes != box.toys[1].boxes)
  }

  @Test func `collections of no store are equal if their elements are`() {
    let (ball, kite) = (Toy("ball", 3), Toy("kite", 9))
    #expect(List<Int>() == List<Int>() && List([1, 2]) == List([1, 2]))
    #expect(List([1, 2]) != List([2, 1]) && List([1]) != List([1, 1]))
    #expect(List<Int?>([1, nil]) == List<Int?>([1, nil]) && List<Int?>([nil]) != List<Int?>([0]))
    #expect(List([ball, kite]) == List([ball, kite]) && List([ball]) != List([Toy("ball", 3)]))
    #expect(List(Array(box.toys)) == List(Array(box.toys)))
    let (words, same) = (MutableSet<String>(), MutableSet<String>())
    words.insert(objectsIn: ["a", "b"])
    same.insert(objectsIn: ["b", "a"])
    #expect(words == same && words != MutableSet<String>())
    let map: Map<String, Int?> = ["a": 1, "b": nil]
    #expect(map == ["b": nil, "a": 1] && map != ["a": 1, "c": nil] && map != ["a": 1, "b": 0])
  }

  @Test func `lists are edited at several indices`() throws {
    try realm.write { box.numbers.remove(atOffsets: IndexSet([0, 2])) }
    #expect(Array(box.numbers) == [3, 3])
    for seed in 1...30 {
      var generator = SeededGenerator(state: UInt64(seed))
      var model = Array(0..<Int.random(in: 1...8, using: &generator))
      let list = List(model)
      let offsets = IndexSet(model.indices.filter { _ in Bool.random(using: &generator) })
      let destination = Int.random(in: 0...model.count, using: &generator)
      list.move(fromOffsets: offsets, toOffset: destination)
      let moved = offsets.map { model[$0] }
      let before = destination - offsets.count { $0 < destination }
      for index in offsets.reversed() { model.remove(at: index) }
      model.insert(contentsOf: moved, at: before)
      #expect(Array(list) == model, "seed \(seed): \(Array(offsets)) to \(destination)")
    }
    #expect(box.toys.objects(at: IndexSet([2, 0])).map(\.name) == ["ball", "top"])
  }

  @Test func `maps have aggregates and an order`() throws {
    #expect(box.counts.sum() == 5 && box.counts.min() == 1 && box.counts.max() == 4)
    #expect(box.counts.average() == 2.5 && box.counts.sorted(ascending: false) == [4, 1])
    #expect(box.best.sum(of: \.price) == 10 && box.best.max(of: \.price) == 9)
    #expect(box.best.min(ofProperty: "price") == 1 && box.best.average(of: \.price) == 5)
    #expect(box.best.sorted(by: \.name).map { $0?.name } == ["kite", "top"])
    #expect(box.counts.contains { key, value in key == "b" && value == 1 })
    #expect(box.best.where { $0.price > 5 }.map { $0?.name } == ["kite"])
    #expect(box.best.filter("price < %@", 5).map { $0?.name } == ["top"])
    #expect(box.best.sorted(byKeyPath: "price").map { $0?.name } == ["top", "kite"])
    #expect(box.best.sorted(by: [.init(keyPath: "name")]).map { $0?.name } == ["kite", "top"])
    try realm.write { box.best["none"] = .some(nil) }
    #expect(box.best.filter("price > 0").count == 2 && box.best.sum(of: \.price) == 10)
    let empty = Map<String, Int>()
    #expect(empty.sum() == 0 && empty.min() == nil && empty.average() == nil)
  }

  @Test func `conditions on the elements of a collection`() throws {
    let boxes = realm.objects(Box.self)
    #expect(boxes.where { $0.numbers.containsAny(in: [4, 9]) }.count == 1)
    #expect(boxes.where { $0.numbers.containsAny(in: [4, 8]) }.isEmpty)
    #expect(boxes.where { $0.numbers.containsAny(in: []) }.isEmpty)
    #expect(boxes.where { !$0.words.containsAny(in: ["z"]) }.count == 1)
    #expect(boxes.where { $0.counts.containsAny(in: [1, 2]) }.count == 1)
    #expect(boxes.where { $0.toys.name.in(["kite", "x"]) }.count == 1)
    #expect(boxes.where { $0.toys.name.in(["x"]) }.isEmpty)
    let (kite, top) = (box.toys[1], box.toys[2])
    #expect(boxes.where { $0.toys.containsAny(in: [kite]) }.count == 1)
    #expect(boxes.where { $0.best.containsAny(in: [top]) }.count == 1)
    #expect(boxes.where { $0.best.containsAny(in: [box.toys[0]]) }.isEmpty)
    for (range, count) in [(3...9, 1), (3...8, 0), (4...9, 0), (0...100, 1)] {
      #expect(boxes.where { $0.numbers.contains(range) }.count == count, "\(range)")
    }
    #expect(boxes.where { $0.numbers.contains(3..<9) }.isEmpty)
    #expect(boxes.where { $0.counts.contains(1..<5) }.count == 1)
    try realm.write { box.numbers.removeAll() }
    #expect(boxes.where { $0.numbers.contains(0...100) }.isEmpty)
    let toys = realm.objects(Toy.self)
    #expect(toys.where { $0.name.like("K*", caseInsensitive: true) }.count == 1)
    #expect(toys.where { $0.name.like("K*", caseInsensitive: false) }.isEmpty)
  }

  @Test func `values that may be nil have aggregates`() {
    let list = List<Int?>([3, nil, 5])
    #expect(list.min() == 3 && list.max() == 5 && list.sum() == 8 && list.average() == 4)
    let none = List<Double?>([nil])
    #expect(none.min() == nil && none.sum() == 0 && none.average() == nil)
    let dates = List<Date?>([nil, Date(timeIntervalSince1970: 5)])
    #expect(dates.max() == Date(timeIntervalSince1970: 5))
    let map: Map<String, Float?> = ["a": 1.5, "b": nil, "c": 2.5]
    #expect(map.min() == 1.5 && map.max() == 2.5 && map.sum() == 4 && map.average() == 2)
    #expect(Array(List(["b", "a", "b"]).distinct()) == ["b", "a"])
    #expect(List([1, 2]).debugDescription == "List<Int> [1, 2]")
  }

  @Test func `a collection may be of any type`() throws {
    let collections = [
      AnyRealmCollection(box.toys), AnyRealmCollection(realm.objects(Toy.self)),
      AnyRealmCollection(realm.objects(Toy.self).sorted(byKeyPath: "price")),
    ]
    #expect(collections.map { $0.sum(of: \.price) } == [13, 13, 13])
    #expect(collections[2].map(\.name) == ["top", "ball", "kite"] && collections[0].realm == realm)
    #expect(collections[1].filter("price > 2").count == 2)
    var changes: [[Int]] = []
    let tokens = (0..<3).map { index in
      collections[index].observe { change in
        if case .update(let rows, _, _, let modifications) = change {
          changes.append([index, rows.count] + modifications)
        }
      }
    }
    realm.refresh()
    try realm.write { box.toys[0].price = 4 }
    realm.refresh()
    #expect(changes == [[0, 3, 0], [1, 3, 0], [2, 3, 1]])
    for token in tokens { token.invalidate() }
    let frozen = AnyRealmCollection(box.numbers).freeze()
    try realm.write { box.numbers.removeAll() }
    #expect(Array(frozen) == [5, 3, 9, 3] && AnyRealmCollection(box.words).count == 2)
  }

  @Test func `collections and objects are coded`() throws {
    let text = #"{"numbers":[2,1],"words":["b","a","b"],"counts":{"x":1.5,"y":null},"level":3}"#
    let parcel = try JSONDecoder().decode(Parcel.self, from: Data(text.utf8))
    #expect(Array(parcel.numbers) == [2, 1] && parcel.words.count == 2)
    #expect(parcel.counts["x"] == 1.5 && parcel.counts["y"] == .some(nil))
    let again = try JSONDecoder().decode(Parcel.self, from: JSONEncoder().encode(parcel))
    #expect(again.level.value == 3 && Array(again.numbers) == [2, 1] && again.counts.count == 2)
    let label = try JSONDecoder().decode(
      Label.self, from: Data(#"{"text":"hi","tags":["a","b"]}"#.utf8))
    #expect(label.text == "hi" && label.size == nil && Array(label.tags) == ["a", "b"])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Label.self, from: Data(#"{"size":1}"#.utf8))
    }
    try realm.write { realm.add(label) }
    #expect(realm.objects(Label.self).filter("tags CONTAINS 'b'").count == 1)
  }

  @Test func `objects are identified, and followed whatever their class`() throws {
    let toy = box.toys[0]
    #expect(toy.id == realm.object(ofType: Toy.self, forPrimaryKey: "ball")?.id)
    #expect(toy.id != box.toys[1].id)
    var names: [String] = []
    let token = toy.observe { (change: ObjectChange<ObjectBase>) in
      if case .change(let object, let properties) = change {
        names = properties.map(\.name) + [object["name"] as? String ?? ""]
      }
    }
    try realm.write { toy.price = 5 }
    realm.refresh()
    #expect(names == ["price", "ball"])
    token.invalidate()
    #expect(box.dynamicList("toys").map { $0.name as? String } == ["ball", "kite", "top"])
    let ball = try #require(realm.dynamicObject(ofType: "Toy", forPrimaryKey: "ball"))
    try realm.write { ball.price = 6 }
    #expect(toy.price == 6 && toy.isEqual(box.toys[0]) && !toy.isEqual(3) && !toy.isEqual(nil))
    try realm.write { toy.shelf = Shelf(value: ["number": 7]) }
    #expect(realm.objects(Shelf.self).where { $0.number == 7 }.count == 1)
    #expect(AnyRealmValue.object(toy).dynamicObject?.price as? Int == 6)
    #expect(AnyRealmValue.int(3).dynamicObject == nil)
    #expect(box.dynamicMap("best")["old"]??["price"] as? Int == 9)
  }
}

/// Numbers from a seed.
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}
