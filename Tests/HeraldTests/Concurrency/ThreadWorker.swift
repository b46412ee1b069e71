import Herald
import TestSupport

@testable import TestModel

/// One session that writes at random, ends turns, and mirrors what its tokens say.
final class ThreadWorker {
  /// The rows that a token has delivered, with the values of each row at that time.
  private struct Mirror {
    var rows: [Value]
    var contents: [[Value]]
  }

  private let kennel: Kennel
  private var random: SplitMix64
  private var mirrors: [String: Mirror] = [:]
  private var tokens: [ObservationToken] = []
  var faults: [String] = []
  var commits = 0
  var notified = 0

  init(_ kennel: Kennel, seed: UInt64) {
    self.kennel = kennel
    random = SplitMix64(seed: seed)
  }

  func run(steps: Int) throws {
    try observe()
    for _ in 0..<steps where faults.isEmpty {
      switch random.below(10) {
      case 0..<6: try write()
      case 6..<9: try kennel.store.endTurn()
      default: try kennel.store.refresh()
      }
    }
    try kennel.store.endTurn()
    let version = kennel.store.version
    let isNew = try kennel.store.refresh()
    if isNew != (kennel.store.version > version) { faults.append("refresh answered \(isNew)") }
  }

  func observe() throws {
    for query in ["", "where age < 50", "sort(age, name desc)", "sort(age desc) limit(7)"] {
      tokens.append(
        try kennel.dogs(query).observe(depth: 0) { [unowned self] rows, change in
          try receive(query, change, try rows.objects)
        })
    }
    let list = try kennel.person(1).collection("dogs")
    tokens.append(
      try list.observe(depth: 0) { [unowned self] list, change in
        try receive(
          "list", change,
          try list.values.map { value in
            guard case .link(let id) = value, let object = kennel.store.object(id) else {
              throw HeraldError.noSuchObject(value.literal)
            }
            return object
          })
      })
  }

  func write() throws {
    let isRolledBack = random.chance(10)
    do {
      try kennel.write {
        guard case .int(let n) = try kennel.trigger().value("n") else { return }
        try kennel.pull(n + 1)
        for _ in 0..<random.below(4) { try change() }
        if isRolledBack { throw Rollback() }
      }
      commits += 1
    } catch is Rollback {}
  }

  private func change() throws {
    let dogs = try kennel.dogs().objects
    let dog = random.pick(dogs)
    let list = try kennel.person(1).collection("dogs")
    switch random.below(10) {
    case 0..<5: try dog.set("age", .int(random.below(100)))
    case 5: try dog.set("name", .string(random.pick(["a", "b", "c"])))
    case 6:
      let id = 1000 + random.below(1_000_000)
      if try kennel.store.object("Dog", key: .int(id)) == nil { try kennel.addDog(id) }
    case 7: if dogs.count > 20 { try kennel.store.delete(dog) }
    case 8: try list.insert([.link(dog.id)], at: random.below(list.count + 1))
    default:
      if list.count > 1 {
        try list.move(from: random.below(list.count), to: random.below(list.count))
      }
      if list.count > 12 { try list.remove(at: random.below(list.count)) }
    }
  }

  /// Rules 1.7, 4.2: what is delivered leads from what was read at the last delivery to what is
  /// read now, and a row that is not mentioned is unchanged.
  private func receive(
    _ name: String, _ change: DynamicCollectionChange, _ objects: [ObjectHandle]
  ) throws {
    notified += 1
    let new = Mirror(
      rows: objects.map { .link($0.id) },
      contents: try objects.map { try [$0.value("name"), $0.value("age"), $0.value("toy")] })
    defer { mirrors[name] = new }
    switch change {
    case .initial(let count):
      if count != objects.count || mirrors[name] != nil {
        faults.append("\(name): initial \(count)")
      }
    case .error(let error): faults.append("\(name): \(error)")
    case .mapUpdate: faults.append("\(name): an update of a map")
    case .update(let changes, let ownerDeleted):
      guard let old = mirrors[name], !ownerDeleted else {
        return faults.append("\(name): an update before initial")
      }
      if let fault = replayFault(changes, old: old.rows, new: new.rows) {
        return faults.append("\(name): \(fault)")
      }
      let stay = old.rows.indices.filter { !changes.deletions.contains($0) }
      let places = new.rows.indices.filter { !changes.insertions.contains($0) }
      for (oldRow, newRow) in zip(stay, places) where old.contents[oldRow] != new.contents[newRow] {
        if !changes.modifications.contains(oldRow) {
          faults.append("\(name): row \(oldRow) changed unreported: \(changes.text)")
        }
      }
    }
  }
}

/// What a write's block throws to be rolled back.
private struct Rollback: Error {}
