import Foundation
import HeraldCompatibility
import Testing

private final class Hive: Object {
  @Persisted var counts: List<Int>
  @Persisted var maybe: List<Int?>
  @Persisted var marks: MutableSet<String>
  @Persisted var sizes: Map<String, Int>
  @Persisted var weights: Map<String, Double?>
}

@Suite(.serialized) @MainActor struct ValueResultsTests {
  private let realm: Realm
  private let hive = Hive()

  init() throws {
    realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "hives"))
    hive.counts.append(objectsIn: [3, 1, 3, 2])
    hive.maybe.append(objectsIn: [2, nil, 1])
    hive.marks.insert(objectsIn: ["b", "c", "a"])
    try realm.write {
      realm.deleteAll()
      realm.add(hive)
    }
  }

  @Test func `values are sorted and distinct, live`() throws {
    let sorted = hive.counts.sorted()
    let distinct = hive.counts.distinct()
    let both = hive.counts.distinct(by: ["self"]).sorted(ascending: false)
    #expect(Array(sorted) == [1, 2, 3, 3] && Array(distinct) == [3, 1, 2])
    #expect(Array(both) == [3, 2, 1] && both.first == 3 && both[1] == 2 && both.count == 3)
    #expect(Array(hive.maybe.sorted()) == [nil, 1, 2])
    #expect(Array(hive.marks.sorted(byKeyPath: "self", ascending: false)) == ["c", "b", "a"])
    let described = hive.counts.sorted(by: [SortDescriptor(keyPath: "self")])
    #expect(Array(described) == [1, 2, 3, 3])
    #expect(sorted.min() == 1 && sorted.max() == 3 && distinct.sum() == 6)
    #expect(distinct.average() == 2 && sorted.realm == realm && !sorted.isInvalidated)
    try realm.write { hive.counts.append(0) }
    #expect(Array(sorted) == [0, 1, 2, 3, 3] && sorted.index(of: 2) == 2)
    #expect(Array(AnyRealmCollection(both)) == [3, 2, 1, 0])
    let array: [Int] = hive.counts.sorted()
    #expect(array == [0, 1, 2, 3, 3])
  }

  @Test func `values of an unmanaged object are those that there were`() {
    let list = List([2, 1, 2])
    let sorted = list.sorted()
    #expect(Array(sorted) == [1, 2, 2] && Array(list.distinct().sorted()) == [1, 2])
    #expect(sorted.realm == nil)
  }

  @Test func `sorted values are observed by their own positions`() throws {
    var calls: [String] = []
    let token = hive.counts.sorted().observe { change in
      switch change {
      case .initial(let values): calls.append("initial \(Array(values))")
      case .update(let values, let deletions, let insertions, _):
        calls.append("\(Array(values)) -\(deletions) +\(insertions)")
        #expect(change.deletions == deletions && change.insertions == insertions)
      case .error(let error): calls.append("\(error)")
      }
    }
    let distinctToken = hive.counts.distinct().observe { change in
      if case .update(_, let deletions, let insertions, _) = change {
        calls.append("distinct -\(deletions) +\(insertions)")
      }
    }
    realm.refresh()
    try realm.write { hive.counts[0] = 0 }
    realm.refresh()
    try realm.write { hive.counts.append(2) }
    realm.refresh()
    try realm.write(withoutNotifying: [token, distinctToken]) { hive.counts.append(9) }
    realm.refresh()
    try realm.write { hive.counts.remove(at: 1) }
    realm.refresh()
    #expect(
      calls == [
        "initial [1, 2, 3, 3]", "[0, 1, 2, 3] -[2] +[0]", "distinct -[0] +[0, 2]",
        "[0, 1, 2, 2, 3] -[] +[3]", "[0, 2, 2, 3, 9] -[1] +[]", "distinct -[1] +[]",
      ])
    try realm.write { realm.delete(hive) }
    realm.refresh()
    #expect(calls.count == 8 && calls[6] == "[] -[0, 1, 2, 3, 4] +[]")
    token.invalidate()
    distinctToken.invalidate()
  }

  @Test func `values that match are live`() throws {
    let large = hive.counts.where { $0 > 1 }
    #expect(Array(large) == [3, 3, 2] && large.distinct().sum() == 5 && large.index(of: 2) == 2)
    #expect(Array(large.sorted()) == [2, 3, 3] && large.index(matching: { $0 < 3 }) == 2)
    #expect(Array(hive.counts.sorted().where { $0 < 3 }.where { $0 != 1 }) == [2])
    #expect(Array(hive.maybe.where { $0 == nil || $0 > 1 }) == [2, nil])
    #expect(Array(hive.marks.where { $0.starts(with: "b") || $0.in(["a"]) }) == ["a", "b"])
    #expect(Array(hive.marks.filter("self > %@", "a")) == ["b", "c"])
    #expect(Array(hive.counts.filter(NSPredicate(format: "SELF < 3"))) == [1, 2])
    #expect(hive.counts.index(matching: NSPredicate(format: "self == %@", 2)) == 3)
    try realm.write {
      hive.sizes.merge(["a": 1, "b": 4, "c": 5]) { $1 }
      hive.weights.merge(["x": nil, "y": 1.5]) { $1 }
    }
    let sizes = hive.sizes.where { $0 >= 4 }
    #expect(Array(sizes) == [4, 5] && Array(hive.sizes.filter("self < 5")) == [1, 4])
    #expect(Array(hive.weights.where { $0 == nil }) == [nil])
    var calls: [String] = []
    let tokens = [
      large.observe {
        if case .update(let values, _, let insertions, _) = $0 {
          calls.append("\(Array(values)) +\(insertions)")
        }
      },
      sizes.observe {
        if case .update(let values, let deletions, _, _) = $0 {
          calls.append("\(Array(values)) -\(deletions)")
        }
      },
    ]
    realm.refresh()
    try realm.write {
      hive.counts.append(objectsIn: [0, 9])
      hive.sizes["b"] = 3
    }
    realm.refresh()
    try realm.write { hive.sizes["d"] = 0 }
    realm.refresh()
    #expect(calls == ["[3, 3, 2, 9] +[3]", "[5] -[0]"])
    for token in tokens { token.invalidate() }
  }

  @Test func `sorted values are frozen and passed to other threads`() async throws {
    let sorted = hive.counts.sorted(ascending: false)
    let frozen = sorted.freeze()
    let reference = ThreadSafeReference(to: sorted)
    try realm.write { hive.counts.append(7) }
    #expect(frozen.isFrozen && Array(frozen) == [3, 3, 2, 1] && sorted.first == 7)
    #expect(Array(try #require(frozen.thaw())) == [7, 3, 3, 2, 1])
    let other = await Task.detached { () -> [Int]? in
      let realm = try? Realm(configuration: Realm.Configuration(inMemoryIdentifier: "hives"))
      return realm?.resolve(reference).map { Array($0) }
    }.value
    #expect(other == [7, 3, 3, 2, 1])
  }
}
