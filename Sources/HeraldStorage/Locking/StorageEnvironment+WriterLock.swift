internal import Glibc
internal import Synchronization

extension StorageEnvironment {
  /// Takes the lock of the store's file, which another process may replace while this one waits.
  package func takeWriterLock(waiting: Bool) throws(StorageError) {
    let journaled = store.journaled
    // Its commit checks the files.
    if journaled.continueWriting() { return }
    while true {
      try checkFiles()
      let file = file
      guard let store = file.files?.store else { return }
      guard waitForTurn(store, waiting: waiting), WriterLock.take(store, waiting: waiting) else {
        throw .locked(path: file.path)
      }
      if waiting { leaveQueue() }
      if !hasMoved(from: file) { return journaled.beginWriting() }
      WriterLock.release(store)
    }
  }

  /// Takes the place of the process that writes next; if `waiting` is false, returns whether no other
  /// process has it.
  private func waitForTurn(_ store: OwnedDescriptor, waiting: Bool) -> Bool {
    if queued.withLock({ $0 === store }) { return true }
    let queue = StoreLocks.queue(store)
    guard waiting else { return queue.isFree }
    guard queue.take(.exclusive, waiting: true) else { return false }
    queued.withLock { $0 = store }
    return true
  }

  /// Takes the place of the process that writes next, if no other process has it: others do not begin a
  /// write until this process has written, or has left the queue.
  package func joinQueue() {
    guard let store = file.files?.store else { return }
    queued.withLock { queued in
      if queued !== store, StoreLocks.queue(store).take(.exclusive, waiting: false) {
        queued = store
      }
    }
  }

  package func leaveQueue() {
    queued.withLock { queued in
      if let store = queued { StoreLocks.queue(store).release() }
      queued = nil
    }
  }

  /// Throws `locked` if another process was writing a moment ago, or writes next. Takes no lock.
  package func checkWriterLock() throws(StorageError) {
    try checkFiles()
    guard let store = file.files?.store else { return }
    guard WriterLock.isFree(store), waitForTurn(store, waiting: false) else {
      throw .locked(path: file.path)
    }
  }

  /// Waits a moment for the end of the commit by which another process has made the store's file.
  package func awaitWriter() {
    for _ in 0..<200 {
      do throws(StorageError) {
        return try checkWriterLock()
      } catch .locked {
        usleep(2000)
      } catch {
        return
      }
    }
  }

  /// Releases the lock to writers of other processes, after a commit with `keepsLock`.
  package func releaseWriterLock() {
    if isInMemory { return }
    guard store.journaled.endWriting(), let store = file.files?.store else { return }
    WriterLock.release(store)
  }

  /// The same for files that others have replaced: another process may already hold the lock of the new ones.
  package func releaseWriterLock(of replaced: StoreFiles) {
    _ = store.journaled.endWriting()
    WriterLock.release(replaced.store)
  }
}
