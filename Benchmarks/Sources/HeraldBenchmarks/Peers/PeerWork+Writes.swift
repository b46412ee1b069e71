import Herald

extension PeerWork {
  /// Inserts and commits.
  static func writes(_ data: PeerData) -> [PeerWork] {
    [
      insertion(data), keyedInsertion(data),
      change(
        "write: one property set, in memory", batch: 100, { data.dogs }),
      addition(data),
      change("write: one property set, durable", batch: 1) {
        try PeerDogs(min(data.size, 10_000), in: TemporaryFolder())
      },
    ]
  }

  private static func insertion(_ data: PeerData) -> PeerWork {
    let dogs = (0..<data.size).map(PeerDogs.Dog.init)
    return PeerWork(
      name: "insert: 4 properties, in one write",
      measures: [
        (
          .herald,
          { effort in
            let samples = try effort.samples(3, units: dogs.count) { _ in
              let store = try DynamicStore()
              defer { store.close() }
              return try seconds { _ = try PeerDogs.fill(store, dogs) }
            }
            return PeerFigure(samples, result: dogs.count)
          }
        ),
        (
          .sqlite,
          { effort in
            let samples = try effort.samples(3, units: dogs.count) { _ in
              let database = try SQLiteDatabase()
              return try seconds { try PeerDogs.fill(database, dogs) }
            }
            return PeerFigure(samples, result: dogs.count)
          }
        ),
      ])
  }

  private static func keyedInsertion(_ data: PeerData) -> PeerWork {
    let people = data.census.people
    return PeerWork(
      name: "insert: 6 properties, key and index",
      measures: [
        (
          .herald,
          { effort in
            let samples = try effort.samples(3, units: people.count) { _ in
              let store = try DynamicStore()
              defer { store.close() }
              return try seconds { try Census.fill(store, people) }
            }
            return PeerFigure(samples, result: people.count)
          }
        ),
        (
          .sqlite,
          { effort in
            let samples = try effort.samples(3, units: people.count) { _ in
              let database = try SQLiteDatabase()
              return try seconds { try Census.fill(database, people) }
            }
            return PeerFigure(samples, result: people.count)
          }
        ),
      ])
  }

  /// One change per transaction.
  private static func change(
    _ name: String, batch: Int, _ dogs: @escaping () throws -> PeerDogs
  ) -> PeerWork {
    PeerWork(
      name: name,
      measures: [
        (
          .herald,
          { effort in
            let dogs = try dogs()
            return try commits(effort, batch, dogs.objects.count) { index, weight in
              try dogs.store.write {
                try dogs.objects[index].set("weight", to: .value(.double(weight)))
              }
            }
          }
        ),
        (
          .sqlite,
          { effort in
            let dogs = try dogs()
            let statement = try dogs.database.prepare("UPDATE dog SET weight = ? WHERE rowid = ?")
            return try commits(effort, batch, dogs.objects.count) { index, weight in
              statement.bind(weight, at: 1)
              statement.bind(index + 1, at: 2)
              try statement.run()
            }
          }
        ),
      ])
  }

  private static func commits(
    _ effort: Effort, _ batch: Int, _ count: Int,
    _ commit: (_ index: Int, _ weight: Double) throws -> Void
  ) throws -> PeerFigure {
    var random = SplitMix64(seed: 2)
    let samples = try effort.samples(500, units: batch) { _ in
      let indexes = random.distinct(batch, in: 0..<count)
      let weights = indexes.map { _ in Double.random(in: 0..<80, using: &random) }
      return try seconds {
        for (index, weight) in zip(indexes, weights) { try commit(index, weight) }
      }
    }
    return PeerFigure(samples, result: batch)
  }

  /// One object per transaction, in a store and a database of their own.
  private static func addition(_ data: PeerData) -> PeerWork {
    let batch = 100
    let dogs = (0..<batch).map { PeerDogs.Dog(data.size + $0) }
    return PeerWork(
      name: "write: one object added, in memory",
      measures: [
        (
          .herald,
          { effort in
            let store = data.dogs.store
            let samples = try effort.samples(500, units: batch) { _ in
              try seconds {
                for dog in dogs {
                  _ = try store.write { try store.add(Kennel.className, dog.properties) }
                }
              }
            }
            return PeerFigure(samples, result: batch)
          }
        ),
        (
          .sqlite,
          { effort in
            let statement = try data.dogs.database.prepare(PeerDogs.insertion)
            let samples = try effort.samples(500, units: batch) { _ in
              try seconds {
                for dog in dogs {
                  dog.bind(to: statement)
                  try statement.run()
                }
              }
            }
            return PeerFigure(samples, result: batch)
          }
        ),
      ])
  }
}
