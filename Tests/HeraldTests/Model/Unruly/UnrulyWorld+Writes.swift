import Herald
import TestSupport

@testable import TestModel

extension UnrulyWorld {
  /// A write that others may be in the way of: then it is refused before anything is changed (6.3).
  func write(_ session: Session) throws {
    let store = session.store
    let silenced = random.chance(20) ? session.mirrors.filter { _ in random.chance(30) } : []
    let tokens = silenced.filter(\.isLive).compactMap(\.token)
    do {
      try store.write(without: tokens, waiting: false) { try change(store) }
      for mirror in silenced where mirror.isLive { try mirror.skip() }
    } catch is Whim {
    } catch let error as HeraldError {
      try allow(error)
    }
  }

  /// Begins and commits by hand, which also a block may that is called while a write is begun (6.5).
  func writeByHand(_ session: Session) throws {
    let store = session.store
    do {
      try store.beginWrite(waiting: false)
      try change(store)
      try store.commitWrite()
    } catch is Whim {
      if store.isInWrite { try store.rollbackWrite() }
    } catch let error as HeraldError {
      try allow(error)
    }
  }

  /// Others may be writing; anything else is an error of ours.
  private func allow(_ error: HeraldError) throws {
    switch error {
    case .writeInProgress, .writerBusy, .tooManyNestedWrites: break
    default: throw error
    }
  }

  /// Some changes, and one that counts the write.
  func change(_ store: DynamicStore) throws {
    guard let count = try store.object("Count", key: .int(1)),
      case .int(let n) = try count.value("n")
    else { return faults.append("the count is gone") }
    if n != commits { faults.append("a write began after \(n) commits of \(commits)") }
    try count.set("n", to: .value(.int(n + 1)))
    for _ in 0..<random.below(4) { try changeDog(store) }
    commits += 1
  }

  private func changeDog(_ store: DynamicStore) throws {
    let dogs = try store.objects("Dog").objects
    guard let dog = dogs.randomElement(using: &random), dogs.count > 3 else {
      return try addDog(store)
    }
    let other = Value.link(random.pick(dogs).id)
    switch random.below(14) {
    case 0...3: try dog.set("age", .int(random.below(6)))
    case 4: try dog.set("name", .string(random.pick(["a", "b", "c"])))
    case 5: try dog.set("owner", random.chance(30) ? .null : other)
    case 6: try dog.set("toy", random.chance(30) ? .null : toy(store))
    case 7: try changeList(dog.collection("toys"), toy(store))
    case 8, 9: try changeList(dog.collection("pals"), other)
    case 10:
      let friends = try dog.collection("friends")
      if random.chance(60) { try friends.insert(other) } else { try friends.remove(other) }
    case 11:
      let (mates, key) = (try dog.collection("mates"), random.pick(["x", "y", "z"]))
      if random.chance(60) { try mates.set(key, to: other) } else { try mates.removeKey(key) }
    case 12: try addDog(store)
    default: try store.delete(dog)
    }
  }

  private func addDog(_ store: DynamicStore) throws {
    let id = 100 + random.below(1_000_000)
    guard try store.object("Dog", key: .int(id)) == nil else { return }
    let owner = try store.objects("Dog").objects.randomElement(using: &random)
    _ = try store.add(
      "Dog",
      [
        ("id", .value(.int(id))), ("age", .value(.int(random.below(6)))),
        ("name", .value(.string(random.pick(["a", "b", "c"])))),
        ("owner", .value(owner.map { .link($0.id) } ?? .null)),
      ])
  }

  private func toy(_ store: DynamicStore) throws -> Value {
    .link(
      try store.addEmbeddedObject("Toy", [("name", .value(.string(random.pick(["a", "b"]))))]).id)
  }

  private func changeList(_ list: LiveCollection, _ value: Value) throws {
    let count = list.count
    switch random.below(count == 0 ? 1 : 5) {
    case 0: try list.insert([value], at: random.below(count + 1))
    case 1: try list.replace(at: random.below(count), with: value)
    case 2: try list.append([value])
    case 3:
      try list.append([value])
      try list.move(from: count, to: random.below(count))
    default:
      try list.append([value])
      try list.remove(at: random.below(count))
      if count > 6 { try list.remove(at: 0) }
    }
  }

  /// Ends a turn, in which a block may fail once all were called.
  func turn(_ session: Session) throws {
    do { try session.store.endTurn() } catch is Whim {}
  }
}
