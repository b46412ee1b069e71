import Glibc
import Herald

/// A class of the program.
final class Dog: Object {
  @Persisted var name = ""
  @Persisted var age = 0
}

/// Runs what waits in the main queue, as a run loop of the main thread does. Without Foundation there is no run loop, and
/// `dispatchMain` gives the thread away.
@_silgen_name("_dispatch_main_queue_callback_4CF")
private func runMainQueue(_ message: UnsafeMutableRawPointer?)

/// One commit, whose calls `scripts/commit-calls` follows by the names of the methods here: in memory, on the main thread,
/// with one observer of filtered and sorted results, in which it moves a row.
final class TracedCommit {
  private static let count = 1_000

  private let store: Store
  private let dogs: [Dog]
  private var token: NotificationToken?
  private var moves = 0

  init() throws {
    store = try Store(objectTypes: [Dog.self])
    let numbers = 0..<Self.count
    let columns: [NamedColumn] = [
      ("name", .strings(numbers.map { "Dog \($0)" })), ("age", .ints(numbers.map { $0 % 20 })),
    ]
    try store.write { [store] in _ = try store.untyped.insert("Dog", columns: columns) }
    dogs = Array(store.objects(Dog.self))
    let results = store.objects(Dog.self).where { $0.age > 3 }.sorted(by: \.age)
    token = results.observe { [unowned self] in receive($0) }
    endTurn()
  }

  /// Performs the commit a number of times, in which whatever is made once is made, and then in `traced`; exits with 1 if
  /// the observer did not see each of them.
  func perform(afterOthers times: Int) throws {
    for index in 0..<times { try commit(index) }
    try traced(times)
    guard moves == times + 1 else { exit(1) }
  }

  private func traced(_ index: Int) throws { try commit(index) }

  private func commit(_ index: Int) throws {
    try store.write { assign(index) }
    endTurn()
  }

  /// The block of the write.
  private func assign(_ index: Int) { dogs[index * 20 + 10].age = 15 }

  private func endTurn() { runMainQueue(nil) }

  /// The block of the observer.
  private func receive(_ change: CollectionChange<Results<Dog>>) {
    if case .update(_, let deletions, let insertions, _) = change, deletions.count == 1,
      insertions.count == 1
    {
      moves += 1
    }
  }
}
