import Glibc
import HeraldStorage
import TestSupport
import Testing

/// What is made is the user's alone, and what somebody else may have put there instead of a lock
/// file is not written to.
@Suite struct LockFileTests {
  private static let nobody: uid_t = 65534

  /// Makes a store, closes it and takes its lock file away.
  private func makeStore(_ path: String) throws {
    try withStore(.file(path)) { try $0.write { _ = try $0.create(1) } }
    unlink(path + "-lock")
  }

  /// A store with something instead of its lock file cannot be opened, and that is not changed.
  private func expectRefusal(
    _ reason: String, sourceLocation: SourceLocation = #_sourceLocation,
    of put: (_ folder: String, _ lock: String) throws -> Void
  ) throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      try makeStore(path)
      try FileTree.save(Array("do not touch".utf8), to: "\(folder)/victim")
      try put(folder, path + "-lock")
      let before = FileTree.status(path + "-lock")
      for readOnly in [false, true] {
        #expect(
          throws: StorageError.cannotOpen(path: path + "-lock", reason: reason),
          sourceLocation: sourceLocation
        ) { _ = try StorageEnvironment.open(.file(path), readOnly: readOnly) }
      }
      let after = FileTree.status(path + "-lock")
      #expect(after.st_ino == before.st_ino && after.st_size == before.st_size)
      #expect(FileTree.read("\(folder)/victim") == Array("do not touch".utf8))
    }
  }

  @Test func `folders of links that killed programs left are removed, and nothing else`() throws {
    try withFolder { folder in
      func make(_ ending: String, age: Int) throws -> String {
        let path = "/dev/shm/.herald-links-\(ending)\(getpid())"
        mkdir(path, 0o700)
        for suffix in ["", "-lock"] { symlink("/proc/self/fd/3", path + "/store" + suffix) }
        if ending == "mine" { try FileTree.save(Array("kept".utf8), to: path + "/store.hdb") }
        var times = [timespec(tv_sec: time(nil) - age, tv_nsec: 0), timespec()]
        times[1] = times[0]
        utimensat(AT_FDCWD, path, times, 0)
        return path
      }
      let folders = try ["old": 7200, "new": 60, "mine": 7200].map {
        try make($0.key, age: $0.value)
      }
      defer {
        for path in folders {
          for name in ["/store", "/store-lock", "/store.hdb"] { unlink(path + name) }
          rmdir(path)
        }
      }
      try makeStore("\(folder)/store.hdb")
      #expect(access("/dev/shm/.herald-links-old\(getpid())", F_OK) != 0)
      let kept = FileTree.status("/dev/shm/.herald-links-new\(getpid())/store-lock")
      #expect(kept.st_mode & S_IFMT == S_IFLNK)
      #expect(
        FileTree.read("/dev/shm/.herald-links-mine\(getpid())/store.hdb") == Array("kept".utf8))
    }
  }

  @Test func `a symbolic link instead of a lock file is refused`() throws {
    try expectRefusal("a lock file cannot be a symbolic link; remove it") { folder, lock in
      symlink("\(folder)/victim", lock)
    }
    try expectRefusal("a lock file cannot be a symbolic link; remove it") { folder, lock in
      symlink("\(folder)/missing", lock)
    }
  }

  @Test func `a pipe and a folder instead of a lock file are refused`() throws {
    try expectRefusal("a lock file must be a regular file; remove it") { _, lock in
      mkfifo(lock, 0o666)
    }
    try expectRefusal("a lock file must be a regular file; remove it") { _, lock in
      mkdir(lock, 0o777)
    }
  }

  @Test func `a hard link to another file instead of a lock file is refused`() throws {
    try expectRefusal("a lock file cannot have a second name; remove it") { folder, lock in
      link("\(folder)/victim", lock)
    }
  }

  @Test(.enabled(if: geteuid() == 0)) func `a lock file of a stranger is refused`() throws {
    try expectRefusal("it belongs to neither the store's owner nor this user; remove it") {
      _, lock in
      try FileTree.save([], to: lock)
      chown(lock, Self.nobody, Self.nobody)
    }
  }

  @Test(arguments: [0, 0o022, 0o077, 0o777] as [mode_t])
  func `a new store is its user's alone`(mask: mode_t) async throws {
    // The mask is the whole process's.
    await #expect(processExitsWith: .success) { [mask] in
      umask(mask)
      try withFolder { folder in
        let path = "\(folder)/store.hdb"
        try withStore(.file(path)) { try $0.write { _ = try $0.create(1) } }
        for file in [path, path + "-lock"] {
          guard FileTree.permissions(file) == 0o600 else { exit(1) }
        }
      }
    }
  }

  @Test func `a new store and its lock file have the requested permissions`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      let environment = try StorageEnvironment.open(.file(path), permissions: 0o660)
      try environment.write { _ = try $0.create(1) }
      #expect(FileTree.permissions(path) == 0o660)
      #expect(FileTree.permissions(path + "-lock") == 0o660)
    }
  }

  @Test func `a new lock file has the permissions of the store`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      for wanted in [0o640, 0o664, 0o600] as [mode_t] {
        try makeStore(path)
        chmod(path, wanted)
        try withStore(.file(path)) { _ in }
        #expect(FileTree.permissions(path) == wanted)
        #expect(FileTree.permissions(path + "-lock") == wanted)
        unlink(path)
        unlink(path + "-lock")
      }
    }
  }

  @Test(.enabled(if: geteuid() == 0))
  func `the superuser's lock file is the owner's of the store`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      try makeStore(path)
      chown(path, Self.nobody, Self.nobody)
      chmod(path, 0o660)
      try withStore(.file(path)) { try $0.write { _ = try $0.create(1) } }
      let lock = FileTree.status(path + "-lock")
      #expect(lock.st_uid == Self.nobody && lock.st_gid == Self.nobody)
      #expect(FileTree.permissions(path + "-lock") == 0o660)
    }
  }

  @Test func `no descriptor of a store outlives exec`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      let environment = try StorageEnvironment.open(.file(path))
      try environment.write { _ = try $0.create(1) }
      var found: [String: Int] = [:]
      for name in FileTree.names(in: "/proc/self/fd") {
        guard let descriptor = Int32(name),
          let target = FileTree.linkTarget("/proc/self/fd/\(name)"),
          target.hasPrefix(folder + "/")
        else { continue }
        found[target, default: 0] += 1
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0, "\(target)")
      }
      // LMDB has two of the store and one of the lock file, and we one of each.
      #expect(found == [path: 3, path + "-lock": 2])
    }
  }

  @Test func `a link to a store leads to it and to its lock file`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      try makeStore(path)
      symlink(path, "\(folder)/link.hdb")
      try withStore(.file("\(folder)/link.hdb")) { #expect($0.path == path) }
      #expect(FileTree.names(in: folder) == ["link.hdb", "store.hdb", "store.hdb-lock"])
      symlink("\(folder)/nothing", "\(folder)/broken.hdb")
      #expect(
        throws: StorageError.cannotOpen(
          path: "\(folder)/broken.hdb", reason: "it is a dangling symbolic link")
      ) { _ = try StorageEnvironment.open(.file("\(folder)/broken.hdb")) }
    }
  }
}
