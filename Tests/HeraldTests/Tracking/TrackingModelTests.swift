import Herald
import TestSupport
import Testing

/// Closures that read at random, beside what each has read, read again after each delivery: a closure is notified if
/// and only if that differs.
struct TrackingModelTests {
  private struct Closure {
    let readings: [TrackedReading]
    let texts: [String]
    let closure: TrackedClosure
  }

  private static let dogs = 12

  @Test(arguments: seeds(60))
  func `a closure is notified if and only if what it read differs`(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/dogs.hdb"
    let store = try Store(path: path)
    var random = SplitMix64(seed: seed)
    let owner = try store.write {
      let dogs = (0..<Self.dogs).map {
        store.create(
          TrackedDog.self, value: ["id": $0, "name": "dog\($0 % 3)", "age": random.below(9)])
      }
      dogs[0].friends.append(contentsOf: [dogs[3], dogs[1]])
      dogs[0].toys.append(contentsOf: ["ball", "bone"])
      return dogs[0]
    }
    store.refresh()
    let kennel = TrackedKennel(store, owner: owner)
    var closures: [Closure] = []
    var (notified, others) = (0, 0)
    for _ in 0..<30 {
      while closures.count < 25 { closures.append(track(kennel, &random)) }
      // A second write of its own would deliver the first one.
      let isElsewhere = random.chance(40)
      let writes = isElsewhere ? random.pick([1, 1, 2, 3]) : 1
      for _ in 0..<writes {
        if isElsewhere {
          let seed = random.next()
          JoinableThread { try Self.writeElsewhere(at: path, seed) }.join()
        } else {
          try store.write { change(store, owner, &random) }
        }
        // Between a commit and its delivery.
        if random.chance(30) { closures.append(track(kennel, &random)) }
      }
      store.refresh()
      closures.removeAll { closure in
        let now = closure.readings.map { kennel.text($0) ?? "nil" }
        let isOther = now != closure.texts
        let isCompared = writes == 1 || closure.readings.allSatisfy(\.isComparedEndToEnd)
        #expect(
          closure.closure.count == (isOther ? 1 : 0) || !isOther && !isCompared,
          "seed \(seed): \(closure.readings) was \(closure.texts), is \(now)")
        if isOther { notified += 1 } else { others += 1 }
        return isOther || closure.closure.isNotified
      }
    }
    print("seed \(seed): \(notified) closures notified, \(others) times one was not")
    #expect(notified > 20 && others > 20)
  }

  /// Tracks some readings, of rows that are there.
  private func track(_ kennel: TrackedKennel, _ random: inout SplitMix64) -> Closure {
    var readings: [TrackedReading] = []
    var texts: [String] = []
    for _ in 0...random.below(3) {
      let reading = TrackedReading.random(&random, dogs: Self.dogs)
      guard let text = kennel.text(reading) else { continue }
      readings.append(reading)
      texts.append(text)
    }
    let closure = TrackedClosure {
      for reading in readings { _ = kennel.text(reading, isThere: true) }
    }
    return Closure(readings: readings, texts: texts, closure: closure)
  }

  private static func writeElsewhere(at path: String, _ seed: UInt64) throws {
    let store = try Store(path: path)
    var random = SplitMix64(seed: seed)
    guard let owner = store.object(ofType: TrackedDog.self, forPrimaryKey: 0) else { return }
    try store.write { TrackingModelTests().change(store, owner, &random) }
  }

  /// Changes some of everything: the list of friends once, since it is not compared end to end.
  private func change(_ store: Store, _ owner: TrackedDog, _ random: inout SplitMix64) {
    for _ in 0...random.below(2) {
      let dogs = Array(store.objects(TrackedDog.self))
      let dog = random.pick(dogs)
      switch random.below(12) {
      case 0...2: dog.age = random.below(9)
      case 3: dog.name = "dog\(random.below(3))"
      case 4: dog.mother = random.chance(30) ? nil : random.pick(dogs)
      case 5: if dog != owner, dogs.count > 5, random.chance(40) { store.delete(dog) }
      case 6:
        store.create(
          TrackedDog.self, value: ["id": 100 + random.below(1 << 40), "age": random.below(9)])
      case 7: if owner.toys.count < 4 { owner.toys.append(random.pick(["a", "b", "c"])) }
      case 8: owner.tags.insert(random.pick(["a", "b", "c"]))
      case 9: owner.tags.remove(random.pick(["a", "b", "c"]))
      case 10: owner.scores[random.pick(["a", "b"])] = random.chance(30) ? nil : random.below(3)
      default: if dog != owner { dog.friends = random.chance(50) ? [owner] : [] }
      }
    }
    changeFriends(store, owner, &random)
  }

  private func changeFriends(_ store: Store, _ owner: TrackedDog, _ random: inout SplitMix64) {
    let friends = owner.friends
    switch random.below(6) {
    case 0:
      let others = store.objects(TrackedDog.self).filter { !friends.contains($0) }
      if let other = others.first { friends.insert(other, at: random.below(friends.count + 1)) }
    case 1: if friends.count > 1 { friends.remove(at: random.below(friends.count)) }
    case 2:
      if friends.count > 1 {
        friends.move(from: random.below(friends.count), to: random.below(friends.count))
      }
    case 3: if owner.toys.count > 1 { owner.toys.remove(at: random.below(owner.toys.count)) }
    default: break
    }
  }
}
