internal import Glibc

/// A value that threads change, and wait for.
///
/// `@unchecked Sendable`: the mutex protects the value, and the two C values live at fixed addresses for as long as it does.
package final class Monitor<Value>: @unchecked Sendable {
  private var value: Value
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init(_ value: Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  package func read<R>(_ body: (Value) throws -> R) rethrows -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(value)
  }

  /// Changes the value, and wakes who waits.
  package func change<R>(_ body: (inout Value) throws -> R) rethrows -> R {
    try change(waking: { _ in true }, body)
  }

  /// Changes the value, and wakes who waits where the changed value is one that they wait for.
  package func change<R>(
    waking isAwaited: (Value) -> Bool, _ body: (inout Value) throws -> R
  ) rethrows -> R {
    pthread_mutex_lock(mutex)
    defer {
      if isAwaited(value) { pthread_cond_broadcast(condition) }
      pthread_mutex_unlock(mutex)
    }
    return try body(&value)
  }

  /// Waits until `isReached`, without a limit, and changes the value without waking anybody.
  package func take<R>(when isReached: (Value) -> Bool, body: (inout Value) -> R) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isReached(value) { pthread_cond_wait(condition, mutex) }
    return body(&value)
  }

  /// Waits until `isReached`, at most for `seconds`; returns whether it is.
  @discardableResult
  package func wait(_ seconds: Double, until isReached: (Value) -> Bool) -> Bool {
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    let nanoseconds = end.tv_nsec + Int(seconds * 1e9)
    end.tv_sec += nanoseconds / 1_000_000_000
    end.tv_nsec = nanoseconds % 1_000_000_000
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isReached(value) {
      if pthread_cond_timedwait(condition, mutex, &end) == ETIMEDOUT { return isReached(value) }
    }
    return true
  }
}
