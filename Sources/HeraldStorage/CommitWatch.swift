internal import Glibc

/// A thread that waits for commits to a store's file, of whichever process, and calls a block after
/// each; several in quick succession may be one call.
///
/// A writer touches the file's times once its commit can be read (`OpenFile.announceCommit`), which
/// the kernel tells to everyone who watches the file: no polling, no file beside the store, and
/// nothing to clean up. The death of a writer between the two is told too, as its file is closed
/// then. The thread sleeps in the kernel and costs nothing until something happens.
package final class CommitWatch: Sendable {
  /// Closing it ends the thread.
  private let end: Int32

  /// Calls `committed` on the watching thread, which it should not keep for long. Errors: the system
  /// has no watch or thread to give.
  init(path: String, _ committed: @escaping @Sendable () -> Void) throws(StorageError) {
    let events = inotify_init1(O_CLOEXEC)
    guard events >= 0 else { throw Self.failure(path) }
    var ends: [Int32] = [-1, -1]
    let mask = UInt32(IN_ATTRIB) | UInt32(IN_CLOSE_WRITE)
    guard inotify_add_watch(events, path, mask) >= 0, pipe(&ends) == 0 else {
      defer { close(events) }
      throw Self.failure(path)
    }
    for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    let loop = Loop(events: events, ended: ends[0], committed)
    end = ends[1]
    let retained = Unmanaged.passRetained(loop)
    var thread = pthread_t()
    guard pthread_create(&thread, nil, watch, retained.toOpaque()) == 0 else {
      retained.release()
      close(end)
      throw Self.failure(path)
    }
    pthread_detach(thread)
  }

  deinit { close(end) }

  private static func failure(_ path: String) -> StorageError {
    .explaining(errno, "watch", path: path)
  }

  /// What the thread works with, and owns: the descriptors are closed with it.
  fileprivate final class Loop: Sendable {
    private let events: Int32
    private let ended: Int32
    private let committed: @Sendable () -> Void

    init(events: Int32, ended: Int32, _ committed: @escaping @Sendable () -> Void) {
      self.events = events
      self.ended = ended
      self.committed = committed
    }

    deinit {
      close(events)
      close(ended)
    }

    func run() {
      var sources = [
        pollfd(fd: events, events: Int16(POLLIN), revents: 0),
        pollfd(fd: ended, events: Int16(POLLIN), revents: 0),
      ]
      var notes = [UInt8](repeating: 0, count: 4096)
      while true {
        guard poll(&sources, 2, -1) > 0 else { continue }
        if sources[1].revents != 0 { return }
        // What happened is all the same: that something did is the message.
        guard read(events, &notes, notes.count) > 0 else { continue }
        committed()
      }
    }
  }
}

private func watch(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let argument {
    Unmanaged<CommitWatch.Loop>.fromOpaque(argument).takeRetainedValue().run()
  }
  return nil
}

extension StorageEnvironment {
  /// Calls `committed` after commits of any process, this one's among them, until the watch goes;
  /// nil for a store in memory, to which nobody else can commit.
  package func watchCommits(
    _ committed: @escaping @Sendable () -> Void
  ) throws(StorageError) -> CommitWatch? {
    try path.map { path throws(StorageError) in try CommitWatch(path: path, committed) }
  }
}

extension OpenFile {
  /// Lets those who watch the file know that a commit can be read now. About a microsecond.
  func announceCommit() {
    if let lockDescriptor { futimens(lockDescriptor, nil) }
  }
}
