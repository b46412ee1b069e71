import Glibc
import HeraldReplication
import Synchronization
import TestSupport
import Testing

/// Machines that are cut off, servers that hang, and processes that are killed.
@Suite(.serialized)
struct ConnectionFailureTests {
  @Test(arguments: [1, 2])
  func `a writer whose connection is cut again and again commits everything once`(_ seed: UInt64)
    throws
  {
    let servers = try NATSServers()
    let proxy = try LossyProxy(to: servers.ports[0])
    defer { proxy.end() }
    try withFolder { folder in
      var cut = servers.stream("pets")
      cut.servers = ["nats://127.0.0.1:\(proxy.port)"]
      let two = try DynamicStore(replicated: servers.stream("pets"), cache: folder + "/two.hdb")
      try two.declare(ReplicatedStoreTests.dog)
      let one = try DynamicStore(replicated: cut, cache: folder + "/one.hdb")
      let rows = try ReplayedRows(of: two, "TRUEPREDICATE SORT(name ASC)")
      let failing = Failing(proxy, seed)
      failing.start()
      var count = 0
      // A fast machine needs more commits to be cut off twice.
      while count < 60 || failing.cuts < 2 && count < 6000 {
        let number = count
        count += 1
        try one.write {
          _ = try one.add(
            "Dog", [("name", .value(.string("\(number)"))), ("age", .value(.int(1)))])
        }
        try two.endTurn()
      }
      failing.stop()
      #expect(failing.cuts > 1)
      try two.await(version: one.version)
      #expect(try two.objects("Dog").count == count)
      #expect(one.version == count + 1)
      #expect(try two.dump() == one.dump())
      #expect(rows.difference == nil)
      #expect(one.check() == [])
    }
  }

  @Test func `a server that hangs delays a commit, and reading goes on`() throws {
    let servers = try NATSServers()
    try withFolder { folder in
      let one = try DynamicStore(replicated: servers.stream("pets"), cache: folder + "/one.hdb")
      try one.declare(ReplicatedStoreTests.dog)
      servers.pause(0)
      #expect(try one.objects("Dog").count == 0)
      let resuming = Later(3) { servers.resume(0) }
      try one.write { _ = try one.add("Dog", [("name", .value(.string("Max")))]) }
      resuming.wait()
      #expect(one.version == 2)
      #expect(try one.objects("Dog").count == 1)
      #expect(one.replicaStatus?.lag == 0)
      try #require(becomesTrue { one.replicaStatus?.isConnected == true })
    }
  }

  @Test func `a commit that hangs too long is not confirmed, and rolled back`() throws {
    let servers = try NATSServers()
    try withFolder { folder in
      var stream = servers.stream("pets")
      stream.patience = 2
      let one = try DynamicStore(replicated: stream, cache: folder + "/one.hdb")
      try one.declare(ReplicatedStoreTests.dog)
      servers.pause(0)
      let error = #expect(throws: HeraldError.self) {
        try one.write { _ = try one.add("Dog", [("name", .value(.string("Max")))]) }
      }
      servers.resume(0)
      guard case .notConfirmed("pets", _)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      // The server has it, and it arrives like another machine's.
      try one.await(version: 2)
      #expect(try one.objects("Dog").count == 1)
    }
  }

  @Test func `a stale writer is refused, and its block runs again on the newer version`() throws {
    let servers = try NATSServers()
    let proxy = try LossyProxy(to: servers.ports[0])
    defer { proxy.end() }
    try withFolder { folder in
      let one = try DynamicStore(replicated: servers.stream("pets"), cache: folder + "/one.hdb")
      try one.declare(ReplicatedStoreTests.dog)
      var late = servers.stream("pets")
      late.servers = ["nats://127.0.0.1:\(proxy.port)"]
      let two = try DynamicStore(replicated: late, cache: folder + "/two.hdb")
      let changes = try Changes(of: two)
      // By hand the error comes at once.
      try two.beginWrite()
      _ = try two.add("Dog", [("name", .value(.string("lost")))])
      try one.write { _ = try one.add("Dog", [("name", .value(.string("first")))]) }
      let error = #expect(throws: HeraldError.self) { try two.commitWrite() }
      #expect(error?.message == "another machine is writing")
      #expect(try two.objects("Dog").count == 0)
      try two.await(version: 2)
      // A block runs again, after its session's observers were notified.
      var seen: [Int] = []
      try two.write {
        if seen.isEmpty {
          try one.write { _ = try one.add("Dog", [("name", .value(.string("second")))]) }
        }
        seen.append(try two.objects("Dog").count)
        _ = try two.add("Dog", [("name", .value(.string("third")))])
      }
      #expect(seen == [1, 2])
      try one.await(version: 4)
      _ = try two.refresh()
      #expect(changes.texts == ["initial 0", "+[0]", "+[1]", "+[2]"])
      #expect(try one.dump() == two.dump())
      let names = try one.objects("Dog").objects.map { try $0.value("name") }
      #expect(names == ["first", "second", "third"].map { .string($0) })
    }
  }

  @Test func `of a writer that is killed nothing acknowledged is lost`() throws {
    let servers = try NATSServers()
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: 18)
    let watching = try DynamicStore(
      replicated: servers.stream("notes"), cache: folder.path + "/watching.hdb")
    let cache = folder.path + "/written.hdb"
    for round in 0..<20 {
      let writer = try WriterProcess(
        cache: cache, address: servers.address + "/notes", count: 1_000_000, replicas: 1)
      let wanted = Int.random(in: 0..<15, using: &random)
      while writer.acknowledged < wanted { try #require(writer.readOne()) }
      usleep(UInt32.random(in: 0..<20_000, using: &random))
      writer.kill()
      writer.readAll()
      let acknowledged = writer.acknowledged
      let again = try DynamicStore(replicated: servers.stream("notes"), cache: cache)
      try watching.await(version: again.version)
      #expect(try again.dump() == watching.dump(), "round \(round)")
      #expect(again.check() == [])
      if again.schema.classSchema(named: "Note") != nil {
        let numbers = try again.objects("Note").objects.filter {
          try $0.value("writer") == .int(writer.number)
        }.map { try $0.value("number") }
        // The last one may have been accepted without the writer knowing.
        let known = (0..<acknowledged).map { Value.int($0 + 1) }
        #expect(numbers == known || numbers == known + [.int(acknowledged + 1)], "round \(round)")
      } else {
        #expect(acknowledged == 0)
      }
      again.close()
    }
    watching.close()
    withExtendedLifetime((servers, folder)) {}
  }
}

/// A thread that cuts a connection at random moments.
private final class Failing: @unchecked Sendable {
  private let proxy: LossyProxy
  private var random: SplitMix64
  private var thread: JoinableThread?
  private let isStopped = Flag()
  private let counted = Atomic(0)

  init(_ proxy: LossyProxy, _ seed: UInt64) {
    self.proxy = proxy
    random = SplitMix64(seed: seed)
  }

  var cuts: Int { counted.load(ordering: .relaxed) }

  func start() { thread = JoinableThread { [self] in run() } }

  func stop() {
    isStopped.set()
    thread?.join()
  }

  private func run() {
    while !isStopped.isSet {
      usleep(UInt32.random(in: 1000..<150_000, using: &random))
      proxy.cut()
      counted.add(1, ordering: .relaxed)
      usleep(UInt32.random(in: 0..<100_000, using: &random))
      proxy.restore()
    }
  }
}

/// Something that is done on another thread after some seconds.
private final class Later {
  private let thread: JoinableThread

  init(_ seconds: UInt32, _ body: @escaping () -> Void) {
    nonisolated(unsafe) let body = body
    thread = JoinableThread {
      sleep(seconds)
      body()
    }
  }

  func wait() { thread.join() }
}
