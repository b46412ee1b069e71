import Herald
import Observation

/// A dog as a class of the program.
private final class Stray: Object {
  @Persisted var name = ""
  @Persisted var age = 0
}

/// Closures that Observation tracks, of which each commit concerns one: the time from the call of `write` to the end of the
/// turn, when the closure was notified.
private final class TrackedStrays {
  let store: Store
  let all: Results<Stray>
  let dogs: [Stray]
  nonisolated(unsafe) var notified = 0

  init(_ count: Int) throws {
    store = try Store()
    try store.write { [store] in
      for index in 0..<count {
        let dog = Stray()
        (dog.name, dog.age) = ("Dog \(index)", index)
        store.add(dog)
      }
    }
    all = store.objects(Stray.self)
    dogs = Array(all)
  }

  func track(_ read: () -> Void) {
    nonisolated(unsafe) let counter = self
    withObservationTracking(read) { counter.notified += 1 }
  }
}

extension HeraldBenchmarks {
  private static func tracked(
    _ name: String, read: @escaping (TrackedStrays, Int) -> Void,
    change: @escaping (Stray, _ round: Int) -> Void
  ) -> Benchmark {
    Benchmark(
      name: "tracking: \(name)", sizes: [1_000, 10_000], unit: .none, target: .atMost(20e-6)
    ) { size, effort in
      let strays = try TrackedStrays(size)
      for index in 0..<size { strays.track { read(strays, index) } }
      var random = SplitMix64(seed: 3)
      return try effort.samples(1_000) { round in
        let index = Int.random(in: 0..<size, using: &random)
        let (dog, before) = (strays.dogs[index], strays.notified)
        let time = try seconds {
          try strays.store.write { change(dog, round) }
          strays.store.refresh()
        }
        try require(strays.notified == before + 1, "another number of closures was notified")
        strays.track { read(strays, index) }
        return time
      }
    }
  }

  static func tracking() -> [Benchmark] {
    [
      tracked(
        "a property of a held object", read: { strays, index in _ = strays.dogs[index].name },
        change: { dog, round in dog.name = "\(round)" }),
      tracked(
        "a property of a row", read: { strays, index in _ = strays.all[index].name },
        change: { dog, round in dog.name = "\(round)" }),
      Benchmark(
        name: "tracking: a tracked read", sizes: [10_000], unit: .each("read"),
        target: .atMost(10e-6, .unit)
      ) { size, effort in
        let strays = try TrackedStrays(size)
        return effort.times(21, units: size) {
          strays.track { for dog in strays.dogs { _ = dog.age } }
        }
      },
    ]
  }
}
