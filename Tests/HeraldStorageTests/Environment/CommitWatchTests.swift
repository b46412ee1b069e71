import Glibc
import TestSupport
import Testing

@testable import HeraldStorage

@Suite struct CommitWatchTests {
  private func watches() -> Int {
    FileTree.names(in: "/proc/self/fd").count { name in
      FileTree.linkTarget("/proc/self/fd/\(name)") == "anon_inode:inotify"
    }
  }

  @Test func `many watches of many stores take one of the kernel's`() throws {
    try withFolder { folder in
      let bell = try CommitBell()
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
        try environment.write { _ = try $0.create(1) }
        let there = try Elsewhere(path).environment
        let bell = try CommitBell()
        let watch = try CommitWatch(environment.store, isWatching: isWatching) { bell.ring() }
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
      let bell = try CommitBell()
      for _ in 0..<20 {
        let watch = try CommitWatch(environment.store, isWatching: false) { bell.ring() }
        bell.quieten()
        try environment.write { _ = try $0.create(1) }
        #expect(bell.rings())
        withExtendedLifetime(watch) {}
      }
    }
  }
}
