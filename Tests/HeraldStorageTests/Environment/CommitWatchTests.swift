import Glibc
import TestSupport
import Testing

@testable import HeraldStorage

@Suite struct CommitWatchTests {
  /// A pipe that a byte goes through for each call of a watch's block.
  private final class Bell: Sendable {
    private let reading: Int32
    private let writing: Int32

    init() throws {
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      (reading, writing) = (ends[0], ends[1])
      _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    }

    deinit {
      close(reading)
      close(writing)
    }

    func ring() { _ = write(writing, [0], 1) }

    /// Forgets what was rung.
    func quieten() {
      var bytes = [UInt8](repeating: 0, count: 4096)
      while read(reading, &bytes, bytes.count) > 0 {}
    }

    /// Whether it rings.
    func rings() -> Bool { isReadable(reading, within: 60_000) }
  }

  private func watches() -> Int {
    FileTree.names(in: "/proc/self/fd").count { name in
      FileTree.linkTarget("/proc/self/fd/\(name)") == "anon_inode:inotify"
    }
  }

  @Test func `many watches of many stores take one of the kernel's`() throws {
    try withFolder { folder in
      let bell = try Bell()
      let stores = try (0..<20).map { number in
        try StorageEnvironment.open(.file("\(folder)/\(number).hdb"))
      }
      let held = try stores.flatMap { store in
        try (0..<3).map { _ in try store.watchCommits { bell.ring() } }
      }
      #expect(watches() == 1)
      for store in stores {
        bell.quieten()
        try store.write { _ = try $0.create(1) }
        #expect(bell.rings())
      }
      withExtendedLifetime(held) {}
    }
  }

  @Test(arguments: [true, false])
  func `a watch is notified of commits and of changes of the files`(isWatching: Bool) throws {
    for change in ["", "-lock"] {
      try withFolder { folder in
        let path = "\(folder)/store.hdb"
        let environment = try StorageEnvironment.open(.file(path))
        let there = try Elsewhere(path).environment
        let bell = try Bell()
        let watch = try CommitWatch(environment.file, isWatching: isWatching) { bell.ring() }
        for _ in 0..<5 {
          bell.quieten()
          try there.write { _ = try $0.create(1) }
          #expect(bell.rings())
        }
        bell.quieten()
        rename(path + change, path + ".aside")
        #expect(bell.rings())
        withExtendedLifetime(watch) {}
      }
    }
  }

  @Test func `a watch without the kernel's is notified of every commit, and ends`() throws {
    try withFolder { folder in
      let environment = try StorageEnvironment.open(.file("\(folder)/store.hdb"))
      let bell = try Bell()
      for _ in 0..<20 {
        let watch = try CommitWatch(environment.file, isWatching: false) { bell.ring() }
        bell.quieten()
        try environment.write { _ = try $0.create(1) }
        #expect(bell.rings())
        withExtendedLifetime(watch) {}
      }
    }
  }
}
