internal import CLMDB
internal import Glibc
internal import Synchronization

/// A thread that waits for commits to a store's file, of whichever process, and calls a block after
/// each; several in quick succession may be one call.
///
/// A writer touches the file's times once its commit can be read (`OpenFile.announceCommit`), which
/// the kernel tells to everyone who watches the file: no polling, no file beside the store, and
/// nothing to clean up. The death of a writer between the two is told too, as its file is closed
/// then, and so is the file's or the lock file's removal. The thread sleeps in the kernel and costs
/// nothing until something happens.
///
/// The kernel lets a user have so many watching processes, 128 unless told otherwise. Where there are
/// more, the thread waits at a word of the lock file that a writer changes with every commit, and
/// looks once a second whether something happened that no writer tells.
package final class CommitWatch: Sendable {
  private enum Waiting {
    case watcher(FileWatcher, [Int])
    case word(WordWatch)
  }

  private let waiting: Waiting

  /// Calls `committed` on the watching thread, which it should not keep for long. `isWatching`: by a
  /// watch of the kernel where it has one to give. Errors: the system has no thread to give.
  init(
    _ file: OpenFile, isWatching: Bool = true, _ committed: @escaping @Sendable () -> Void
  ) throws(StorageError) {
    if isWatching, let files = file.files,
      let watches = FileWatcher.shared.watch(files, committed)
    {
      waiting = .watcher(FileWatcher.shared, watches)
    } else {
      waiting = .word(try WordWatch(file, committed))
    }
  }

  deinit {
    switch waiting {
    case .watcher(let watcher, let numbers): for number in numbers { watcher.ignore(number) }
    case .word(let watch): watch.end()
    }
  }
}

/// The watches of all the files that this process has open, by one instance of the kernel's and one
/// thread, both of which go with the last of them.
final class FileWatcher: Sendable {
  static let shared = FileWatcher()

  private struct Watch {
    /// What the kernel knows it by; watches of one file share it.
    let descriptor: Int32
    let block: @Sendable () -> Void
  }

  private struct State {
    var loop: Loop?
    var watches: [Int: Watch] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())

  /// Calls a block when a store is written to, or when it or its lock file is removed or replaced.
  /// Answers what to ignore later; nil where the kernel has no more watches.
  func watch(_ files: StoreFiles, _ block: @escaping @Sendable () -> Void) -> [Int]? {
    var wanted = [(files.store, IN_ATTRIB | IN_MOVE_SELF | IN_CLOSE_WRITE)]
    if let lock = files.lock { wanted.append((lock, IN_ATTRIB | IN_MOVE_SELF)) }
    return state.withLock { state in
      guard let loop = state.loop ?? Loop.start(for: self) else { return nil }
      state.loop = loop
      var numbers: [Int] = []
      for (file, mask) in wanted {
        let descriptor = inotify_add_watch(
          loop.events, "/proc/self/fd/\(file.number)", UInt32(mask))
        guard descriptor >= 0 else {
          for number in numbers { Self.remove(number, &state) }
          Self.endIfIdle(&state)
          return nil
        }
        state.lastNumber += 1
        state.watches[state.lastNumber] = Watch(descriptor: descriptor, block: block)
        numbers.append(state.lastNumber)
      }
      return numbers
    }
  }

  func ignore(_ number: Int) {
    state.withLock { state in
      Self.remove(number, &state)
      Self.endIfIdle(&state)
    }
  }

  private static func remove(_ number: Int, _ state: inout State) {
    guard let watch = state.watches.removeValue(forKey: number), let loop = state.loop,
      !state.watches.values.contains(where: { $0.descriptor == watch.descriptor })
    else { return }
    inotify_rm_watch(loop.events, watch.descriptor)
  }

  private static func endIfIdle(_ state: inout State) {
    guard state.watches.isEmpty else { return }
    state.loop?.end()
    state.loop = nil
  }

  /// What the kernel says where it had more to say than it could keep.
  private static let everything: Int32 = -1

  /// Something happened to the files that the kernel knows by these descriptors.
  fileprivate func tell(_ descriptors: Set<Int32>) {
    let blocks = state.withLock { state in
      state.watches.values.filter {
        descriptors.contains($0.descriptor) || descriptors.contains(Self.everything)
      }.map(\.block)
    }
    for block in blocks { block() }
  }

  /// What the thread works with, and owns: the descriptors are closed with it.
  fileprivate final class Loop: WaitingThread {
    let events: Int32
    /// A byte in it ends the thread.
    private let ended: Int32
    private let ending: OwnedDescriptor
    private let watcher: FileWatcher

    static func start(for watcher: FileWatcher) -> Loop? {
      let events = inotify_init1(O_CLOEXEC)
      guard events >= 0 else { return nil }
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else {
        close(events)
        return nil
      }
      for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      let loop = Loop(watcher, events: events, ends)
      return loop.start() ? loop : nil
    }

    private init(_ watcher: FileWatcher, events: Int32, _ ends: [Int32]) {
      self.watcher = watcher
      self.events = events
      ended = ends[0]
      ending = OwnedDescriptor(ends[1])
    }

    deinit {
      close(events)
      close(ended)
    }

    func end() {
      var word: UInt8 = 0
      _ = write(ending.number, &word, 1)
    }

    func run() {
      var sources = [
        pollfd(fd: events, events: Int16(POLLIN), revents: 0),
        pollfd(fd: ended, events: Int16(POLLIN), revents: 0),
      ]
      var notes = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        guard poll(&sources, 2, -1) > 0 else { continue }
        if sources[1].revents != 0 { return }
        let count = read(events, &notes, notes.count)
        if count > 0 { watcher.tell(Self.descriptors(notes, count)) }
      }
    }

    /// Of each event, `descriptor:i32 mask:u32 cookie:u32 length:u32 name`, the first: that something
    /// happened is the message.
    private static func descriptors(_ notes: [UInt8], _ count: Int) -> Set<Int32> {
      notes.withUnsafeBytes { bytes in
        var descriptors: Set<Int32> = []
        var place = 0
        while place + 16 <= count {
          descriptors.insert(bytes.loadUnaligned(fromByteOffset: place, as: Int32.self))
          let length = bytes.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self)
          place += 16 + Int(length)
        }
        return descriptors
      }
    }
  }
}

/// A thread that waits at the lock file's count of commits.
private final class WordWatch: WaitingThread {
  private let file: OpenFile
  private let committed: @Sendable () -> Void
  private let isEnded = Atomic(false)

  init(
    _ file: OpenFile, _ committed: @escaping @Sendable () -> Void
  ) throws(StorageError) {
    self.file = file
    self.committed = committed
    guard start() else { throw .explaining(errno, "watch", path: file.path) }
  }

  func end() {
    isEnded.store(true, ordering: .releasing)
    file.table?.wake()
  }

  func run() {
    while !isEnded.load(ordering: .acquiring) {
      if let table = file.table, let count = table.commitCount {
        // Whoever commits from now on changes the count.
        committed()
        table.awaitCommit(after: count, seconds: 1)
      } else {
        committed()
        sleep(1)
      }
    }
  }
}

/// What has a thread of its own that runs until it returns; the thread keeps it so long.
private protocol WaitingThread: AnyObject, Sendable {
  func run()
}

extension WaitingThread {
  /// False where the system has no thread to give.
  fileprivate func start() -> Bool {
    let retained = Unmanaged.passRetained(ThreadBody(run: run))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { body in
        if let body { Unmanaged<ThreadBody>.fromOpaque(body).takeRetainedValue().run() }
        return nil
      }, retained.toOpaque())
    guard code == 0 else {
      retained.release()
      errno = code
      return false
    }
    pthread_detach(thread)
    return true
  }
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(run: @escaping @Sendable () -> Void) { self.run = run }
}

extension StorageEnvironment {
  /// Calls `committed` after commits of any process, this one's among them, until the watch goes;
  /// nil for a store in memory, to which nobody else can commit.
  package func watchCommits(
    _ committed: @escaping @Sendable () -> Void
  ) throws(StorageError) -> CommitWatch? {
    isInMemory ? nil : try CommitWatch(file, committed)
  }
}
