import Glibc
import HeraldReplication
import TestSupport
import Testing

/// A server that has lost what it had acknowledged, and the machines whose files have it.
@Suite(.serialized)
struct LostTailTests {
  @Test func `a machine with commits that the stream has lost says so, and writes none`() throws {
    let servers = try NATSServers()
    try withFolder { folder in
      let path = try loseTail(servers, folder)
      let one = try DynamicStore(replicated: servers.stream("pets"), cache: path)
      #expect(one.version == 5)
      let status = try #require(one.replicaStatus)
      #expect(status.ahead == 3)
      #expect(status.lag == 0)
      #expect(status.isConnected)
      let said = "it has lost versions 3 to 5, which '\(path)' has; nothing is written until"
      #expect(status.lastError?.contains(said) == true, "\(status)")
      let error = #expect(throws: HeraldError.self) { try add("Rex", to: one) }
      #expect(error?.message.contains("'herald replicate \(path) to nats://") == true)
      #expect(try names(one) == ["0", "1", "2", "3"])
      #expect(one.version == 5)
    }
  }

  @Test func `what was lost is put back, each as the version that it was, and others follow on`()
    throws
  {
    let servers = try NATSServers()
    try withFolder { folder in
      let path = try loseTail(servers, folder)
      let two = try DynamicStore(replicated: servers.stream("pets"), cache: folder + "/two.hdb")
      #expect(two.version == 2)
      let changes = try Changes(of: two)
      let open = try DynamicStore(replicated: servers.stream("pets"), cache: path)
      #expect(open.replicaStatus?.ahead == 3)
      let refill = try servers.stream("pets").refill(from: path)
      #expect(refill.versions == 3..<6)
      #expect(refill.version == 5)
      try two.await(version: 5)
      #expect(changes.texts == ["initial 1", "+[1, 2, 3]"])
      #expect(try two.dump() == open.dump())
      #expect(try two.log().map(\.message) == ["3", "2", "1", "0", "declare"])
      // The store that was open goes on by itself.
      #expect(becomesTrue { open.replicaStatus?.ahead == 0 })
      try add("4", to: open)
      try two.await(version: 6)
      try add("5", to: two)
      try open.await(version: 7)
      let three = try DynamicStore(replicated: servers.stream("pets"), cache: folder + "/three.hdb")
      #expect(try three.dump() == open.dump())
      #expect(try two.dump() == open.dump())
      for store in [open, two, three] { #expect(store.check() == []) }
      // Again, there is nothing to do.
      #expect(try servers.stream("pets").refill(from: path).versions.isEmpty)
    }
  }

  @Test func `nothing is put back where others have committed since, and the file keeps its own`()
    throws
  {
    let servers = try NATSServers()
    try withFolder { folder in
      let path = try loseTail(servers, folder)
      for name in ["other", "another", "a third", "a fourth"] {
        let two = try DynamicStore(replicated: servers.stream("pets"), cache: folder + "/two.hdb")
        try add(name, to: two)
        let error = #expect(throws: HeraldError.self) {
          try servers.stream("pets").refill(from: path)
        }
        #expect(error?.message.contains("others have committed since") == true, "\(error as Any)")
        #expect(throws: HeraldError.self) {
          try DynamicStore(replicated: servers.stream("pets"), cache: path)
        }
        #expect(try names(DynamicStore(path: path, readOnly: true)) == ["0", "1", "2", "3"])
        leave(consume two, folder + "/two.hdb")
      }
    }
  }

  @Test func `of machines with different tails the longest wins, and the shorter follows`() throws {
    let servers = try NATSServers()
    try withFolder { folder in
      let (short, long) = (folder + "/short.hdb", folder + "/long.hdb")
      let one = try DynamicStore(replicated: servers.stream("pets"), cache: long)
      try one.declare(ReplicatedStoreTests.dog)
      try add("0", to: one)
      try servers.save(0, as: "old")
      try addLater("1", to: one)
      let two = try DynamicStore(replicated: servers.stream("pets"), cache: short)
      try two.await(version: 3)
      leave(consume two, short)
      try addLater("2", to: one)
      leave(consume one, long)
      try servers.restore(0, from: "old")
      // The shorter may even be put back first.
      #expect(try servers.stream("pets").refill(from: short).versions == 3..<4)
      let again = try DynamicStore(replicated: servers.stream("pets"), cache: short)
      #expect(again.version == 3)
      #expect(try servers.stream("pets").refill(from: long).versions == 4..<5)
      try again.await(version: 4)
      let first = try DynamicStore(replicated: servers.stream("pets"), cache: long)
      #expect(try again.dump() == first.dump())
      try add("3", to: first)
      try again.await(version: 5)
      #expect(try names(again) == ["0", "1", "2", "3"])
      // What was put back before the shorter one asks is not its to put back.
      #expect(try servers.stream("pets").refill(from: short).versions.isEmpty)
    }
  }

  @Test func `a machine with a shorter tail follows when only the longer one is put back`() throws {
    let servers = try NATSServers()
    try withFolder { folder in
      let (short, long) = (folder + "/short.hdb", folder + "/long.hdb")
      let path = try loseTail(servers, folder) { one in
        let two = try DynamicStore(replicated: servers.stream("pets"), cache: short)
        try two.await(version: one.version)
        leave(consume two, short)
        try addLater("4", to: one)
      }
      #expect(rename(path, long) == 0)
      #expect(try servers.stream("pets").refill(from: long).versions == 3..<7)
      let two = try DynamicStore(replicated: servers.stream("pets"), cache: short)
      #expect(two.version == 6)
      #expect(try names(two) == ["0", "1", "2", "3", "4"])
      #expect(two.check() == [])
      try add("5", to: two)
    }
  }

  @Test func `a stream that was lost as a whole becomes one of the whole file`() throws {
    let servers = try NATSServers()
    try withFolder { folder in
      let path = folder + "/one.hdb"
      let two = folder + "/two.hdb"
      let one = try DynamicStore(replicated: servers.stream("pets"), cache: path)
      try one.declare(ReplicatedStoreTests.dog)
      try add("0", to: one)
      try leave(DynamicStore(replicated: servers.stream("pets"), cache: two), two)
      try add("1", to: one)
      leave(consume one, path)
      try servers.lose(0)
      let lost = try DynamicStore(replicated: servers.stream("pets"), cache: path)
      #expect(lost.replicaStatus?.ahead == 3)
      #expect(throws: HeraldError.self) { try add("2", to: lost) }
      #expect(try servers.stream("pets").refill(from: path).versions == 1..<4)
      #expect(becomesTrue { lost.replicaStatus?.ahead == 0 })
      // A machine that had less, and a new one.
      let other = try DynamicStore(replicated: servers.stream("pets"), cache: two)
      let new = try DynamicStore(replicated: servers.stream("pets"), cache: folder + "/new.hdb")
      #expect(try other.dump() == lost.dump())
      #expect(try new.dump() == lost.dump())
      try add("2", to: lost)
      try new.await(version: 4)
      try other.await(version: 4)
      #expect(try names(other) == ["0", "1", "2"])
    }
  }

  @Test func `where the log is too short to compare, the error says what can be done`() throws {
    let servers = try NATSServers()
    try withFolder { folder in
      let path = try loseTail(servers, folder) { one in
        try one.keepLog(.commits(1))
        for number in 4..<6 { try add("\(number)", to: one) }
      }
      let error = #expect(throws: HeraldError.self) {
        try servers.stream("pets").refill(from: path)
      }
      let message = try #require(error?.message)
      #expect(message.contains("the log of '\(path)' no longer has"))
      #expect(message.contains("'herald replicate \(path) to nats://HOST/NAME'"))
      #expect(try servers.stream("pets2").refill(from: path).version == 7)
      let new = try DynamicStore(replicated: servers.stream("pets2"), cache: folder + "/new.hdb")
      #expect(try names(new) == ["0", "1", "2", "3", "4", "5"])
    }
  }

  @Test func `a refill that is killed at any moment may be repeated`() throws {
    let servers = try NATSServers()
    for delay in stride(from: UInt32(10_000), through: 400_000, by: 30_000) {
      try withFolder { folder in
        let name = "pets\(delay)"
        let path = try loseTail(servers, folder, name)
        let process = try ShellProcess(["replicate", path, "to", servers.address(name)])
        usleep(delay)
        process.kill()
        _ = try servers.stream(name).refill(from: path)
        let one = try DynamicStore(replicated: servers.stream(name), cache: path)
        let two = try DynamicStore(replicated: servers.stream(name), cache: folder + "/two.hdb")
        #expect(try names(two) == ["0", "1", "2", "3"])
        try add("4", to: two)
        try one.await(version: 6)
        #expect(try one.dump() == two.dump())
      }
    }
  }

  @Test func `the program says what was lost, and puts it back`() throws {
    let servers = try NATSServers()
    try withFolder { folder in
      let path = try loseTail(servers, folder)
      let address = servers.address("pets")
      let before = try ShellProcess([address, "--cache", path, "--json"]).end(input: "status\n")
      #expect(before.contains("\"ahead\":3"), "\(before)")
      #expect(before.contains("{\"warning\":{\"message\":\"stream 'pets': it is stored on one"))
      #expect(before.contains("it has lost versions 3 to 5"))
      let text = try ShellProcess(["replicate", path, "to", address]).end(input: "")
      #expect(text == "put back 3 commits, versions 3 to 5\n")
      let json = try ShellProcess(["replicate", "--json", path, "to", address]).end(input: "")
      #expect(json.contains("\"version\":5,\"putBack\":0"), "\(json)")
      let after = try ShellProcess([address, "--cache", path]).end(input: "status\ncount Dog\n")
      #expect(after.contains("herald: warning: stream 'pets': it is stored on one server"))
      #expect(after.contains("cannot be seen"))
      #expect(!after.contains("alone"))
      #expect(after.hasSuffix("4\n"), "\(after)")
    }
  }

  @Test func `three replicas are the default, which a single server refuses with what to do`()
    throws
  {
    let servers = try NATSServers()
    try withFolder { folder in
      let address = "nats://127.0.0.1:\(servers.ports[0])/pets"
      let stream = try NATSStream(address: address) { _ in nil }
      #expect(stream.replicas == 3)
      let error = #expect(throws: HeraldError.self) {
        try DynamicStore(replicated: stream, cache: folder + "/one.hdb")
      }
      #expect(error?.message.contains("pets?replicas=1' to store it on one") == true)
      let one = try DynamicStore(
        replicated: NATSStream(address: servers.address("pets")), cache: folder + "/one.hdb")
      #expect(one.replicaStatus?.warnings.first?.hasPrefix("it is stored on one server") == true)
      // A stream that exists keeps what it has.
      let two = try DynamicStore(replicated: stream, cache: folder + "/two.hdb")
      #expect(two.replicaStatus?.warnings.count == 2)
    }
  }

  // MARK: Machines

  /// Makes versions 1 to 5, and more, on a machine; then the server loses those from 3 on. Returns the machine's file.
  private func loseTail(
    _ servers: NATSServers, _ folder: String, _ name: String = "pets",
    _ more: (DynamicStore) throws -> Void = { _ in }
  ) throws -> String {
    let path = folder + "/one.hdb"
    let one = try DynamicStore(replicated: servers.stream(name), cache: path)
    try one.write(message: "declare") { try one.declare(ReplicatedStoreTests.dog) }
    try add("0", to: one)
    try servers.save(0, as: "old-\(name)")
    for number in 1..<4 { try addLater("\(number)", to: one) }
    try more(one)
    leave(consume one, path)
    try servers.restore(0, from: "old-\(name)")
    return path
  }

  private func add(_ name: String, to store: DynamicStore) throws {
    try store.write(message: name) { _ = try store.add("Dog", [("name", .value(.string(name)))]) }
  }

  /// The same, as soon as the server is there again.
  private func addLater(_ name: String, to store: DynamicStore) throws {
    for _ in 0..<100 {
      do {
        return try add(name, to: store)
      } catch HeraldError.notConnected {
        usleep(100_000)
      }
    }
    try add(name, to: store)
  }

  /// Closes a store, whose file is closed with its last reference.
  private func leave(_ store: consuming DynamicStore, _ path: String) {
    store.close()
    _ = consume store
    #expect(becomesTrue { !DynamicStore.isOpen(fileAt: path) })
  }

  private func names(_ store: DynamicStore) throws -> [String] {
    try store.objects("Dog").objects.map { dog in
      guard case .string(let name) = try dog.value("name") else { return "" }
      return name
    }
  }
}
