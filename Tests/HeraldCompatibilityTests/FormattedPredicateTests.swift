import Foundation
import HeraldCompatibility
import Testing

private final class Jar: Object {
  @Persisted var name = ""
  @Persisted var size = 0
  @Persisted var lids: Map<String, Jar?>
}

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
}
