import Herald
import TestSupport
import Testing

private class Shelf: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var room: String?
  @Persisted var books: List<Volume>
}

private class Volume: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""
  @Persisted var pages = 0
  @Persisted var weight: Float = 0
  @Persisted var small: Int8 = 0
  @Persisted var room: String?
  @Persisted var shelf: Shelf?
}

private class Spine: Projection<Volume> {
  @Projected(\Volume.title) var name
  @Projected(\Volume.shelf?.room) var place
}

private func path(_ section: Int, _ row: Int) -> SectionPosition {
  SectionPosition(section: section, row: row)
}

/// What observers of sections received, as text.
private final class Notes {
  var log: [String] = []

  func note<Collection>(_ change: SectionedChange<Collection>) {
    switch change {
    case .initial: log.append("initial")
    case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted):
      func text(_ rows: [SectionPosition]) -> String {
        rows.map { "\($0.section).\($0.row)" }.joined(separator: " ")
      }
      log.append(
        "-\(deleted) [\(text(deletions))] +\(inserted) [\(text(insertions))] ~[\(text(modifications))]"
      )
    case .error(let error): log.append("error \(error)")
    }
  }

  func take() -> [String] {
    defer { log = [] }
    return log
  }
}

struct SectionedResultsTests {
  private func makeStore() throws -> Store {
    let store = try Store()
    try store.write {
      for (id, room, pages) in [(1, "attic", 5), (2, "cellar", 3), (3, "attic", 9), (4, nil, 1)] {
        let shelf = store.objects(Shelf.self).first { $0.room == room } ?? Shelf()
        if shelf.store == nil {
          shelf.id = id
          shelf.room = room
          store.add(shelf)
        }
        let volume = Volume()
        (volume.id, volume.title, volume.pages) = (id, "v\(id)", pages)
        (volume.room, volume.shelf) = (room, shelf)
        store.add(volume)
        shelf.books.append(volume)
      }
    }
    return store
  }

  @Test func `results are read in sections of a property, a path and an expression`() throws {
    let store = try makeStore()
    let volumes = store.objects(Volume.self).sorted(by: \.pages, ascending: false)
    let rooms = volumes.sectioned(by: \.room)
    #expect(rooms.count == 3 && rooms.allKeys == [nil, "attic", "cellar"])
    #expect(rooms[1].key == "attic" && rooms[1].id == "attic" && rooms[1].map(\.id) == [3, 1])
    #expect(rooms[path(1, 1)].id == 1)
    #expect(rooms.map { $0.count } == [1, 2, 1])
    #expect(rooms.first?.first?.id == 4 && rooms.last?.last?.id == 2)
    let descending = volumes.sectioned(by: \.room, ascending: false)
    #expect(descending.allKeys == ["cellar", "attic", nil])
    let over: SectionedResults<String?, Volume> = volumes.sectioned(byKeyPath: "shelf.room")
    #expect(over.allKeys == rooms.allKeys)
    #expect(volumes.sectioned(by: \.shelf?.room).map { $0.map(\.id) } == [[4], [3, 1], [2]])
    let parts = store.objects(Volume.self).sectioned { $0.pages / 4 }
    #expect(parts.allKeys == [0, 1, 2] && parts.map { $0.map(\.id) } == [[2, 4], [1], [3]])
    #expect(store.objects(Volume.self).sectioned { $0.weight * 2 }.allKeys == [0])
    #expect(store.objects(Volume.self).sectioned { $0.small / $0.small }.allKeys == [nil])
    let halves = store.objects(Volume.self).sectioned(
      sortDescriptors: [SortDescriptor(keyPath: "pages", ascending: false)]
    ) { $0.pages / 4 }
    #expect(halves.allKeys == [2, 1, 0] && halves[2].map(\.id) == [2, 4])
    let tests = store.objects(Volume.self).sectioned(ascending: false) { $0.pages > 3 }
    #expect(tests.allKeys == [true, false])
    let described = store.objects(Volume.self).sectioned(
      by: \.room,
      sortDescriptors: [
        SortDescriptor(keyPath: \Volume.room, ascending: false), SortDescriptor(keyPath: "pages"),
      ])
    #expect(described.allKeys == ["cellar", "attic", nil] && described[1].map(\.id) == [1, 3])
    let spines = store.objects(Spine.self).sectioned(by: \.place)
    #expect(spines.map { $0.map(\.name) } == [["v4"], ["v1", "v3"], ["v2"]])
    let shelf = try #require(store.object(ofType: Shelf.self, forPrimaryKey: 1))
    #expect(shelf.books.sectioned(by: \.pages).map { $0.map(\.id) } == [[1], [3]])
    #expect("\(rooms[2])".hasPrefix("cellar: ["))
    #expect(store.objects(Volume.self).where { $0.id > 9 }.sectioned(by: \.room).isEmpty)
    try store.write { store.objects(Volume.self).first?.room = "cellar" }
    #expect(rooms.allKeys == [nil, "attic", "cellar"] && rooms[2].map(\.id) == [1, 2])
  }

  @Test func `an observer of sections receives positions of sections and rows`() throws {
    let store = try makeStore()
    let notes = Notes()
    let attic = Notes()
    let rooms = store.objects(Volume.self).sorted(by: \.pages).sectioned(by: \.room)
    let section = rooms[1]
    let tokens = [
      rooms.observe(keyPaths: ["title"]) { change in
        notes.note(change)
        if case .update(let rooms, _, let insertions, _, _, _) = change {
          for position in insertions { #expect(rooms[position].id > 0) }
        }
      },
      section.observe(keyPaths: ["title"]) { attic.note($0) },
    ]
    store.refresh()
    #expect(notes.take() == ["initial"] && attic.take() == ["initial"])
    let first = try #require(store.object(ofType: Volume.self, forPrimaryKey: 1))
    func write(_ change: () -> Void) throws {
      try store.write { change() }
      store.refresh()
    }
    try write { first.title = "new" }
    #expect(notes.take() == ["-[] [] +[] [] ~[1.0]"] && attic.take() == ["-[] [] +[] [] ~[1.0]"])
    try write { first.pages = 10 }
    #expect(
      notes.take() == ["-[] [1.0] +[] [1.1] ~[]"] && attic.take() == ["-[] [1.0] +[] [1.1] ~[]"])
    try write { first.room = "cellar" }
    #expect(notes.take() == ["-[] [1.1] +[] [2.1] ~[]"] && attic.take() == ["-[] [1.1] +[] [] ~[]"])
    try write { store.delete(store.objects(Volume.self).where { $0.id == 4 }) }
    #expect(notes.take() == ["-[0] [] +[] [] ~[]"] && attic.take() == [])
    try write { store.delete(store.objects(Volume.self).where { $0.id == 3 }) }
    #expect(notes.take() == ["-[0] [] +[] [] ~[]"] && attic.take() == ["-[0] [] +[] [] ~[]"])
    #expect(section.isEmpty && section.key == "attic")
    try write {
      store.create(Volume.self, value: ["id": 9, "room": "attic"])
      store.create(Volume.self, value: ["id": 10, "room": "barn"])
    }
    #expect(notes.take() == ["-[] [] +[0, 1] [0.0 1.0] ~[]"])
    #expect(attic.take() == ["-[] [] +[0] [0.0] ~[]"] && section.map(\.id) == [9])
    for token in tokens { token.invalidate() }
    try write { first.title = "unobserved" }
    #expect(notes.take() == [] && attic.take() == [])
  }

  @Test func `key paths, frozen sections and errors are those of results`() throws {
    let store = try makeStore()
    let notes = Notes()
    let rooms = store.objects(Volume.self).sectioned(by: \.room)
    let byTitle = rooms.observe(keyPaths: [\Volume.title]) { notes.note($0) }
    let byNothing = rooms.observe(keyPaths: []) { notes.note($0) }
    store.refresh()
    _ = notes.take()
    let first = try #require(store.objects(Volume.self).first)
    try store.write { first.pages = 20 }
    store.refresh()
    #expect(notes.take() == [])
    try store.write { first.title = "x" }
    store.refresh()
    #expect(notes.take() == ["-[] [] +[] [] ~[1.0]"])
    let frozen = rooms.freeze()
    let section = rooms[1].freeze()
    try store.write { first.room = nil }
    #expect(frozen.isFrozen && frozen.allKeys == [nil, "attic", "cellar"])
    #expect(frozen[1].count == 2 && section.count == 2 && rooms[1].count == 1)
    #expect(frozen.thaw()?.map { $0.count } == [2, 1, 1])
    _ = notes.take()
    let failing = [
      frozen.observe { notes.note($0) }, rooms.observe(keyPaths: ["nope"]) { notes.note($0) },
      store.objects(Volume.self).sectioned(byKeyPath: "nope", as: Int.self).observe {
        notes.note($0)
      },
    ]
    store.refresh()
    let errors = notes.take().filter { $0.hasPrefix("error") }
    #expect(errors.count == 3, "\(errors)")
    withExtendedLifetime((byTitle, byNothing, failing)) {}
  }

  /// A section that comes before another one without a notification moves what is said of that.
  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func `sections by a block of a list that has an object several times replay`(seed: UInt64) throws
  {
    var random = TestRandom(state: seed)
    let store = try makeStore()
    let volumes = Array(store.objects(Volume.self))
    let books = try #require(store.objects(Shelf.self).first).books
    let sections = books.sectioned(by: { $0.pages % 3 }, sortDescriptors: [])
    func present() -> [[Int]] { sections.map { $0.map(\.id) } }
    var (shown, changed): ([[Int]], Set<Int>) = ([], [])
    let token = sections.observe(keyPaths: [\.pages, \.weight]) { change in
      guard case .update(_, let old, let new, let modified, let inserted, let deleted) = change
      else {
        shown = present()
        return
      }
      let before = shown
      for path in old.reversed() { shown[path.section].remove(at: path.row) }
      for section in deleted.reversed() { shown.remove(at: section) }
      for section in inserted { shown.insert([], at: section) }
      let now = present()
      for path in new { shown[path.section].insert(now[path.section][path.row], at: path.row) }
      let left = before.indices.flatMap { section in
        before[section].indices.map { path(section, $0) }
      }.filter { !old.contains($0) && !deleted.contains($0.section) }
      #expect(modified == left.filter { changed.contains(before[$0.section][$0.row]) })
    }
    store.refresh()
    for _ in 0..<80 {
      changed = []
      try store.write {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let volume = volumes.randomElement(using: &random)!
          let place = Int.random(in: 0...books.count, using: &random)
          switch Int.random(in: 0..<5, using: &random) {
          case 0, 1: books.insert(volume, at: place)
          case 2 where place < books.count: books.remove(at: place)
          case 3 where changed.insert(volume.id).inserted: volume.pages += 1
          case 4 where changed.insert(volume.id).inserted: volume.weight += 1
          case _: break
          }
        }
      }
      store.refresh()
      #expect(shown == present(), "seed \(seed)")
    }
    token.invalidate()
  }

  @Test func `silenced commits count as deliveries`() throws {
    let store = try makeStore()
    let notes = Notes()
    let rooms = store.objects(Volume.self).sectioned(by: \.room)
    let cellar = rooms[2]
    let token = cellar.observe(keyPaths: ["title"]) { notes.note($0) }
    var sums: [String] = []
    let sum = store.objects(Volume.self).sum(\.pages).observe { old, new in
      sums.append("\(old ?? -1) \(new)")
    }
    store.refresh()
    _ = notes.take()
    try store.write(withoutNotifying: [token, sum]) {
      store.create(Volume.self, value: ["id": 20, "room": "barn", "pages": 100])
    }
    store.refresh()
    let second = try #require(store.object(ofType: Volume.self, forPrimaryKey: 2))
    try store.write { second.title = "new" }
    store.refresh()
    #expect(notes.take() == ["-[] [] +[] [] ~[3.0]"])
    #expect(sums == ["-1 18"])
    try store.write { store.object(ofType: Volume.self, forPrimaryKey: 20)?.pages = 0 }
    store.refresh()
    #expect(sums == ["-1 18", "118 18"] && notes.take() == [])
  }

  @Test @MainActor func `the changes of sections are a sequence`() async throws {
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.path + "/sections.hdb")
    try store.write { store.create(Volume.self, value: ["id": 1, "room": "attic"]) }
    let changes = store.objects(Volume.self).sectioned(by: \.room).changes()
    var iterator = changes.makeAsyncIterator()
    guard case .initial(let first)? = await iterator.next() else {
      Issue.record("no initial")
      return
    }
    #expect(first.allKeys == ["attic"])
    try store.write { store.create(Volume.self, value: ["id": 2, "room": "barn"]) }
    guard case .update(let rooms, _, _, _, let inserted, _)? = await iterator.next() else {
      Issue.record("no update")
      return
    }
    #expect(inserted == [1] && rooms[1].first?.id == 2)
  }
}
