import Foundation
import HeraldEngine
import HeraldStorage
import TestSupport
import Testing

@testable import Herald

/// What observers receive when their views can no longer be maintained: one last event.
@Suite struct ErrorEventTests {
  /// The same through the typed interface.
  @MainActor private func withTypedStore(
    _ body: @MainActor (Store, String) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/errors.hdb"
    let store = try Store(path: path)
    defer { store.close() }
    try store.dynamic.declare(
      ClassDefinition(name: "Dog", properties: [.init(name: "n", element: .int)]))
    try store.write { store.dynamic.create("Dog", value: ["n": 1]) }
    try await body(store, path)
  }

  private func withStore(_ body: (DynamicStore, String) async throws -> Void) async throws {
    try await TemporaryFolder.lend { folder in
      let path = "\(folder)/errors.hdb"
      let store = try DynamicStore(path: path)
      defer { store.close() }
      try store.declare(
        ClassDefinition(
          name: "Dog",
          properties: [
            .init(name: "n", element: .int), .init(name: "text", element: .string),
            .init(name: "pals", element: .link("Dog"), shape: .list),
          ]))
      try store.write {
        for n in 0..<3 {
          _ = try store.add("Dog", [("n", .value(.int(n))), ("text", .value(.string("dog \(n)")))])
        }
      }
      try await body(store, path)
    }
  }

  /// Replaces a store by a copy of it.
  private func replace(_ path: String) throws {
    FileTree.copy(path, to: path + ".copy")
    #expect(rename(path + ".copy", path) == 0)
  }

  /// Observes one of each kind, and returns what they receive, with their tokens.
  private func observe(_ store: DynamicStore) throws -> (
    notified: Notified, tokens: [ObservationToken]
  ) {
    let notified = Notified()
    let dogs = try store.objects("Dog")
    let dog = try #require(try dogs.objects.first)
    let tokens = [
      try dogs.observe { _, change in
        if case .error(let error) = change { notified.lines.append("results \(error)") }
      },
      try dog.observe { _, change in
        if case .error(let error) = change { notified.lines.append("object \(error)") }
      },
      try dog.collection("pals").observe { _, change in
        if case .error(let error) = change { notified.lines.append("list \(error)") }
      },
      try dog.observeProperty("n") { event in
        if case .error(let error) = event { notified.lines.append("property \(error)") }
      },
      try store.observe { change in
        if case .error(let error) = change { notified.lines.append("store \(error)") }
      },
    ]
    try store.endTurn()
    return (notified, tokens)
  }

  private final class Notified { var lines: [String] = [] }

  private static let order = ["store", "property", "results", "object", "list"]

  @Test func `a store that was replaced ends every observer, once`() async throws {
    try await withStore { store, path in
      let (notified, tokens) = try observe(store)
      #expect(notified.lines.isEmpty)
      try replace(path)
      let error = HeraldError.storeReplaced(path: path)
      #expect(throws: error) { try store.endTurn() }
      #expect(notified.lines == Self.order.map { "\($0) \(error)" })
      #expect(tokens.allSatisfy { !$0.isLive })
      #expect(throws: error) { try store.refresh() }
      #expect(throws: error) { try store.write {} }
      #expect(notified.lines.count == 5)
    }
  }

  @Test func `a store that was removed ends every observer, also of a resting session`()
    async throws
  {
    try await withStore { store, path in
      let (notified, _) = try observe(store)
      store.rest()
      #expect(rename(path, path + ".away") == 0)
      let error = HeraldError.storeRemoved(path: path)
      #expect(throws: error) { try store.write {} }
      #expect(notified.lines == Self.order.map { "\($0) \(error)" })
      #expect(throws: error) { try store.endTurn() }
      // Back at its path it is the same store, and can be observed anew.
      #expect(rename(path + ".away", path) == 0)
      let (_, tokens) = try observe(store)
      #expect(tokens.allSatisfy { $0.isLive })
      #expect(try store.objects("Dog").count == 3)
    }
  }

  @Test func `damage that a delivery meets is the last event of the observers concerned`()
    async throws
  {
    try await withStore { store, path in
      let watching = DynamicStore(try store.session.sibling(), named: "watching")
      defer { watching.close() }
      var notified: [String] = []
      let dogs = try watching.results("Dog", asking: "text != 'x' sort(text)")
      let token = try dogs.observe { _, change in notified.append("\(change)") }
      try watching.endTurn()
      notified = []
      let needle = "a text that is found in the file"
      try store.write {
        try store.objects("Dog").objects[1].set("text", to: .value(.string(needle)))
      }
      // It is in the journal alone before, and read from there.
      try store.session.hub.environment.checkpoint()
      try damage(needle, in: path)
      #expect(throws: HeraldError.self) { try watching.endTurn() }
      #expect(notified.count == 1)
      #expect(notified.first?.contains("damaged") == true)
      #expect(!token.isLive)
    }
  }

  /// Changes a letter of a text wherever it is in a file.
  private func damage(_ text: String, in path: String) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    var start = bytes.startIndex
    while let found = bytes.range(of: Data(text.utf8), in: start..<bytes.endIndex) {
      try file.seek(toOffset: UInt64(found.lowerBound))
      try file.write(contentsOf: Data("A".utf8))
      start = found.upperBound
    }
    #expect(start > bytes.startIndex)
    try file.close()
  }

  @Test @MainActor func `changes that are awaited end with the error`() async throws {
    try await withTypedStore { store, path in
      var changes: [String] = []
      for await change in store.dynamic.objects("Dog").changes() {
        if case .error(let error) = change {
          changes.append("\(error)")
        } else {
          changes.append("rows")
        }
        if changes.count == 1 { try replace(path) }
      }
      #expect(changes == ["rows", "\(HeraldError.storeReplaced(path: path))"])
    }
  }

  @Test @MainActor func `an observer on an actor receives the error`() async throws {
    try await withTypedStore { store, path in
      let recorder = ChangeRecorder()
      let token = await store.dynamic.objects("Dog").observe(on: recorder) { recorder, change in
        if case .error = change { recorder.record("error") } else { recorder.record("rows") }
      }
      #expect(await recorder.received(1) == ["rows"])
      try replace(path)
      #expect(await recorder.received(2) == ["rows", "error"])
      withExtendedLifetime(token) {}
    }
  }
}
