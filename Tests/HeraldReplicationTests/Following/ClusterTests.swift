import Glibc
import HeraldReplication
import TestSupport
import Testing

/// Three servers that fail while four processes on three machines write.
///
///     HERALD_TIMES=1 scripts/test --filter ClusterTests         half a minute
///     HERALD_TIMES=400 scripts/test --filter ClusterTests       about ten minutes
///
/// Runs on request only: on a busy machine servers that have just started may refuse connections or not answer in time.
@Suite(
  .serialized,
  .enabled(if: NATSStream.variable("HERALD_TIMES") != nil, "HERALD_TIMES=1 runs the cluster"))
struct ClusterTests {
  @Test func `nothing acknowledged is lost when servers are killed and stopped`() throws {
    let servers = try NATSServers(3)
    let folder = try TemporaryFolder()
    let count = 40 * times
    let address = servers.address + "/notes"
    // Two processes share a machine's file.
    let caches = [0, 1, 2, 2].map { "\(folder.path)/\($0).hdb" }
    let writers = try caches.map {
      try WriterProcess(cache: $0, address: address, count: count)
    }
    try fail(servers, writers, count)
    for writer in writers {
      while writer.acknowledged < count { try #require(writer.readOne()) }
    }
    // Every machine has all before the observers are compared.
    for writer in writers { #expect(writer.end() == 0) }
    var dumps: Set<String> = []
    for cache in Set(caches) {
      let store = try DynamicStore(replicated: servers.stream("notes"), cache: cache)
      var numbers: [Value: Set<Value>] = [:]
      for note in try store.objects("Note").objects {
        numbers[try note.value("writer"), default: []].insert(try note.value("number"))
      }
      for writer in writers {
        #expect(numbers[.int(writer.number)] == Set((1..<count + 1).map { .int($0) }))
      }
      dumps.insert(try store.dump())
      #expect(store.check() == [])
      store.close()
    }
    #expect(dumps.count == 1)
    withExtendedLifetime((servers, folder)) {}
  }

  @Test func `a store that is opened through a server that lags has every acknowledged commit`()
    throws
  {
    let servers = try NATSServers(3)
    let folder = try TemporaryFolder()
    let one = try DynamicStore(
      replicated: servers.stream("pets", servers: [0, 1]), cache: folder.path + "/one.hdb")
    try one.declare(ReplicatedStoreTests.dog)
    for round in 0..<3 {
      servers.pause(2)
      for number in 0..<50 {
        try one.write { _ = try one.add("Dog", [("name", .value(.string("\(number)")))]) }
      }
      servers.resume(2)
      let late = try DynamicStore(
        replicated: servers.stream("pets", servers: [2]), cache: folder.path + "/\(round).hdb")
      #expect(late.version == one.version)
      #expect(try late.dump() == one.dump())
      late.close()
    }
    one.close()
    withExtendedLifetime((servers, folder)) {}
  }

  /// Kills a server and starts it again, then stops another and continues it, as the writers progress.
  private func fail(_ servers: NATSServers, _ writers: [WriterProcess], _ count: Int) throws {
    let steps: [() throws -> Void] = [
      { servers.kill(1) }, { try servers.start(1) }, { servers.pause(2) }, { servers.resume(2) },
      {
        // A server without its disk counts as one that has lost everything: a majority of the others must have all.
        #expect(servers.isCurrent(1) && servers.isCurrent(2))
        servers.kill(0)
        servers.empty(0)
      }, { try servers.start(0) },
    ]
    for (index, step) in steps.enumerated() {
      let wanted = count * (index + 1) / (steps.count + 1)
      for writer in writers {
        while writer.acknowledged < wanted {
          try #require(writer.readOne(), "step \(index), \(writer.acknowledged) of \(wanted)")
        }
      }
      try step()
    }
  }

  private var times: Int { NATSStream.variable("HERALD_TIMES").flatMap { Int($0) } ?? 1 }
}
