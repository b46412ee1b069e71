import Foundation
import Herald
import TestSupport
import Testing

/// Backups: of a store that is written to, brought up to date, stopped, and refused.
@Suite struct BackupTests {
  /// Accounts between which money is moved, so that every version has the same sum.
  private static let account = ClassDefinition(
    name: "Account",
    properties: [
      .init(name: "id", element: .int, isPrimaryKey: true),
      .init(name: "money", element: .int, isIndexed: true, defaultValue: .value(.int(100))),
      .init(name: "note", element: .string, isOptional: true),
      .init(name: "friend", element: .link("Account")),
      .init(name: "friends", element: .link("Account"), shape: .list),
      .init(name: "tags", element: .string, shape: .set),
    ])

  private func makeStore(_ path: String?, accounts: Int) throws -> DynamicStore {
    let store = try path.map { try DynamicStore(path: $0) } ?? DynamicStore()
    try store.declare(Self.account)
    try store.write {
      for id in 0..<accounts {
        let note = String(repeating: "note \(id) ", count: 10 + id % 50)
        _ = try store.add("Account", [("id", .value(.int(id))), ("note", .value(.string(note)))])
      }
    }
    return store
  }

  private func change(_ store: DynamicStore, _ random: inout SplitMix64) throws {
    try store.write {
      let accounts = try store.objects("Account").objects
      let (one, other) = (
        accounts[random.below(accounts.count)], accounts[random.below(accounts.count)]
      )
      let amount = random.below(50)
      if one.id != other.id {
        try one.set("money", .int(try one.value("money").int - amount))
        try other.set("money", .int(try other.value("money").int + amount))
      }
      try one.set("friend", random.below(4) == 0 ? .null : .link(other.id))
      try other.collection("friends").append([.link(one.id)])
      if random.below(3) == 0 { try one.collection("friends").removeAll() }
      try one.collection("tags").insert(.string("tag \(random.below(20))"))
      if random.below(5) == 0, try other.value("money") == .int(0) { try store.delete(other) }
    }
  }

  private func sum(_ store: DynamicStore) throws -> Int {
    try store.objects("Account").objects.reduce(0) { try $0 + $1.value("money").int }
  }

  private func contents(_ store: DynamicStore) throws -> [String] {
    try store.objects("Account").objects.map { object in
      let values = try ["id", "money", "note", "friend"].map { try "\(object.value($0))" }
      let collections = try ["friends", "tags"].map { try "\(object.collection($0).values)" }
      return (values + collections).joined(separator: " ")
    }
  }

  @Test func `a backup is a store with the same content, at the same version, and private`() throws
  {
    try withFolder { folder in
      let store = try makeStore("\(folder)/a.hdb", accounts: 500)
      var random = SplitMix64(seed: 1)
      for _ in 0..<20 { try change(store, &random) }
      let path = "\(folder)/b.hdb"
      var steps: [BackupProgress] = []
      let version = try store.backup(to: path) { steps.append($0) }
      #expect(version == store.version)
      #expect(steps.last?.fraction == 1)
      #expect(steps.map(\.done) == steps.map(\.done).sorted())
      #expect(FileTree.permissions(path) == 0o600)
      #expect(FileTree.names(in: folder) == ["a.hdb", "a.hdb-lock", "b.hdb"])
      let copy = try DynamicStore(path: path)
      #expect(copy.version == version)
      #expect(copy.check() == [])
      #expect(try contents(copy) == contents(store))
      try change(copy, &random)
      #expect(copy.version == version + 1)
      #expect(copy.check() == [])
    }
  }

  @Test func `a store in memory is saved by a backup, and continues`() throws {
    try withFolder { folder in
      let store = try makeStore(nil, accounts: 300)
      let path = "\(folder)/m.hdb"
      let version = try store.backup(to: path)
      var random = SplitMix64(seed: 2)
      try change(store, &random)
      let copy = try DynamicStore(path: path)
      #expect(copy.version == version)
      #expect(copy.check() == [])
      #expect(try sum(copy) == 30_000)
      try store.backup(to: "\(folder)/n.hdb")
      copy.close()
      #expect(try store.backup(to: path, since: version) == store.version)
      let again = try DynamicStore(path: path)
      #expect(try contents(again) == contents(store))
      #expect(again.check() == [])
    }
  }

  @Test func `a backup has no free pages, and nothing of an open write`() throws {
    try withFolder { folder in
      let path = "\(folder)/a.hdb"
      let store = try makeStore(path, accounts: 5000)
      let objects = try store.objects("Account").objects
      try store.write { try store.delete(Array(objects.dropFirst(10))) {} }
      try store.beginWrite()
      try store.delete(store.objects("Account"))
      let copy = "\(folder)/b.hdb"
      try store.backup(to: copy)
      try store.rollbackWrite()
      #expect(FileTree.size(copy) < FileTree.size(path) * 3 / 4)
      let read = try DynamicStore(path: copy, readOnly: true)
      #expect(try read.objects("Account").count == 10)
      #expect(read.check() == [])
    }
  }

  @Test func `backups while another thread writes hold one version each`() throws {
    try withFolder { folder in
      let path = "\(folder)/a.hdb"
      let store = try makeStore(path, accounts: 400)
      let hasEnded = DispatchSemaphore(value: 0)
      let isStopped = Interruption()
      Thread {
        var random = SplitMix64(seed: 3)
        let writer = try? DynamicStore(path: path)
        while !isStopped.isRequested, let writer { try? change(writer, &random) }
        hasEnded.signal()
      }.start()
      var versions: [Int] = []
      for number in 0..<12 {
        let copyPath = "\(folder)/\(number).hdb"
        versions.append(try store.backup(to: copyPath))
        let copy = try DynamicStore(path: copyPath)
        #expect(copy.version == versions.last)
        #expect(copy.check() == [])
        #expect(try sum(copy) == 40_000)
      }
      isStopped.request()
      hasEnded.wait()
      #expect(versions == versions.sorted())
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `a backup is brought up to date any number of times`(seed: UInt64) throws {
    try withFolder { folder in
      let store = try makeStore("\(folder)/a.hdb", accounts: 300)
      let path = "\(folder)/b.hdb"
      var random = SplitMix64(seed: seed)
      var version = try store.backup(to: path)
      for round in 0..<6 {
        for _ in 0..<random.below(8) { try change(store, &random) }
        if round == 2 {
          try store.alter("Account", [.add(.init(name: "x", element: .int, isOptional: true))])
        }
        if round == 4 { try store.alter("Account", [.drop("x"), .rename("note", to: "text")]) }
        if round == 4 { try store.alter("Account", [.rename("text", to: "note")]) }
        let updated = try store.backup(to: path, since: version)
        #expect(updated == store.version)
        version = updated
        let copy = try DynamicStore(path: path)
        #expect(copy.version == version)
        #expect(copy.check() == [])
        #expect(try contents(copy) == contents(store))
        let schemas = [copy, store].map { $0.schema.classSchema(named: "Account") }
        #expect(schemas[0] == schemas[1])
      }
    }
  }

  @Test func `sessions of a backup that is brought up to date receive the changes of the store`()
    throws
  {
    try withFolder { folder in
      let store = try makeStore("\(folder)/a.hdb", accounts: 10)
      let path = "\(folder)/b.hdb"
      let version = try store.backup(to: path)
      let copy = try DynamicStore(path: path)
      var notified: [DynamicCollectionChange] = []
      let token = try copy.objects("Account").observe { notified.append($1) }
      try copy.endTurn()
      try store.write { _ = try store.add("Account", [("id", .value(.int(77)))]) }
      try store.write { try store.object("Account", key: .int(3))?.set("money", .int(1)) }
      try store.backup(to: path, since: version)
      try copy.endTurn()
      #expect(
        notified == [
          .initial(count: 10),
          .update(
            ChangeSet(insertions: [10], modifications: [3], modificationsNew: [3]),
            ownerDeleted: false),
        ])
      withExtendedLifetime(token) {}
    }
  }
}

/// What is refused, stopped and awaited.
extension BackupTests {
  @Test func `a path that is taken is refused, and what is there stays`() throws {
    try withFolder { folder in
      let own = "\(folder)/a.hdb"
      let store = try makeStore(own, accounts: 3)
      func expectRefusal(_ name: String, _ reason: String) throws {
        let path = "\(folder)/\(name)"
        #expect(throws: HeraldError.cannotWrite(path: path, reason: reason)) {
          try store.backup(to: path)
        }
      }
      let taken =
        "it exists already; choose another name, "
        + "or give the version of the backup to update it"
      try FileTree.save("x", to: "\(folder)/taken")
      try expectRefusal("taken", taken)
      #expect(FileTree.text("\(folder)/taken") == "x")
      try #require(symlink("nowhere", "\(folder)/link") == 0)
      try expectRefusal("link", "it is a symbolic link")
      try #require(mkdir("\(folder)/folder", 0o700) == 0)
      try expectRefusal("folder", "it is a directory")
      try expectRefusal("a.hdb", "it is the store itself")
      try expectRefusal("./a.hdb", "it is the store itself")
      try expectRefusal("a.hdb-lock", "it is the lock file of the store")
      try expectRefusal("none/b.hdb", "No such file or directory")
      try #require(link(own, "\(folder)/c-lock") == 0)
      try expectRefusal("c", "its lock file would be the store itself")
      #expect(
        FileTree.names(in: folder) == ["a.hdb", "a.hdb-lock", "c-lock", "folder", "link", "taken"])
      #expect(throws: HeraldError.frozen) {
        try store.objects("Account").frozen.store.backup(to: "\(folder)/d")
      }
    }
  }

  @Test func `a backup that cannot be brought up to date is an error, and stays as it was`() throws
  {
    try withFolder { folder in
      let own = "\(folder)/a.hdb"
      let path = "\(folder)/b.hdb"
      let store = try makeStore(own, accounts: 3)
      let version = try store.backup(to: path)
      func expectRefusal(_ path: String, since: Int, _ reason: String) {
        #expect(throws: HeraldError.cannotUpdate(path: path, reason: reason)) {
          try store.backup(to: path, since: since)
        }
      }
      expectRefusal(path, since: version - 1, "it is at version \(version), not \(version - 1)")
      expectRefusal(path, since: version + 1, "it is at version \(version), not \(version + 1)")
      expectRefusal(own, since: version, "it is the store itself")
      expectRefusal(folder, since: version, "it is not a regular file")
      let missing = "\(folder)/none.hdb"
      #expect(
        throws: HeraldError.cannotOpen(path: missing, reason: "No such file or directory")
      ) { try store.backup(to: missing, since: version) }
      let other = "\(folder)/other.hdb"
      try makeStore(other, accounts: 3).close()
      expectRefusal(other, since: version, "it is not a backup of this store")

      let copy = try DynamicStore(path: path)
      try copy.beginWrite()
      #expect(throws: HeraldError.locked(path: path)) {
        try store.backup(to: path, since: version)
      }
      _ = try copy.add("Account", [("id", .value(.int(9)))])
      try copy.commitWrite()
      expectRefusal(
        path, since: version + 1,
        "it was written to since it was made at version \(version): make a new backup")
      #expect(try copy.objects("Account").count == 4)
      #expect(copy.check() == [])
    }
  }

  @Test func `a backup that is stopped at any moment leaves nothing`() throws {
    try withFolder { folder in
      let store = try makeStore("\(folder)/a.hdb", accounts: 4000)
      let path = "\(folder)/b.hdb"
      let before = FileTree.names(in: folder)
      let interruption = Interruption()
      store.interruption = interruption
      var stopped = 0
      while stopped < 100 {
        interruption.request(afterChecks: stopped)
        guard (try? store.backup(to: path)) == nil else { break }
        #expect(interruption.isRequested)
        #expect(FileTree.names(in: folder) == before)
        stopped += 1
      }
      #expect(stopped > 3)
      interruption.clear()
      store.interruption = nil
      #expect(try DynamicStore.check(path: path) == [])
    }
  }

  @Test func `a backup that is being brought up to date and is stopped stays as it was`() throws {
    try withFolder { folder in
      let store = try makeStore("\(folder)/a.hdb", accounts: 4000)
      let path = "\(folder)/b.hdb"
      let version = try store.backup(to: path)
      var random = SplitMix64(seed: 5)
      for _ in 0..<5 { try change(store, &random) }
      let copy = try DynamicStore(path: path)
      let before = try contents(copy)
      let interruption = Interruption()
      store.interruption = interruption
      var stopped = 0
      while stopped < 100 {
        interruption.request(afterChecks: stopped)
        guard (try? store.backup(to: path, since: version)) == nil else { break }
        try copy.refresh()
        #expect(copy.version == version)
        #expect(try contents(copy) == before)
        stopped += 1
      }
      #expect(stopped > 3)
      interruption.clear()
      store.interruption = nil
      try copy.refresh()
      #expect(try contents(copy) == contents(store))
      #expect(copy.check() == [])
    }
  }
}

extension Value {
  fileprivate var int: Int {
    if case .int(let number) = self { return number }
    return 0
  }
}
