internal import CLMDB
internal import Glibc
internal import Synchronization

/// A thread that waits for commits to a store's file, by any process, and calls a block after each
/// one; several commits in quick succession may cause one call.
///
/// A writer updates the file's times once its commit can be read (`OpenFile.announceCommit`), and
/// the kernel reports this to everyone who watches the file: no polling, no file beside the store,
/// and nothing to clean up. The kernel also reports the death of a writer between the two, since
/// its file is closed then, and the removal of the file or of the lock file. The thread sleeps in
/// the kernel and costs nothing until an event arrives.
///
/// A store without a file is watched by its folder, where the kernel reports the file that this process or another one
/// makes; from then on the file is watched.
///
/// The kernel limits the number of watching processes per user, to 128 by default. Beyond that
/// limit, the thread waits at a word of the lock file that a writer changes with every commit, and
/// checks once a second for events that no writer announces.
package final class CommitWatch: Sendable {
  private enum Waiting {
    case watcher([Int], isNameless: Bool)
    case word(WordWatch)
    case nothing
  }

  private let store: OpenStore
  private let committed: @Sendable () -> Void
  private let waiting = Mutex(Waiting.nothing)

  /// Calls `committed` on the watching thread, which the block should not occupy for long.
  /// `isWatching`: by an inotify watch if the kernel has one left. Errors: the system cannot create a thread.
  init(
    _ store: OpenStore, isWatching: Bool = true, _ committed: @escaping @Sendable () -> Void
  ) throws(StorageError) {
    self.store = store
    self.committed = committed
    try watch(isWatching: isWatching)
  }

  deinit { Self.end(waiting.withLock { $0 }) }

  /// Watches the file that the store has now, instead of the one before.
  private func watch(isWatching: Bool) throws(StorageError) {
    let file = store.current
    let new: Waiting
    if isWatching, let files = file.files,
      let watches = FileWatcher.shared.watch(files, { [weak self] in self?.notice() })
    {
      new = .watcher(watches, isNameless: file.isNameless)
    } else {
      new = .word(try WordWatch(store, committed))
    }
    let old = waiting.withLock { waiting in
      defer { waiting = new }
      return waiting
    }
    Self.end(old)
  }

  private static func end(_ waiting: Waiting) {
    switch waiting {
    case .watcher(let numbers, _): for number in numbers { FileWatcher.shared.ignore(number) }
    case .word(let watch): watch.end()
    case .nothing: break
    }
  }

  /// Calls the block, and watches the file of a store that had none.
  private func notice() {
    committed()
    guard case .watcher(_, isNameless: true) = waiting.withLock({ $0 }) else { return }
    try? store.checkFiles()
    guard !store.isNameless else { return }
    try? watch(isWatching: true)
    // What was committed before this watch is noticed now.
    committed()
  }
}

/// The watches of all files that this process has open. They share one inotify instance and one
/// thread, both of which end with the last watch.
final class FileWatcher: Sendable {
  static let shared = FileWatcher()

  private struct Watch {
    /// The kernel's watch descriptor; watches of one file share it.
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
  /// Returns the numbers to pass to `ignore`; nil if the kernel has no watches left.
  func watch(_ files: StoreFiles, _ block: @escaping @Sendable () -> Void) -> [Int]? {
    var wanted = [(Self.path(files.store), IN_ATTRIB | IN_MOVE_SELF | IN_CLOSE_WRITE)]
    if files.named != nil {
      wanted = [(FileFolder.path(of: files.path), IN_CREATE | IN_MOVED_TO)]
    }
    if let lock = files.lock { wanted.append((Self.path(lock), IN_ATTRIB | IN_MOVE_SELF)) }
    return state.withLock { state in
      guard let loop = state.loop ?? Loop.start(for: self) else { return nil }
      state.loop = loop
      var numbers: [Int] = []
      for (path, mask) in wanted {
        let descriptor = inotify_add_watch(loop.events, path, UInt32(mask))
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

  private static func path(_ file: OwnedDescriptor) -> String { "/proc/self/fd/\(file.number)" }

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

  /// The watch descriptor of an event that reports an overflow of the kernel's queue.
  private static let everything: Int32 = -1

  /// Calls the blocks of the watches with these descriptors.
  fileprivate func notify(_ descriptors: Set<Int32>) {
    let blocks = state.withLock { state in
      state.watches.values.filter {
        descriptors.contains($0.descriptor) || descriptors.contains(Self.everything)
      }.map(\.block)
    }
    for block in blocks { block() }
  }

  /// The state of the thread, which owns it: the descriptors are closed with it.
  fileprivate final class Loop: WaitingThread {
    let events: Int32
    /// A byte written to this pipe ends the thread.
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
        if count > 0 { watcher.notify(Self.descriptors(notes, count)) }
      }
    }

    /// Returns the descriptor of each event, `descriptor:i32 mask:u32 cookie:u32 length:u32 name`.
    /// The rest is ignored: the occurrence of an event is all that matters.
    private static func descriptors(_ notes: [UInt8], _ count: Int) -> Set<Int32> {
      notes.withUnsafeBytes { bytes in
        var descriptors: Set<Int32> = []
        var offset = 0
        while offset + 16 <= count {
          descriptors.insert(bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))
          let length = bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self)
          offset += 16 + Int(length)
        }
        return descriptors
      }
    }
  }
}

/// A thread that waits for the lock file's count of commits to change.
private final class WordWatch: WaitingThread {
  private let store: OpenStore
  private let committed: @Sendable () -> Void
  private let isEnded = Atomic(false)

  init(
    _ store: OpenStore, _ committed: @escaping @Sendable () -> Void
  ) throws(StorageError) {
    self.store = store
    self.committed = committed
    guard start() else { throw .explaining(errno, "watch", path: store.current.path) }
  }

  func end() {
    isEnded.store(true, ordering: .releasing)
    store.current.table?.wake()
  }

  func run() {
    while !isEnded.load(ordering: .acquiring) {
      if let table = store.current.table, let count = table.commitCount {
        // Every commit from now on changes the count.
        committed()
        table.awaitCommit(after: count, seconds: 1)
      } else {
        committed()
        sleep(1)
      }
    }
  }
}

extension StorageEnvironment {
  /// Calls `committed` after each commit of any process, including this one, until the watch is
  /// deallocated. Returns nil for a store in memory, to which no other process can commit.
  package func watchCommits(
    _ committed: @escaping @Sendable () -> Void
  ) throws(StorageError) -> CommitWatch? {
    isInMemory ? nil : try CommitWatch(store, committed)
  }
}
