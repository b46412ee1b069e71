/// A serial queue of the program's own, as an actor that observers can live on.
///
///     let screen = DeliveryQueue { work in DispatchQueue.main.async(execute: work) }
///     let token = try await dogs.observe(on: screen) { _, dogs, change in show(dogs, change) }
///
/// Whatever runs on it runs where its closure takes it. Its observers end with it, so it has to be held.
public actor DeliveryQueue {
  /// Hands work to a queue that runs it later, one piece at a time, in the order in which it came.
  public typealias Enqueue = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

  private nonisolated let executor: Executor

  public init(_ enqueue: @escaping Enqueue) { executor = Executor(enqueue: enqueue) }

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private final class Executor: SerialExecutor {
    private let enqueue: Enqueue

    init(enqueue: @escaping Enqueue) { self.enqueue = enqueue }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      // The job needs the executor until it has run.
      enqueue { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }
}
