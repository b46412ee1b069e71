import Glibc
import Herald

extension HeraldBenchmarks {
  /// One change per transaction, without observers.
  static func transactions() -> [Benchmark] {
    let sizes = [1_000, 10_000, 100_000, 1_000_000]
    return [
      Benchmark(
        name: "transaction: set one property, in memory", sizes: sizes, unit: .each("write"),
        target: .near(900e-9, .unit)
      ) { size, effort in
        let kennel = try Kennel(size)
        return try settings(kennel.store, kennel.dogs, effort, batches: 200, batch: 100)
      },
      Benchmark(
        name: "transaction: add one object, in memory", sizes: [1_000_000], unit: .each("write")
      ) { size, effort in
        try additions(Kennel(size).store, effort, batches: 200, batch: 100)
      },
      Benchmark(
        name: "transaction: set one property, durable", sizes: [10_000], unit: .each("write"),
        target: .near(230e-6, .unit)
      ) { size, effort in
        try onDisk(size) { store, dogs in
          try settings(store, dogs, effort, batches: 500, batch: 1)
        }
      },
      Benchmark(
        name: "transaction: add one object, durable", sizes: [10_000], unit: .each("write")
      ) { size, effort in
        try onDisk(size) { store, _ in try additions(store, effort, batches: 500, batch: 1) }
      },
      Benchmark(
        name: "transaction: set one property, durable, 8 sessions at once", sizes: [10_000],
        unit: .each("write")
      ) { size, effort in
        try onDisk(size) { store, dogs in try concurrentSettings(store, dogs, effort) }
      },
      Benchmark(
        name: "transaction: (the disk: 4 kB written and synced)", sizes: [1], unit: .each("write"),
        measure: diskWrites),
    ]
  }

  private static func onDisk<R>(
    _ size: Int, _ body: (DynamicStore, [ObjectHandle]) throws -> R
  ) throws -> R {
    let folder = try TemporaryFolder()
    let store = try DynamicStore(path: folder.file("dogs.hdb"))
    defer { store.close() }
    try store.declare(Kennel.definition)
    var litter = Litter(seed: 1)
    let dogs = try store.write {
      try (0..<size).map { _ in try store.add(Kennel.className, litter.dog()) }
    }
    return try body(store, dogs)
  }

  private static func settings(
    _ store: DynamicStore, _ dogs: [ObjectHandle], _ effort: Effort, batches: Int, batch: Int
  ) throws -> Samples {
    var litter = Litter(seed: 2)
    let version = store.version
    let samples = try effort.samples(batches, units: batch) { _ in
      let changed = litter.random.distinct(batch, in: 0..<dogs.count).map { dogs[$0] }
      let weights = changed.map { _ in litter.weight() }
      return try seconds {
        for index in 0..<batch {
          try store.write { try changed[index].set("weight", to: weights[index]) }
        }
      }
    }
    try require(store.version >= version + samples.values.count * batch, "commits are missing")
    return samples
  }

  /// Writes of sessions on threads of their own, each of which commits as soon as its last write has returned.
  private static func concurrentSettings(
    _ store: DynamicStore, _ dogs: [ObjectHandle], _ effort: Effort
  ) throws -> Samples {
    let (threads, writes) = (8, 100)
    let version = store.version
    let changed = (0..<threads).map { dogs[$0 * 256].id }
    let samples = try effort.samples(20, units: threads * writes) { iteration in
      let sessions = try (0..<threads).map { Handed(store: try store.newSession(named: "\($0)")) }
      return seconds {
        // More threads than processors, which a concurrent queue would not start.
        let running = (0..<threads).map { thread in
          StartedThread {
            do {
              try write(writes, sessions[thread].store, changed[thread], seed: iteration)
            } catch {
              fatalError("\(error)")
            }
          }
        }
        for thread in running { thread.join() }
      }
    }
    try store.refresh()
    try require(
      store.version >= version + samples.values.count * threads * writes, "commits are missing")
    return samples
  }

  private static func write(
    _ count: Int, _ store: DynamicStore, _ id: ObjectID, seed: Int
  ) throws {
    guard let dog = store.object(id) else { return }
    var litter = Litter(seed: UInt64(seed))
    for _ in 0..<count {
      let weight = litter.weight()
      try store.write { try dog.set("weight", to: weight) }
    }
    store.close()
  }

  /// A session on its way to the thread that will own it.
  private struct Handed: @unchecked Sendable { let store: DynamicStore }

  private static func additions(
    _ store: DynamicStore, _ effort: Effort, batches: Int, batch: Int
  ) throws -> Samples {
    var litter = Litter(seed: 2)
    let count = try store.objects(Kennel.className).count
    let samples = try effort.samples(batches, units: batch) { _ in
      let dogs = (0..<batch).map { _ in litter.dog() }
      return try seconds {
        for dog in dogs { _ = try store.write { try store.add(Kennel.className, dog) } }
      }
    }
    let added = try store.objects(Kennel.className).count - count
    try require(added == samples.values.count * batch, "objects are missing")
    return samples
  }

  /// The time of the disk alone, for comparison with the durable figures.
  static func diskWrites(_ size: Int, _ effort: Effort) throws -> Samples {
    let folder = try TemporaryFolder()
    let file = open(folder.file("page"), O_RDWR | O_CREAT, 0o600)
    try require(file >= 0, "no file in \(folder.path)")
    defer { close(file) }
    let page = [UInt8](repeating: 7, count: 4096)
    return try effort.samples(500) { iteration in
      try seconds {
        let offset = off_t(iteration % 64 * page.count)
        try require(
          pwrite(file, page, page.count, offset) == page.count && fdatasync(file) == 0,
          "the page could not be written")
      }
    }
  }
}
