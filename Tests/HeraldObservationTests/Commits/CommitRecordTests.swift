import HeraldModel
import HeraldObservation
import HeraldQuery
import TestSupport
import Testing

struct CommitRecordTests {
  @Test(arguments: seeds(60))
  func `records merge to net ones, in whatever order they are joined (4.4)`(seed: UInt64) {
    var scenario = ModelScenario(seed: seed)
    let start = scenario.state
    var records: [CommitRecord] = []
    for version in 2...7 {
      let write = scenario.transaction()
      records.append(write.record(version: version))
      scenario.state = write.state
      scenario.nextElement = write.elementCount
    }
    let fromLeft = records.dropFirst().reduce(records[0]) { $0.merged(with: $1) }
    let fromRight = records.dropLast().reversed().reduce(records[5]) { $1.merged(with: $0) }
    #expect(fromLeft.violations == [], "seed \(seed)")
    #expect(fromLeft.firstVersion == 2 && fromLeft.lastVersion == 7)
    for classID in scenario.classIDs {
      let (left, right) = (fromLeft.classes[classID], fromRight.classes[classID])
      #expect(left?.created == right?.created)
      #expect(left?.deleted.keys == right?.deleted.keys, "seed \(seed)")
      let (old, new) = (Set(start.numbers(of: classID)), Set(scenario.state.numbers(of: classID)))
      #expect((left?.created.numbers).map(Array.init) ?? [] == new.subtracting(old).sorted())
      #expect(Set(left?.deleted.keys.map(\.self) ?? []) == old.subtracting(new))
      for (number, object) in left?.deleted ?? [:] {
        let values = start[ObjectID(classID, number)]?.values.filter { $0.value != .null }
        #expect(object.values == values, "seed \(seed)")
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
          let new = scenario.state[object]?.sets[property] ?? []
          #expect(set.inserted == new.subtracting(old), "seed \(seed)")
          #expect(set.removed == old.subtracting(new), "seed \(seed)")
        }
        for (number, map) in delta.maps {
          let object = ObjectID(classID, number)
          let old = start[object]?.maps[property] ?? [:]
          let new = scenario.state[object]?.maps[property] ?? [:]
          #expect(map.inserted == KeySet(new.keys).subtracting(old.keys), "seed \(seed)")
          #expect(map.removed == old.filter { new[$0.key] == nil }, "seed \(seed)")
          #expect(map.modified.allSatisfy { old[$0.key] == $0.value }, "seed \(seed)")
          #expect(map == other?.maps[number], "seed \(seed)")
        }
      }
    }
  }

  @Test(arguments: seeds(60))
  func `targets that gained or lost a link are those that the states show (3.4)`(seed: UInt64) {
    var scenario = ModelScenario(seed: seed)
    for version in 2...12 {
      let write = scenario.transaction()
      let record = write.record(version: version)
      #expect(record.violations == [], "seed \(seed)")
      let commit = ModelCommit(scenario.state, write.state, moved: [])
      let reader = ModelReader(write.state)
      for origin in scenario.classIDs {
        for property in [
          ModelScenario.link, ModelScenario.links, ModelScenario.linkSet, ModelScenario.linkMap,
          ModelScenario.mixed, ModelScenario.mixedList, ModelScenario.mixedMap,
        ] {
          let expected = commit.links.filter {
            $0.origin == origin && $0.property == property && write.state[$0.target] != nil
          }
          let found = record.backlinkChanges(through: origin, property, reader)
          #expect(
            found.filter { write.state[$0] != nil } == Set(expected.map(\.target)), "seed \(seed)")
        }
      }
      scenario.state = write.state
      scenario.nextElement = write.elementCount
    }
  }

  @Test(arguments: seeds(60))
  func `what one of several commits linked and another unlinked is a change (3.4, 4.5)`(
    seed: UInt64
  ) {
    var scenario = ModelScenario(seed: seed)
    var merged: CommitRecord?
    var expected: Set<ModelCommit.Link> = []
    for version in 2...5 {
      let write = scenario.transaction()
      let record = write.record(version: version)
      merged = merged.map { $0.merged(with: record) } ?? record
      expected.formUnion(ModelCommit(scenario.state, write.state, moved: []).links)
      scenario.state = write.state
      scenario.nextElement = write.elementCount
    }
    for origin in scenario.classIDs {
      for property in [
        ModelScenario.link, ModelScenario.links, ModelScenario.linkSet, ModelScenario.linkMap,
        ModelScenario.mixed, ModelScenario.mixedList, ModelScenario.mixedMap,
      ] {
        let found = merged?.backlinkChanges(through: origin, property, ModelReader(scenario.state))
        let there = (found ?? []).filter { scenario.state[$0] != nil }
        let wanted = expected.filter {
          $0.origin == origin && $0.property == property && scenario.state[$0.target] != nil
        }
        #expect(there == Set(wanted.map(\.target)), "seed \(seed)")
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
