import Foundation
import HeraldCompatibility
import Testing

private final class Jar: Object {
  @Persisted var name = ""
  @Persisted var size = 0
  @Persisted var lids: Map<String, Jar?>
  @Persisted var inner: Jar?
  @Persisted var label: Label?
  @Persisted(originProperty: "inner") var outer: LinkingObjects<Jar>

  convenience init(_ size: Int, in label: String? = nil) {
    self.init()
    self.size = size
    self.label = label.map { Label(value: ["text": $0]) }
  }
}

private final class Label: EmbeddedObject { @Persisted var text = "" }

@Suite(.serialized) @MainActor struct FormattedPredicateTests {
  private let realm: Realm
  private var jars: Results<Jar> { realm.objects(Jar.self) }

  init() throws {
    realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "jars"))
    try realm.write {
      realm.deleteAll()
      for size in 1...4 { realm.create(Jar.self, value: ["name": "j\(size)", "size": size]) }
      jars[0].lids["a"] = jars[3]
    }
  }

  @Test func `a predicate of Foundation's takes its text to a query`() throws {
    #expect(jars.filter(NSPredicate(format: "size > %@ AND name != %@", 1, "j3")).count == 2)
    #expect(jars.filter(NSPredicate(format: "%K == %d", "size", 2)).first?.name == "j2")
    #expect(jars.filter(NSPredicate(format: "size IN %@", argumentArray: [[1, 4]])).count == 2)
    #expect(jars.index(matching: NSPredicate(format: "size == 3")) == 2)
    #expect(jars[0].lids.filter(NSPredicate(format: "size == 4")).count == 1)
    #expect(jars.filter(NSPredicate(value: true)).count == 4)
    #expect(jars.filter(NSPredicate(value: false)).isEmpty)
  }

  @Test func `predicates are joined`() throws {
    let (small, large) = (NSPredicate(format: "size < %@", 2), NSPredicate(format: "size > %@", 3))
    let either = NSCompoundPredicate(orPredicateWithSubpredicates: [small, large])
    #expect(jars.filter(either).map(\.size) == [1, 4])
    let neither = NSCompoundPredicate(notPredicateWithSubpredicate: either)
    #expect(jars.filter(neither).map(\.size) == [2, 3])
    let named = NSCompoundPredicate(
      andPredicateWithSubpredicates: [neither, NSPredicate(format: "name == 'j3'")])
    #expect(jars.filter(named).map(\.size) == [3])
  }

  @Test func `objects and values of no store are searched`() {
    let jars = List([Jar(1), Jar(2, in: "jam"), Jar(2), Jar(3, in: "tea")])
    jars[3].inner = jars[0]
    jars[2].lids["a"] = jars[0]
    #expect(jars.index(matching: NSPredicate(format: "size == 2")) == 1)
    #expect(jars.index(matching: "size > %@ AND label == nil", 1) == 2)
    #expect(jars.index(matching: { $0.label.text == "tea" }) == 3)
    #expect(jars.index(matching: { $0.inner.size == 1 && $0.name == "" }) == 3)
    #expect(jars.index(matching: "ANY lids.size == 1") == 2)
    #expect(jars.index(matching: { $0.size > 3 }) == nil && jars[3].realm == nil)
    let set = MutableSet<Jar>()
    set.insert(objectsIn: [jars[0], jars[1]])
    #expect(set.index(matching: { $0.size == 2 }) == 1)
    #expect(List<Jar>().index(matching: "size == 1") == nil)
    let managed = List(realm.objects(Jar.self).filter("size > 2"))
    #expect(managed.index(matching: { $0.name == "j4" }) == 1)
    let numbers = List([1, 3, 7])
    #expect(numbers.index(matching: NSPredicate(format: "self == 7")) == 2)
    #expect(numbers.index(matching: { $0 > 1 }) == 1 && numbers.index(matching: "self > 7") == nil)
    #expect(List<String?>([nil, "a"]).index(matching: { $0 != nil }) == 1)
    #expect(List<Int>().index(matching: "self == 1") == nil)
  }

  @Test func `what copies of objects do not have stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List([Jar(1)]).index(matching: { $0.inner == Jar(2) })
    }
    let printed = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(printed.contains("objects of no store cannot be queried by objects to compare with"))
    let links = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List([Jar(1)]).index(matching: "outer.@count == 1")
    }
    let other = String(decoding: links?.standardErrorContent ?? [], as: UTF8.self)
    #expect(other.contains("objects of no store cannot be queried by what links to them"))
  }
}
