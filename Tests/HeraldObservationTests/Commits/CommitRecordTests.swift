import HeraldModel
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldObservation
@testable import TestModel

struct CommitRecordTests {
  @Test(arguments: seeds(60))
  func `records merge to net ones, in whatever order they are joined (4.4)`(seed: UInt64) throws {
    let history = try CommitHistory(seed: seed, commits: 6)
    let (start, end) = (history.state(history.first), history.state(history.last))
    let records = history.records(history.first + 1...history.last)
    let fromLeft = records.dropFirst().reduce(records[0]) { $0.merged(with: $1) }
    let fromRight = records.dropLast().reversed().reduce(records[5]) { $1.merged(with: $0) }
    #expect(fromLeft.violations == [], "seed \(seed)")
    #expect(fromLeft.firstVersion == history.first + 1 && fromLeft.lastVersion == history.last)
    for classID in end.schema.classes.map(\.id) {
      let (left, right) = (fromLeft.classes[classID], fromRight.classes[classID])
      #expect(left?.created == right?.created)
      #expect(left?.deleted.keys == right?.deleted.keys, "seed \(seed)")
      let (old, new) = (Set(start.numbers(of: classID)), Set(end.numbers(of: classID)))
      #expect((left?.created.numbers).map(Array.init) ?? [] == new.subtracting(old).sorted())
      #expect(Set(left?.deleted.keys.map(\.self) ?? []) == old.subtracting(new))
      for (number, object) in left?.deleted ?? [:] {
        let values = start[ObjectID(classID, number)]?.values.filter { $0.value != .null } ?? [:]
        let found = object.values.entries.map { ($0.property, $0.value) }
        #expect(Dictionary(uniqueKeysWithValues: found) == values, "seed \(seed)")
      }
      for (property, delta) in left?.properties ?? [:] {
        let other = right?[property]
        #expect(delta.values == other?.values, "seed \(seed)")
        for (number, value) in delta.values {
          #expect(start[ObjectID(classID, number)]?.values[property] == value, "seed \(seed)")
        }
        for (number, list) in delta.lists {
          #expect(list.changeSet() == other?.lists[number]?.changeSet(), "seed \(seed)")
        }
        for (number, set) in delta.sets {
          let object = ObjectID(classID, number)
          let old = start[object]?.sets[property] ?? []
          let new = end[object]?.sets[property] ?? []
          #expect(set.inserted == new.subtracting(old), "seed \(seed)")
          #expect(set.removed == old.subtracting(new), "seed \(seed)")
        }
        for (number, map) in delta.maps {
          let object = ObjectID(classID, number)
          let old = start[object]?.maps[property] ?? [:]
          let new = end[object]?.maps[property] ?? [:]
          #expect(map.inserted == KeySet(new.keys).subtracting(old.keys), "seed \(seed)")
          #expect(map.removed == old.filter { new[$0.key] == nil }, "seed \(seed)")
          #expect(map.modified.allSatisfy { old[$0.key] == $0.value }, "seed \(seed)")
          #expect(map == other?.maps[number], "seed \(seed)")
        }
      }
    }
  }

  @Test(arguments: seeds(60))
  func `targets that gained or lost a link are those that the states show (3.4)`(
    seed: UInt64
  ) throws {
    let history = try CommitHistory(seed: seed, commits: 11)
    for version in history.first + 1...history.last {
      let record = try #require(history.level.records[version])
      #expect(record.violations == [], "seed \(seed)")
      expectTargets(record, history, version...version, "seed \(seed)")
    }
  }

  @Test(arguments: seeds(60))
  func `what one of several commits linked and another unlinked is a change (3.4, 4.5)`(
    seed: UInt64
  ) throws {
    let history = try CommitHistory(seed: seed, commits: 4)
    let versions = history.first + 1...history.last
    let records = history.records(versions)
    let merged = records.dropFirst().reduce(records[0]) { $0.merged(with: $1) }
    expectTargets(merged, history, versions, "seed \(seed)")
  }

  private func expectTargets(
    _ record: CommitRecord, _ history: CommitHistory, _ versions: ClosedRange<Int>, _ seed: String
  ) {
    let state = history.state(versions.upperBound)
    for origin in state.schema.classes {
      for property in origin.properties where property.type.holdsForwardLinks {
        let found = record.backlinkChanges(through: origin.id, property.id, ModelReader(state))
        let expected = history.targets(versions, through: origin.id, property.id)
        let isThere = { (target: ObjectID) in state[target] != nil }
        #expect(
          found.filter(isThere) == expected.filter(isThere),
          "\(seed), \(property.name) \(property.type)")
      }
    }
  }

  @Test func `number ranges are a set`() {
    var random = SplitMix64(seed: 7)
    var ranges = NumberRanges()
    var model: Set<Int> = []
    for _ in 0..<2000 {
      let number = random.below(60)
      if random.oneIn(2) {
        ranges.insert(number)
        model.insert(number)
      } else {
        ranges.remove(number)
        model.remove(number)
      }
      #expect(Array(ranges.numbers) == model.sorted() && ranges.violations == [])
      #expect(ranges.contains(number) == model.contains(number))
    }
  }
}
