import Foundation
import HeraldEngine
import TestSupport
import Testing

@testable import Herald

/// Compacting a store that sessions have open.
@Suite struct CompactTests {
  private func withStore(_ body: (DynamicStore, String) throws -> Void) throws {
    let dog = ClassDefinition(
      name: "Dog",
      properties: [
        .init(name: "id", element: .int, isPrimaryKey: true),
        .init(name: "text", element: .string, defaultValue: .value(.string(""))),
      ])
    try withStoreFile(dog, body: body)
  }

  /// Leaves many free pages and ten dogs.
  private func fill(_ store: DynamicStore) throws {
    let text = String(repeating: "x", count: 3000)
    for round in 0..<20 {
      try store.write {
        for id in 0..<50 {
          _ = try store.upsert(
            "Dog", [("id", .value(.int(id))), ("text", .value(.string("\(round)\(text)")))])
        }
      }
    }
    try store.write {
      for dog in try store.objects("Dog").objects.dropFirst(10) { try store.delete(dog) }
    }
  }

  private func add(_ ids: ClosedRange<Int>, _ store: DynamicStore) throws {
    try store.write { for id in ids { _ = try store.add("Dog", [("id", .value(.int(id)))]) } }
  }

  private func inode(_ path: String) -> Int { Int(FileTree.status(path).st_ino) }

  @Test func `the file is smaller, and another, and the store is the same`() throws {
    try withStore { store, path in
      try fill(store)
      let (version, before) = (store.version, inode(path))
      #expect(chmod(path, 0o640) == 0)
      let done = try store.compact()
      #expect(done.after < done.before)
      #expect(FileTree.size(path) == done.after)
      #expect(FileTree.permissions(path) == 0o640)
      #expect(inode(path) != before)
      #expect(!FileTree.exists(path + "-compact"))
      try store.endTurn()
      #expect(store.version == version)
      #expect(try store.objects("Dog").count == 10)
      #expect(store.check().isEmpty)
      try add(100...100, store)
      #expect(store.version == version + 1)
      #expect(try DynamicStore.check(path: path).isEmpty)
    }
  }

  @Test func `observers of every session miss nothing, and none is notified of the compacting`()
    throws
  {
    try withStore { store, _ in
      try fill(store)
      let other = try store.newSession(named: "other")
      let resting = try store.newSession(named: "resting")
      var notified: [String] = []
      var tokens: [ObservationToken] = []
      for session in [store, other, resting] {
        tokens.append(
          try session.objects("Dog").observe { dogs, change in
            guard case .update(let changes, _) = change else { return }
            notified.append("\(session.name) \(changes.insertions) \(try dogs.count)")
          })
        try session.endTurn()
      }
      resting.rest()
      try add(200...200, store)
      try store.compact()
      try add(201...202, other)
      try store.compact()
      for session in [store, other, resting] { try session.endTurn() }
      #expect(
        notified
          == [
            // The beginning of its write first delivers what was there.
            "other [10] 11", "store [10, 11, 12] 13", "other [11, 12] 13",
            "resting [10, 11, 12] 13",
          ].map { $0.replacingOccurrences(of: "store", with: "main") })
      for session in [store, other, resting] { #expect(session.check().isEmpty) }
      withExtendedLifetime(tokens) {}
    }
  }

  @Test func `sessions that hold a version continue with the old file`() throws {
    try withStore { store, _ in
      try fill(store)
      let frozen = try store.objects("Dog").frozen
      let behind = try store.newSession(named: "behind")
      behind.autorefresh = false
      try store.compact()
      try add(300...310, store)
      try store.write { try store.delete(store.objects("Dog").objects[0]) }
      try store.compact()
      try behind.endTurn()
      #expect(try behind.objects("Dog").count == 10)
      #expect(try frozen.objects.map { try $0.value("id") } == (0..<10).map { .int($0) })
      #expect(try behind.refresh())
      #expect(try behind.objects("Dog").count == 20)
      #expect(try frozen.count == 10)
      #expect(behind.check().isEmpty)
    }
  }

  @Test func `the files of a hundred compactings are closed, except the one that is read`() throws {
    try withStore { store, path in
      try fill(store)
      let frozen = try store.objects("Dog").frozen
      let expected = try frozen.objects.map { try $0.value("id") }
      for round in 0..<100 {
        try store.compact()
        try add(1000 + round...1000 + round, store)
        try store.endTurn()
      }
      #expect(try store.objects("Dog").count == 110)
      #expect(try frozen.objects.map { try $0.value("id") } == expected)
      #expect(store.check().isEmpty)
      let open = FileTree.names(in: "/proc/self/fd").filter {
        let target = FileTree.linkTarget("/proc/self/fd/" + $0)
        return target?.hasPrefix(path) == true && target?.contains("-lock") == false
      }
      #expect(open.count <= 9, "each handle has three: the first, the last, and the one before it")
      // LMDB's lock, which shows other programs that this one runs, is lost with any descriptor
      // that is closed.
      #expect(hasProcessLock(inode: inode(path + "-lock")))
    }
  }

  @Test func `opening the path again leads to the same store`() throws {
    try withStore { store, path in
      try fill(store)
      try store.compact()
      let again = try DynamicStore(path: path)
      let reading = try DynamicStore(path: path, readOnly: true)
      try add(400...400, again)
      try store.endTurn()
      try reading.endTurn()
      #expect(try store.objects("Dog").count == 11)
      #expect(try reading.objects("Dog").count == 11)
      #expect(DynamicStore.isOpen(fileAt: path))
      again.close()
      reading.close()
    }
  }

  @Test func `a file that replaces a compacted store is still detected`() throws {
    try withStore { store, path in
      try store.compact()
      try store.endTurn()
      FileTree.copy(path, to: path + ".copy")
      #expect(rename(path + ".copy", path) == 0)
      #expect(throws: HeraldError.storeReplaced(path: path)) { try add(1...1, store) }
      #expect(throws: HeraldError.storeReplaced(path: path)) { try store.compact() }
    }
  }

  @Test func `a store that cannot be compacted is an error, and stays as it was`() throws {
    try withStore { store, path in
      try store.beginWrite()
      #expect(throws: HeraldError.writeInProgress) { try store.compact() }
      try store.rollbackWrite()
      let reading = try DynamicStore(path: path, readOnly: true)
      #expect(throws: HeraldError.readOnly) { try reading.compact() }
      reading.close()
      #expect(link(path, path + ".second") == 0)
      #expect(throws: HeraldError.self) { try store.compact() }
      #expect(unlink(path + ".second") == 0)
      let interruption = Interruption()
      interruption.request()
      store.interruption = interruption
      let before = inode(path)
      #expect(throws: HeraldError.interrupted) { try store.compact() }
      store.interruption = nil
      #expect(inode(path) == before)
      #expect(throws: HeraldError.storage("compact: a store in memory has no file")) {
        try DynamicStore().compact()
      }
      try add(1...3, store)
      #expect(try store.objects("Dog").count == 3)
    }
  }
}
