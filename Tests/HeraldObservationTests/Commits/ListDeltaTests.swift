import HeraldModel
import TestSupport
import Testing

@testable import HeraldObservation
@testable import TestModel

/// A list beside its change: elements with identities.
private struct TrackedList {
  var elements: [RecordedElement]
  var change: ListDelta
  var next: Int
  var moved: Set<Int> = []

  init(_ elements: [RecordedElement], next: Int) {
    self.elements = elements
    self.next = next
    change = ListDelta(oldCount: elements.count)
  }

  mutating func apply(_ random: inout SplitMix64) {
    switch random.below(elements.isEmpty ? 1 : 8) {
    case 0, 1:
      let count = 1 + random.below(3)
      let index = random.oneIn(2) ? elements.count : random.below(elements.count + 1)
      change.insert(at: index, count: count)
      for offset in 0..<count {
        elements.insert(RecordedElement(id: next, value: .int(random.below(4))), at: index + offset)
        next += 1
      }
    case 2, 3:
      let index = random.below(elements.count)
      change.remove(at: index, old: elements[index].value)
      elements.remove(at: index)
    case 4:
      let index = random.below(elements.count)
      let value = Value.int(random.below(4))
      change.replace(at: index, old: elements[index].value, new: value)
      elements[index].value = value
    case 5, 6:
      let (from, to) = (random.below(elements.count), random.below(elements.count))
      change.move(from: from, to: to)
      let element = elements.remove(at: from)
      elements.insert(element, at: to)
      if from != to { moved.insert(element.id) }
    default:
      guard random.oneIn(10) else { return }
      let values = elements.map(\.value)
      change.clear { values }
      elements = []
    }
  }
}

struct ListDeltaTests {
  @Test(arguments: seeds(200))
  func `a list follows its change sets, with the fewest moves (4.2, 4.3, 4.6)`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let start = (0..<random.below(12)).map { RecordedElement(id: $0, value: .int(random.below(4))) }
    var list = TrackedList(start, next: 100)
    for _ in 0..<25 {
      list.apply(&random)
      #expect(list.change.violations == [], "seed \(seed)")
      expectFits(list.change, start, list.elements, list.moved, replaced: nil, seed)
    }
  }

  @Test(arguments: seeds(200))
  func `changes in a row compose to one (4.4, 4.5)`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let start = (0..<random.below(10)).map { RecordedElement(id: $0, value: .int(random.below(4))) }
    var elements = start
    var whole = ListDelta(oldCount: start.count)
    var replaced: Set<Int> = []
    var moved: Set<Int> = []
    var next = 100
    for _ in 0..<5 {
      var list = TrackedList(elements, next: next)
      for _ in 0..<1 + random.below(6) { list.apply(&random) }
      let previous = Dictionary(uniqueKeysWithValues: elements.map { ($0.id, $0.value) })
      for element in list.elements {
        if let old = previous[element.id], old != element.value { replaced.insert(element.id) }
      }
      moved.formUnion(list.moved)
      whole = whole.composed(with: list.change)
      #expect(whole.violations == [], "seed \(seed)")
      elements = list.elements
      next = list.next
      expectFits(whole, start, elements, moved, replaced: replaced, seed)
    }
  }

  @Test(arguments: seeds(200))
  func `whether a list differs follows from the elements that are out of position (4.4)`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<20 {
      let start = (0..<random.below(5)).map {
        RecordedElement(id: $0, value: .int(random.below(2)))
      }
      var list = TrackedList(start, next: 100)
      for _ in 0..<random.below(6) { list.apply(&random) }
      let new = list.elements
      list.change.settle(old: { start[$0].value }, new: { new[$0].value })
      #expect(list.change.differs == (start.map(\.value) != new.map(\.value)), "seed \(seed)")
    }
  }

  @Test func `a run of appends is one piece, whatever its length`() {
    var change = ListDelta(oldCount: 1_000_000)
    for index in 0..<100_000 { change.insert(at: 1_000_000 + index) }
    #expect(change.pieces.count == 2)
    for _ in 0..<50_000 { change.remove(at: 0, old: .null) }
    #expect(change.pieces.count == 2)
  }

  @Test func `scattered operations cost by their number`() {
    var change = ListDelta(oldCount: 1_000_000)
    for index in stride(from: 999_990, to: 0, by: -20) { change.remove(at: index, old: .null) }
    #expect(change.newCount == 950_000)
    #expect(change.violations == [])
    #expect(change.changeSet().deletions.count == 50_000)
  }

  @Test func `links of removed elements are remembered`() {
    let links = self.links
    var change = ListDelta(oldCount: 4)
    change.remove(at: 0, old: links[0])
    change.replace(at: 0, old: links[1], new: links[2])
    #expect(change.removedLinks == [object(1), object(2)])
    change.replace(at: 0, old: links[2], new: links[1])
    #expect(change.removedLinks == [object(1)])
    change.insert(at: 0)
    change.remove(at: 0, old: links[3])
    #expect(change.removedLinks == [object(1)])
  }

  @Test func `an object with as many links after each commit is not relinked (3.4, 4.5)`() {
    var reordered = ListDelta(oldCount: 2)
    reordered.clear { [links[1], links[2]] }
    reordered.insert([links[3], links[1]], at: 0)
    reordered.settle(old: { [links[1], links[2]][$0] }, new: { [links[3], links[1]][$0] })
    #expect(reordered.relinked == [object(3), object(4)])
    var appended = ListDelta(oldCount: 2)
    appended.insert([links[2]], at: 2)
    appended.settle(
      old: { [links[3], links[1]][$0] }, new: { [links[3], links[1], links[2]][$0] })
    #expect(reordered.composed(with: appended).relinked == [object(3), object(4)])
    #expect(appended.relinked == [object(3)])
  }

  @Test(arguments: seeds(200))
  func `what was removed is known by its first value, also over several commits`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let start = (0..<random.below(10)).map { RecordedElement(id: $0, value: .int(random.below(4))) }
    var list = TrackedList(start, next: 100)
    var whole = ListDelta(oldCount: start.count)
    for _ in 0..<4 {
      for _ in 0..<random.below(6) { list.apply(&random) }
      whole = whole.composed(with: list.change)
      list = TrackedList(list.elements, next: list.next)
      let kept = Set(list.elements.map(\.id))
      let taken = Dictionary(uniqueKeysWithValues: whole.taken.map { ($0.oldIndex, $0.value) })
      let gone = start.filter { !kept.contains($0.id) }.map { ($0.id, $0.value) }
      #expect(taken == Dictionary(uniqueKeysWithValues: gone), "seed \(seed)")
      #expect(whole.violations == [], "seed \(seed)")
    }
  }

  private func object(_ number: Int) -> ObjectID { ObjectID(ClassID(1), number) }
  private var links: [Value] { (1...4).map { .link(object($0)) } }

  @Test func `sample cases of lists`() {
    var moves = ListDelta(oldCount: 10)
    moves.move(from: 1, to: 5)
    moves.move(from: 2, to: 7)
    #expect(
      moves.changeSet()
        == ChangeSet(
          deletions: [1, 3], insertions: [4, 7],
          moves: [ChangeSet.Move(old: 1, new: 4), ChangeSet.Move(old: 3, new: 7)]))
    var replaced = ListDelta(oldCount: 10)
    replaced.move(from: 5, to: 0)
    replaced.replace(at: 0, old: .int(5), new: .int(100))
    #expect(replaced.changeSet() == ChangeSet(deletions: [5], insertions: [0]))
    var next = ListDelta(oldCount: 10)
    next.remove(at: 5, old: .int(5))
    next.replace(at: 5, old: .int(6), new: .int(100))
    #expect(
      next.changeSet()
        == ChangeSet(deletions: [5], modifications: [6], modificationsNew: [5]))
    var back = ListDelta(oldCount: 10)
    back.move(from: 6, to: 1)
    back.move(from: 1, to: 6)
    #expect(back.isEmpty && back.changeSet().isEmpty)
  }
}

/// Holds a change against the lists before and after. `replaced` names the elements that count as
/// replaced; nil where values are compared end to end.
func expectFits(
  _ change: ListDelta, _ old: [RecordedElement], _ new: [RecordedElement], _ moved: Set<Int>,
  replaced: Set<Int>?, _ seed: UInt64
) {
  let changes = change.changeSet()
  let oldIndices = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1.id, $0) })
  let kept = new.enumerated().compactMap { newIndex, element in
    oldIndices[element.id].map { (old: $0, new: newIndex, id: element.id) }
  }
  // Replay by identity.
  var rows = old.map(\.id)
  for index in changes.deletions.reversed() { rows.remove(at: index) }
  for index in changes.insertions { rows.insert(new[index].id, at: index) }
  #expect(rows == new.map(\.id), "seed \(seed)")
  // Which of the kept elements stay: heaviest choice.
  let stays = kept.filter { !changes.deletions.contains($0.old) }
  let weights = kept.map { moved.contains($0.id) ? (1, 0) : (1, 1) }
  let best = heaviestRise(kept.map(\.old), weights)
  #expect(stays.count == best.0, "seed \(seed)")
  #expect(stays.count { !moved.contains($0.id) } == best.1, "seed \(seed)")
  let isReplaced = { (pair: (old: Int, new: Int, id: Int)) -> Bool in
    replaced?.contains(pair.id) ?? (old[pair.old].value != new[pair.new].value)
  }
  let modified = stays.filter(isReplaced)
  #expect(changes.modifications == modified.map(\.old), "seed \(seed)")
  #expect(changes.modificationsNew == modified.map(\.new), "seed \(seed)")
  let movedPairs = kept.filter { pair in
    changes.deletions.contains(pair.old) && !isReplaced(pair)
  }.sorted { $0.old < $1.old }
  #expect(changes.moves.map(\.old) == movedPairs.map(\.old), "seed \(seed)")
  #expect(changes.moves.map(\.new) == movedPairs.map(\.new), "seed \(seed)")
}

/// The weight of the heaviest ascending subsequence, plainly.
func heaviestRise(_ keys: [Int], _ weights: [(Int, Int)]) -> (Int, Int) {
  var best: [(Int, Int)] = []
  for index in keys.indices {
    var ahead = (0, 0)
    for other in 0..<index where keys[other] < keys[index] && ahead < best[other] {
      ahead = best[other]
    }
    best.append((ahead.0 + weights[index].0, ahead.1 + weights[index].1))
  }
  return best.max(by: <) ?? (0, 0)
}

extension ListDelta {
  /// The objects that old elements linked to which were removed or replaced.
  fileprivate var removedLinks: Set<ObjectID> {
    var links: Set<ObjectID> = []
    for value in taken.map(\.value) + replaced.values { value.forEachLink { links.insert($0) } }
    return links
  }
}
