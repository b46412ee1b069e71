import Foundation
import HeraldEngine
import Testing

@testable import Herald

/// What a session is told that must catch up after the change log was trimmed: the two versions are
/// all that is known then.
@Suite struct TrimmedLogTests {
  /// A list of eight links, observed by a session that then falls behind, and what it is told of
  /// `change`, which is given the dogs.
  private func told(
    of change: (LiveCollection, [Object]) throws -> Void
  ) throws -> [CollectionChange] {
    var told: [CollectionChange] = []
    try withDirectory { directory in
      let store = try Store(path: directory.appendingPathComponent("trimmed.hdb").path)
      defer { store.close() }
      try store.declare(ClassDefinition(name: "Dog", properties: [.init(name: "n", element: .int)]))
      try store.declare(
        ClassDefinition(
          name: "Person",
          properties: [.init(name: "dogs", element: .link("Dog"), shape: .list)]))
      let (person, dogs) = try store.write {
        let dogs = try (0..<10).map { try store.add("Dog", [("n", .value(.int($0)))]) }
        let rows = dogs.prefix(8).map { Value.link($0.id) }
        return (try store.add("Person", [("dogs", .list(rows))]), dogs)
      }
      store.session.keepLog(entries: 2)
      let behind = Store(try store.session.apart(), named: "behind")
      let theirs = try #require(behind.object(person.id))
      let token = try theirs.collection("dogs").observe(keyPaths: []) { _, change in
        told.append(change)
      }
      try behind.endTurn()
      told = []
      try store.write { try change(person.collection("dogs"), dogs) }
      // More than the log keeps.
      for _ in 0..<4 { try store.write {} }
      try behind.refresh()
      #expect(behind.check().isEmpty)
      withExtendedLifetime(token) {}
      behind.close()
    }
    return told
  }

  @Test func `4.4 a replaced row is modified in place`() throws {
    let told = try told { rows, dogs in
      try rows.replace(at: 2, with: .link(dogs[8].id))
      try rows.replace(at: 6, with: .link(dogs[9].id))
    }
    let changes = ChangeSet(modifications: [2, 6], modificationsNew: [2, 6])
    #expect(told == [.update(changes, ownerDeleted: false)])
  }

  @Test func `4.2 rows that came, went and were replaced lead to what is there`() throws {
    let told = try told { rows, dogs in
      try rows.remove(at: 7)
      try rows.replace(at: 4, with: .link(dogs[8].id))
      try rows.insert([.link(dogs[9].id)], at: 0)
    }
    let changes = ChangeSet(
      deletions: [7], insertions: [0], modifications: [4], modificationsNew: [5])
    #expect(told == [.update(changes, ownerDeleted: false)])
  }

  @Test func `4.4 a row whose object was deleted is none that was replaced`() throws {
    let told = try told { rows, dogs in
      try dogs[3].store.delete(dogs[3])
      try rows.insert([.link(dogs[8].id)], at: 3)
    }
    #expect(told == [.update(ChangeSet(deletions: [3], insertions: [3]), ownerDeleted: false)])
  }

  @Test func `4.6 the fewest rows are told as moved`() throws {
    let told = try told { rows, _ in try rows.move(from: 1, to: 6) }
    let changes = ChangeSet(
      deletions: [1], insertions: [6], moves: [ChangeSet.Move(old: 1, new: 6)])
    #expect(told == [.update(changes, ownerDeleted: false)])
  }
}
