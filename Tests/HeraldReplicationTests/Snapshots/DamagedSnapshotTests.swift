import Glibc
import TestSupport
import Testing

@testable import HeraldReplication

/// Snapshots that do not have what their descriptions say.
@Suite(.serialized)
struct DamagedSnapshotTests {
  @Test func `a snapshot with another checksum or size is refused, and leaves no file`() throws {
    let servers = try NATSServers()
    try withFolder { folder in
      var stream = servers.stream("pets")
      stream.snapshotInterval = 20
      let one = try DynamicStore(replicated: stream, cache: folder + "/one.hdb")
      try one.declare(ReplicatedStoreTests.dog)
      let connection = try NATSConnection(stream)
      let loading = SnapshotLoading(stream, connection)
      var newest: SnapshotManifest?
      for _ in 0..<200 where newest == nil {
        for _ in 0..<10 {
          try one.write { _ = try one.add("Dog", [("name", .value(.string("Max")))]) }
        }
        newest = try loading.newest()
      }
      let intact = try #require(newest)
      one.close()
      var (checksum, size) = (intact, intact)
      checksum.checksum ^= 1
      size.size += 1
      for (index, damaged) in [checksum, size].enumerated() {
        _ = try connection.publish(
          damaged.encoded, to: stream.manifestSubject,
          identity: "\(index)" + SnapshotManifest.mark, last: nil)
        let path = folder + "/new\(index).hdb"
        let error = #expect(throws: HeraldError.self) {
          _ = try DynamicStore(replicated: stream, cache: path)
        }
        #expect(error?.message.contains("damaged") == true, "\(String(describing: error))")
        #expect(access(path, F_OK) != 0)
      }
      _ = try connection.publish(
        intact.encoded, to: stream.manifestSubject, identity: "2" + SnapshotManifest.mark,
        last: nil)
      let new = try DynamicStore(replicated: stream, cache: folder + "/new.hdb")
      #expect(new.check() == [])
      new.close()
    }
  }
}
