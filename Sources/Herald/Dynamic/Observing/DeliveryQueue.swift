/// An actor that runs on a serial queue of the program, for observers with `on:`.
///
///     let screen = DeliveryQueue { work in DispatchQueue.main.async(execute: work) }
///     let token = try await dogs.observe(on: screen) { _, dogs, change in show(dogs, change) }
///
/// Its work runs where the closure enqueues it. Its observers end when it is released, so the program
/// must hold it.
package actor DeliveryQueue {
  /// A function that enqueues work on a serial queue, which runs it later and in order.
  package typealias Enqueue = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

  private nonisolated let executor: Executor

  /// Creates an actor that runs where `enqueue` enqueues its work.
  package init(_ enqueue: @escaping Enqueue) { executor = Executor(enqueue: enqueue) }

  /// The executor of the actor.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private final class Executor: SerialExecutor {
    private let enqueue: Enqueue

    init(enqueue: @escaping Enqueue) { self.enqueue = enqueue }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      // The closure retains the executor, which the job needs until it has run.
      enqueue { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }
}
