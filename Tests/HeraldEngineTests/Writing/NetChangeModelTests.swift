import HeraldMaintenance
import HeraldModel
import HeraldObservation
import TestSupport
import Testing

@testable import HeraldEngine

/// The changes of random writes, compared with the contents before and after each.
@Suite struct NetChangeModelTests {
  /// The contents of a box.
  private struct Model: Equatable {
    var number = 0
    var list: [Int] = []
    var set: Set<Int> = []
    var map: [String: Int] = [:]
  }

  private func edit(
    _ session: Session, _ box: ObjectID, _ model: inout Model, _ random: inout SplitMix64
  ) throws {
    let value = random.below(4)
    switch random.below(7) {
    case 0:
      try session.set(box, ("number", .int(value)))
      model.number = value
    case 1:
      let index = random.below(model.list.count + 1)
      try session.edit(box, "list", .insert([.int(value)], at: index))
      model.list.insert(value, at: index)
    case 2 where !model.list.isEmpty:
      let index = random.below(model.list.count)
      try session.edit(box, "list", .remove(at: index))
      model.list.remove(at: index)
    case 3 where !model.list.isEmpty:
      let index = random.below(model.list.count)
      try session.edit(box, "list", .replace(at: index, with: .int(value)))
      model.list[index] = value
    case 4:
      let isIn = model.set.contains(value)
      try session.edit(box, "set", isIn ? .removeValue(.int(value)) : .insertValue(.int(value)))
      if isIn { model.set.remove(value) } else { model.set.insert(value) }
    case 5:
      let number = random.below(2)
      try session.edit(box, "map", .setKey("\(value)", .int(number)))
      model.map["\(value)"] = number
    default:
      try session.edit(box, "map", .removeKey("\(value)"))
      model.map["\(value)"] = nil
    }
  }

  @Test(arguments: seeds(12))
  func `the record is the difference of the contents before and after`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let session = try Session.made(NetChangeTests.box)
    let boxes = try session.write {
      try (0..<3).map { _ in try session.add("Box", ("number", .int(0))) }
    }
    var models = boxes.map { _ in Model() }
    for _ in 0..<20 {
      let before = models
      try session.write {
        for _ in 0..<1 + random.below(12) {
          let index = random.below(boxes.count)
          try edit(session, boxes[index], &models[index], &random)
        }
      }
      let change = try session.loggedCommit(session.version).record.classes[boxes[0].classID]
      for (index, box) in boxes.enumerated() {
        let (old, new) = (before[index], models[index])
        let deltas = change?.properties ?? [:]
        #expect(
          deltas[PropertyID(1)]?.values[box.number]
            == (old.number == new.number ? nil : .int(old.number)), "seed \(seed)")
        #expect(
          isDifference(deltas[PropertyID(3)]?.lists[box.number], of: old.list, new.list),
          "seed \(seed)")
        let set = deltas[PropertyID(4)]?.sets[box.number] ?? SetDelta()
        #expect(set.inserted == Set(new.set.subtracting(old.set).map { .int($0) }), "seed \(seed)")
        #expect(set.removed == Set(old.set.subtracting(new.set).map { .int($0) }), "seed \(seed)")
        let map = deltas[PropertyID(5)]?.maps[box.number] ?? MapDelta()
        #expect(Set(map.inserted) == Set(new.map.keys).subtracting(old.map.keys), "seed \(seed)")
        #expect(
          map.removed == entries(old.map.filter { new.map[$0.key] == nil }), "seed \(seed)")
        #expect(
          map.modified
            == entries(old.map.filter { (new.map[$0.key] ?? $0.value) != $0.value }),
          "seed \(seed)")
      }
    }
    #expect(session.check() == [], "seed \(seed)")
  }

  private func entries(_ map: [String: Int]) -> MapEntries {
    MapEntries(map.mapValues { .int($0) })
  }

  /// Whether a list is made of the old one by its pieces, and the changed rows have their old values.
  private func isDifference(_ delta: ListDelta?, of old: [Int], _ new: [Int]) -> Bool {
    guard let delta else { return old == new }
    guard delta.oldCount == old.count, delta.newCount == new.count else { return false }
    var row = 0
    for piece in delta.pieces {
      if case .old(let start) = piece.source {
        for offset in 0..<piece.count {
          let (before, now) = (old[start + offset], new[row + offset])
          let recorded = delta.replaced[start + offset]
          if recorded != (before == now ? nil : .int(before)) { return false }
        }
      }
      row += piece.count
    }
    return true
  }
}
