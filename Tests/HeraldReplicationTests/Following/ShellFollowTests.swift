import Glibc
import HeraldReplication
import TestSupport
import Testing

/// The program's `follow` on a store whose connection is cut.
@Suite(.serialized)
struct ShellFollowTests {
  @Test func `follow goes on over reconnects, and prints each commit once and in order`() throws {
    let servers = try NATSServers()
    let proxy = try LossyProxy(to: servers.ports[0])
    defer { proxy.end() }
    let folder = try TemporaryFolder()
    let cache = folder.path + "/shell.hdb"
    let address = "nats://127.0.0.1:\(proxy.port)/pets?replicas=1"
    let shell = try ShellProcess([address, "--cache", cache])
    let (stream, path) = (servers.stream("pets"), folder.path + "/one.hdb")
    let writing = JoinableThread { try Self.write(stream, path, proxy, after: cache) }
    let commits = 1 + 3 * 8
    let output = shell.end(input: "follow store from 0 --count \(commits)\n")
    writing.join()
    let versions = output.split(separator: "\n").compactMap { line in
      line.hasPrefix("version ") ? Int(line.dropFirst(8).prefix { $0.isNumber }) : nil
    }
    #expect(versions == Array(1...commits), "\(output)")
    withExtendedLifetime((servers, folder)) {}
  }

  /// Commits while the program is connected, and while it is cut off.
  private static func write(
    _ stream: NATSStream, _ path: String, _ proxy: LossyProxy, after cache: String
  ) throws {
    _ = becomesTrue { access(cache, F_OK) == 0 }
    let store = try DynamicStore(replicated: stream, cache: path)
    try store.declare(ReplicatedStoreTests.dog)
    func add() throws {
      try store.write { _ = try store.add("Dog", [("name", .value(.string("Max")))]) }
    }
    for _ in 0..<3 {
      for _ in 0..<4 { try add() }
      usleep(400_000)
      proxy.cut()
      for _ in 0..<4 { try add() }
      usleep(400_000)
      proxy.restore()
    }
    store.close()
  }
}
