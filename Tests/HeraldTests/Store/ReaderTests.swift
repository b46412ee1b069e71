import Glibc
import HeraldEngine
import Testing

@testable import Herald

/// Who holds which version, since when, and what that costs.
@Suite struct ReaderTests {
  private func fill(_ store: DynamicStore, commits: Int) throws {
    for n in 0..<commits {
      try store.write { _ = try store.add("Dog", [("text", .value(.string("dog \(n)")))]) }
    }
  }

  private func declare(_ store: DynamicStore) throws {
    try store.declare(
      ClassDefinition(name: "Dog", properties: [.init(name: "text", element: .string)]))
  }

  private func own(_ readers: [StoreReader]) -> [String] {
    readers.filter { $0.process == Int(getpid()) }.map { reader in
      "\(reader.session ?? "nobody") \(reader.version)\(reader.isFrozen ? " frozen" : "")"
    }
  }

  @Test func `every session that holds a version is listed, oldest first`() throws {
    try withStoreFile { store, _ in
      try declare(store)
      let behind = try store.newSession(named: "behind")
      behind.autorefresh = false
      try fill(store, commits: 3)
      let resting = try store.newSession(named: "resting")
      resting.rest()
      let readers = try store.readers
      #expect(own(readers) == ["behind 1", "main 4"])
      #expect(readers[0].bytes > 0)
      #expect(readers[1].bytes == 0)
      let since = try #require(readers[0].since)
      #expect(since <= Timestamp(seconds: Int(time(nil)) + 1))
      #expect(since > Timestamp(seconds: Int(time(nil)) - 3600))
      #expect(try behind.refresh())
      #expect(try own(store.readers) == ["behind 4", "main 4"])
      withExtendedLifetime((behind, resting)) {}
    }
  }

  @Test func `a frozen version is listed by the session that froze it, until it is released`()
    throws
  {
    try withStoreFile { store, _ in
      try declare(store)
      var frozen: DynamicResults? = try store.objects("Dog").frozen
      try fill(store, commits: 2)
      #expect(try own(store.readers) == ["main 1 frozen", "main 3"])
      withExtendedLifetime(frozen) {}
      frozen = nil
      #expect(try own(store.readers) == ["main 3"])
    }
  }

  @Test func `sessions of a store in memory are listed too`() throws {
    let store = try DynamicStore()
    try declare(store)
    let behind = try store.newSession(named: "behind")
    try fill(store, commits: 2)
    #expect(try own(store.readers) == ["behind 1", "main 3"])
    behind.close()
  }
}
