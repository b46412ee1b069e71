import Foundation
import HeraldCompatibility
import Testing

private final class Shelf: Object {
  @Persisted var words: List<String>
  @Persisted var maybe: List<String?>
  @Persisted var sizes: MutableSet<Int>
  @Persisted var named: Map<String, Book?>
}

private final class Book: Object {
  @Persisted var title = ""
  @Persisted var pages = 0

  convenience init(_ title: String, _ pages: Int) {
    self.init()
    (self.title, self.pages) = (title, pages)
  }
}

/// Text and numbers as elements in code that does not know them.
private func sections<Elements: RealmCollection, Key: _Persistable & Hashable>(
  of values: Elements, _ key: @escaping (Elements.Element) -> Key
) -> SectionedResults<Key, Elements.Element>
where Elements.Element: RealmCollectionValue & _Persistable {
  values.sectioned(by: key, ascending: true)
}

/// Results of values and of links, and sections of values.
@Suite(.serialized) @MainActor struct ValueSectionsTests {
  private let realm: Realm
  private let shelf = Shelf()

  init() throws {
    realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "shelves"))
    shelf.words.append(objectsIn: ["beta", "axis", "delta", "alpha"])
    shelf.maybe.append(objectsIn: ["b", nil, "a"])
    shelf.sizes.insert(objectsIn: [1, 12, 30, 31])
    shelf.named["x"] = Book("Dune", 600)
    shelf.named["y"] = Book("Emma", 300)
    shelf.named["z"] = Book("Dune", 100)
    try realm.write {
      realm.deleteAll()
      realm.add(shelf)
    }
  }

  private func text<Element>(_ sections: SectionedResults<String, Element>) -> [String] {
    sections.map { "\($0.key): " + $0.map { "\($0)" }.joined(separator: " ") }
  }

  private func first(_ word: String) -> String { String(word.prefix(1)) }

  @Test func `values stand in the sections of what a block returns`() throws {
    let sections = shelf.words.sectioned(by: first)
    #expect(text(sections) == ["a: alpha axis", "b: beta", "d: delta"])
    #expect(sections[0][1] == "axis" && sections[IndexPath(item: 0, section: 2)] == "delta")
    #expect(sections.allKeys == ["a", "b", "d"] && sections.realm == realm)
    let falling: SectionedResults<String, String> = shelf.words.sectioned(
      by: { String($0.prefix(1)) }, ascending: false)
    #expect(text(falling) == ["d: delta", "b: beta", "a: axis alpha"])
    let frozen = sections.freeze()
    try realm.write { shelf.words.append("cat") }
    #expect(text(sections) == ["a: alpha axis", "b: beta", "c: cat", "d: delta"])
    #expect(frozen.count == 3 && frozen.isFrozen && frozen.thaw()?.count == 4)
    #expect(Array(sections[0].freeze()) == ["alpha", "axis"])
    try realm.write {
      shelf.words.removeAll()
      #expect(sections.isEmpty)
      shelf.words.append("emu")
      #expect(sections.allKeys == ["e"])
    }
    #expect(text(sections) == ["e: emu"])
  }

  @Test func `sections of sets, of nil and of results`() {
    let sizes = shelf.sizes.sectioned(by: { $0 / 10 }, ascending: true)
    #expect(sizes.map(\.key) == [0, 1, 3] && sizes.map { Array($0) } == [[1], [12], [30, 31]])
    let maybe = shelf.maybe.sectioned(by: { $0 == nil }, ascending: true)
    #expect(maybe.map(\.key) == [true, false] && Array(maybe[1]) == ["a", "b"])
    let long = shelf.words.filter("self.length > 4")
    #expect(text(long.sectioned(by: first)) == ["a: alpha", "d: delta"])
    let any = AnyRealmCollection(shelf.words)
    #expect(text(any.sectioned(by: first)) == ["a: alpha axis", "b: beta", "d: delta"])
    #expect(text(sections(of: shelf.words, first)).count == 3)
  }

  @Test func `observers receive the positions of values in sections`() throws {
    var calls: [String] = []
    let token = shelf.words.sectioned(by: first)
      .observe { (change: SectionedResultsChange<SectionedResults<String, String>>) in
        switch change {
        case .initial(let sections): calls.append("initial \(text(sections))")
        case .update(
          let sections, let deletions, let insertions, let modifications, let new, let old):
          calls.append(
            "\(sections.count) -\(deletions.map { Array($0) }) +\(insertions.map { Array($0) }) "
              + "*\(modifications.count) new \(Array(new)) old \(Array(old))")
        case .error: break
        }
      }
    var own: [String] = []
    let section = shelf.words.sectioned(by: first)[0].observe { change in
      if case .update(let section, let deletions, let insertions, _, _, _) = change {
        own.append("\(Array(section)) -\(deletions.count) +\(insertions.count)")
      }
    }
    defer {
      token.invalidate()
      section.invalidate()
    }
    realm.refresh()
    try realm.write { shelf.words[3] = "ant" }
    realm.refresh()
    try realm.write(withoutNotifying: [token]) { shelf.words.append("apple") }
    realm.refresh()
    try realm.write { shelf.words.removeAll { $0 == "beta" } }
    realm.refresh()
    #expect(
      calls == [
        #"initial ["a: alpha axis", "b: beta", "d: delta"]"#,
        "3 -[[0, 0]] +[[0, 0]] *0 new [] old []",
        "2 -[] +[] *0 new [] old [1]",
      ])
    #expect(own == [#"["ant", "axis"] -1 +1"#, #"["ant", "apple", "axis"] -0 +1"#])
  }

  @Test func `results of values are of the type of those of objects`() throws {
    let sorted: Results<String> = shelf.words.sorted(ascending: true)
    #expect(sorted.first == "alpha" && sorted.last == "delta" && !sorted.isEmpty)
    #expect(sorted.description == "Results<String> [alpha, axis, beta, delta]")
    let reference = ThreadSafeReference(to: sorted)
    #expect(realm.resolve(reference).map { Array($0) } == Array(sorted))
    #expect(Array(sorted.freeze()) == Array(sorted))
    let none: Results<String?> = shelf.maybe.filter("self == nil")
    #expect(none.count == 1 && none.first == .some(nil))
  }

  @Test func `queries of a map of objects find links`() throws {
    let dunes: Results<Book?> = shelf.named.filter(NSPredicate(format: "title = 'Dune'"))
    #expect(dunes.count == 2 && dunes[0]?.pages == 600 && dunes.last??.pages == 100)
    #expect(dunes.map { $0?.pages } == [600, 100] && dunes.first??.title == "Dune")
    let sorted: Results<Book?> = shelf.named.sorted(byKeyPath: "pages", ascending: false)
    #expect(sorted.map { $0?.pages } == [600, 300, 100])
    #expect(shelf.named.sorted(by: \.pages).first??.pages == 100)
    #expect(shelf.named.where { $0.pages > 200 }.sorted(byKeyPath: "pages").first??.pages == 300)
    #expect(shelf.named.distinct(by: ["title"]).count == 2)
    #expect(sorted.filter("pages < 400").map { $0?.pages } == [300, 100])
    #expect(sorted.where { $0.title == "Emma" }.distinct(by: ["title"]).count == 1)
    var calls: [String] = []
    let token = dunes.observe { (change: RealmCollectionChange<Results<Book?>>) in
      if case .update(let links, let deletions, let insertions, let modifications) = change {
        calls.append("\(links.count) -\(deletions) +\(insertions) *\(modifications)")
      }
    }
    defer { token.invalidate() }
    realm.refresh()
    try realm.write { shelf.named["x"]??.pages = 5 }
    realm.refresh()
    try realm.write { shelf.named["x"] = .some(nil) }
    realm.refresh()
    #expect(calls == ["2 -[] +[] *[0]", "1 -[0] +[] *[]"])
    #expect(dunes.freeze().first??.pages == 100)
  }
}
