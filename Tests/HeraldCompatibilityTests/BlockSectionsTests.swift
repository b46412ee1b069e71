import Foundation
import HeraldCompatibility
import Testing

private final class Word: Object {
  @Persisted var text = ""
  @Persisted var size = 0

  convenience init(_ text: String) {
    self.init()
    self.text = text
  }

  var firstLetter: String { String(text.prefix(1)) }
}

private final class WordView: Projection<Word> {
  @Projected(\Word.text) var title
  @Projected(\Word.text.localizedUppercase) var capitals
  var initial: String? { title.first.map { String($0) } }
}

/// Sections whose keys a block gives, and index paths.
@Suite(.serialized) @MainActor struct BlockSectionsTests {
  private let realm: Realm

  init() throws {
    realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "words"))
    try realm.write {
      realm.deleteAll()
      realm.add(["beta", "alpha", "axis", "delta"].map { Word($0) })
    }
  }

  private var words: Results<Word> { realm.objects(Word.self) }

  private func sections(_ isAscending: Bool = true) -> SectionedResults<String, Word> {
    words.sectioned(
      by: { $0.firstLetter }, sortDescriptors: [.init(keyPath: \Word.text, ascending: isAscending)])
  }

  private func text(_ sections: some Sequence<ResultsSection<String, Word>>) -> [String] {
    sections.map { "\($0.key): \($0.map(\.text).joined(separator: " "))" }
  }

  @Test func `objects stand in the sections of what a block returns`() throws {
    let sections = sections()
    #expect(text(sections) == ["a: alpha axis", "b: beta", "d: delta"])
    #expect(sections.allKeys == ["a", "b", "d"])
    #expect(sections[IndexPath(item: 1, section: 0)].text == "axis")
    #expect(text(self.sections(false)) == ["d: delta", "b: beta", "a: axis alpha"])
    let other = words.sectioned(sortDescriptors: ["size"], { $0.text.count > 4 ? "long" : "short" })
    #expect(text(other) == ["short: beta axis", "long: alpha delta"])
    let frozen = sections.freeze()
    try realm.write { realm.add(Word("cat")) }
    #expect(text(sections) == ["a: alpha axis", "b: beta", "c: cat", "d: delta"])
    #expect(frozen.count == 3 && frozen.thaw()?.count == 4)
    #expect(sections[0].freeze().map(\.text) == ["alpha", "axis"])
  }

  @Test func `a computed property gives sections, which what it reads sorts`() throws {
    #expect(text(words.sectioned(by: \.firstLetter)) == ["a: alpha axis", "b: beta", "d: delta"])
    #expect(
      text(words.sectioned(by: \.firstLetter, ascending: false))
        == ["d: delta", "b: beta", "a: axis alpha"])
    let descriptors = [SortDescriptor(keyPath: \Word.text, ascending: false)]
    #expect(
      text(words.sectioned(by: \.firstLetter, sortDescriptors: descriptors))
        == ["d: delta", "b: beta", "a: axis alpha"])
    let views = realm.objects(WordView.self).sectioned(by: \.initial)
    #expect(views.map(\.key) == ["a", "b", "d"])
    let capitals = realm.objects(WordView.self).sectioned(by: \.capitals, ascending: false)
    #expect(capitals.map(\.key) == ["DELTA", "BETA", "AXIS", "ALPHA"])
    #expect(views.map { $0.map(\.title) } == [["alpha", "axis"], ["beta"], ["delta"]])
  }

  @Test func `an observer receives index paths, as the sections of a property give them`() throws {
    var calls: [String] = []
    let note = { (change: SectionedResultsChange<SectionedResults<String, Word>>) in
      switch change {
      case .initial(let sections): calls.append("initial \(sections.count)")
      case .update(_, let old, let new, let modified, let inserted, let deleted):
        let paths = [old, new, modified].map { "\($0.map { [$0.section, $0.item] })" }
        calls.append("\(paths.joined(separator: " ")) \(Array(inserted)) \(Array(deleted))")
      case .error(let error): calls.append("\(error)")
      }
    }
    let token = sections().observe(note)
    realm.refresh()
    try realm.write { realm.add(Word("cat")) }
    realm.refresh()
    try realm.write { words.filter("text == 'beta'").first?.text = "ant" }
    realm.refresh()
    try realm.write { words.filter("text == 'axis'").first?.size = 1 }
    realm.refresh()
    try realm.write(withoutNotifying: [token]) { realm.add(Word("zoo")) }
    realm.refresh()
    try realm.write { realm.delete(words.filter("text BEGINSWITH 'a' AND size == 0")) }
    realm.refresh()
    try realm.write { words.filter("text == 'zoo'").first?.text = "age" }
    realm.refresh()
    #expect(
      calls == [
        "initial 3", "[] [[2, 0]] [] [2] []", "[] [[0, 1]] [] [] [1]", "[] [] [[0, 2]] [] []",
        "[[0, 0], [0, 1]] [] [] [] []", "[] [[0, 0]] [] [] [3]",
      ])
    token.invalidate()
  }

  @Test func `one section is observed, on the queue of the store and by key paths`() throws {
    var calls: [String] = []
    let section = sections()[0]
    let token = section.observe { change in
      if case .update(let section, let old, let new, _, let inserted, let deleted) = change {
        let counts = "\(inserted.count)\(deleted.count)"
        calls.append("\(section.count) -\(old.count) +\(new.count) \(counts)")
      }
    }
    let sized = words.sectioned(by: \.text).observe(keyPaths: [\Word.size], on: nil) { change in
      if case .update(_, _, _, let modified, _, _) = change { calls.append("\(modified)") }
    }
    realm.refresh()
    try realm.write { realm.add(Word("bed")) }
    realm.refresh()
    try realm.write { words.filter("text == 'axis'").first?.size = 2 }
    realm.refresh()
    try realm.write { realm.delete(words.filter("text BEGINSWITH 'a'")) }
    realm.refresh()
    #expect(calls.contains("2 -0 +0 00") && calls.contains("0 -0 +0 01"))
    #expect(calls.contains("[[1, 0]]"))
    token.invalidate()
    sized.invalidate()
  }
}
