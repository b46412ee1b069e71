import Foundation
import HeraldCompatibility
import Testing

private final class Place: EmbeddedObject {
  @Persisted var x = 0
  @Persisted var y: Double?
}

private struct Corner: CustomPersistable {
  var x: Int
  var y: Double?

  init(x: Int, y: Double?) { (self.x, self.y) = (x, y) }
  init(persistedValue: Place) { self.init(x: persistedValue.x, y: persistedValue.y) }
  var persistableValue: Place {
    let place = Place()
    (place.x, place.y) = (x, y)
    return place
  }
}

private final class Label: EmbeddedObject {
  @Persisted var text = ""
}

private struct Tag: CustomPersistable {
  var text: String

  init(text: String) { self.text = text }
  init(persistedValue: Label) { text = persistedValue.text }
  var persistableValue: Label {
    let label = Label()
    label.text = text
    return label
  }
}

private final class Sign: EmbeddedObject {
  @Persisted var tag = Tag(text: "")
  @Persisted var height = 0
}

private struct Post: CustomPersistable {
  var tag: Tag
  var height: Int

  init(tag: String, height: Int) { (self.tag, self.height) = (Tag(text: tag), height) }
  init(persistedValue: Sign) { (tag, height) = (persistedValue.tag, persistedValue.height) }
  var persistableValue: Sign {
    let sign = Sign()
    (sign.tag, sign.height) = (tag, height)
    return sign
  }
}

private final class Track: Object {
  @Persisted var post = Post(tag: "", height: 0)
}

private struct Odd: FailableCustomPersistable {
  var number: Int

  init?(persistedValue: Int) {
    guard !persistedValue.isMultiple(of: 2) else { return nil }
    number = persistedValue
  }
  var persistableValue: Int { number }
}

private final class Walk: Object {
  @Persisted var name = ""
  @Persisted var start = Corner(x: 0, y: nil)
  @Persisted var end: Corner?
  @Persisted var stops: List<Corner>
  @Persisted var next: Walk?
  @Persisted var named: Map<String, Walk?>
}

private final class Count: Object {
  @Persisted var odd: Odd
  @Persisted var given = Odd(persistedValue: 3)!
}

/// Conditions on values of the program's own that are stored as embedded objects, and on objects without a store.
@Suite(.serialized) @MainActor struct ContentQueryTests {
  private func realm(_ name: String) throws -> Realm {
    try Realm(configuration: Realm.Configuration(inMemoryIdentifier: name))
  }

  @Test func `values stored as embedded objects are equal by what is in them`() throws {
    let realm = try realm("walks")
    let (home, lake) = (Corner(x: 1, y: nil), Corner(x: 1, y: 2.5))
    try realm.write {
      realm.deleteAll()
      realm.create(Walk.self, value: ["name": "a", "start": home, "end": lake])
      realm.create(Walk.self, value: ["name": "b", "start": lake])
      realm.create(Walk.self, value: ["name": "c", "start": lake, "end": home])
    }
    let walks = realm.objects(Walk.self)
    func names(_ condition: (Query<Walk>) -> Query<Bool>) -> [String] {
      walks.where(condition).map(\.name)
    }
    #expect(names { $0.start == home } == ["a"])
    #expect(names { $0.start != home } == ["b", "c"])
    #expect(names { $0.start == lake && $0.name == "b" } == ["b"])
    #expect(names { $0.end == lake } == ["a"])
    #expect(names { $0.end != lake } == ["b", "c"])
    #expect(names { $0.end == nil } == ["b"])
    #expect(names { $0.start == Corner(x: 2, y: nil) } == [])
    #expect(home == Corner(x: 1, y: nil) && home != lake)
  }

  @Test func `values within such values are compared, too`() throws {
    let realm = try realm("tracks")
    try realm.write {
      realm.deleteAll()
      for (tag, height) in [("a", 1), ("a", 2), ("b", 1)] {
        let track = Track()
        track.post = Post(tag: tag, height: height)
        realm.add(track)
      }
    }
    let tracks = realm.objects(Track.self)
    #expect(tracks.where { $0.post == Post(tag: "a", height: 2) }.map(\.post.height) == [2])
    #expect(tracks.where { $0.post != Post(tag: "a", height: 2) }.count == 2)
    #expect(tracks.where { $0.post == Post(tag: "b", height: 2) }.isEmpty)
  }

  @Test func `elements of a collection cannot be found by such values`() throws {
    let realm = try realm("walks")
    let walks = realm.objects(Walk.self)
    let corner = Corner(x: 1, y: nil)
    for found in [
      walks.where { $0.stops.contains(corner) }, walks.where { $0.stops.containsAny(in: [corner]) },
      walks.where { $0.start.in([corner]) },
    ] {
      var text = ""
      let token = found.observe { if case .error(let error) = $0 { text = "\(error)" } }
      realm.refresh()
      #expect(text.contains("'Corner' is stored as an embedded object"))
      token.invalidate()
    }
  }

  @Test func `a condition without a store names objects and maps as a predicate does`() {
    let walk = Walk()
    let query = Query<Walk>._constructForTesting()
    let (text, arguments) = (query.next == walk)._constructPredicate()
    #expect(text == "(next == %@)" && arguments.first as? Walk === walk)
    let (inMap, held) = query.named.contains(walk)._constructPredicate()
    #expect(inMap == "(%@ IN named)" && held.first as? Walk === walk)
  }

  @Test func `a class whose property begins with no value keeps none from opening`() throws {
    let realm = try realm("counts")
    #expect(realm.objects(Count.self).count == 0)
    #expect(realm.schema.objectSchema.contains { $0.className == "Count" })
  }

  @Test func `thawing leaves the session at its version`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let configuration = Realm.Configuration(fileURL: folder.appending(path: "a.hdb"))
    let realm = try Realm(configuration: configuration)
    realm.autorefresh = false
    let walk = Walk()
    try realm.write { realm.add(walk) }
    let queue = DispatchQueue(label: "later")
    let later = try queue.sync {
      let other = try Realm(configuration: configuration, queue: queue)
      let walk = try #require(other.objects(Walk.self).first)
      let added = Walk()
      try other.write {
        walk.name = "later"
        other.add(added)
      }
      return (walk.frozen, added.frozen)
    }
    #expect(later.0.base.thaw()?.name == "" && later.1.base.thaw() == nil)
    realm.refresh()
    #expect(later.0.base.thaw()?.name == "later" && later.1.base.thaw() != nil)
  }
}
