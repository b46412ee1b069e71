import HeraldModel
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldObservation
@testable import TestModel

/// The version before a record, read from the version after it, against the state that it was.
@Suite struct PreviousReaderTests {
  @Test(arguments: seeds(150))
  func `a read of the previous version is exact, or marked as a guess`(seed: UInt64) throws {
    let history = try CommitHistory(seed: seed, commits: 20)
    var random = SplitMix64(seed: seed)
    var (read, guessed) = (0, 0)
    var version = history.first
    while version < history.last {
      // One commit, or several as one.
      let next = min(version + (random.oneIn(3) ? 3 : 1), history.last)
      defer { version = next }
      let start = history.state(version)
      let records = history.records(version + 1...next)
      let record = records.dropFirst().reduce(records[0]) { $0.merged(with: $1) }
      let previous = PreviousReader(ModelReader(history.state(next)), before: record)
      let twin = ModelReader(start)
      for classSchema in start.schema.classes {
        #expect(
          previous.numbers(of: classSchema.id) == start.numbers(of: classSchema.id).sorted())
        for number in start.numbers(of: classSchema.id) {
          for property in classSchema.properties {
            let object = ObjectID(classSchema.id, number)
            previous.hasReadUnknownValue = false
            let (seen, known) = (
              contents(property, object, previous), contents(property, object, twin)
            )
            read += 1
            if previous.hasReadUnknownValue {
              guessed += 1
            } else {
              #expect(seen == known, "seed \(seed)")
            }
            previous.hasReadUnknownValue = false
            let (links, all) = (
              origins(of: object, property, previous), origins(of: object, property, twin)
            )
            if !previous.hasReadUnknownValue { #expect(links == all, "seed \(seed)") }
          }
        }
      }
    }
    #expect(guessed * 10 < read, "seed \(seed): \(guessed) guesses of \(read)")
  }

  private func contents(
    _ property: PropertySchema, _ object: ObjectID, _ reader: any ObjectReader
  ) -> [String] {
    guard property.type.isCollection else { return ["\(reader.value(property.id, of: object))"] }
    var contents = ["\(reader.listCount(property.id, of: object))"]
    reader.forEachElement(property.id, of: object) { element in
      contents.append("\(element)")
      return true
    }
    if property.type.shape == .map {
      for index in 0..<contents.count - 1 {
        contents.append(reader.mapKey(property.id, of: object, at: index))
      }
    }
    return contents
  }

  /// Of every property that could link to the object.
  private func origins(
    of object: ObjectID, _ property: PropertySchema, _ reader: any ObjectReader
  ) -> [String] {
    guard property.type.holdsForwardLinks else { return [] }
    var found: [String] = []
    for origin in reader.schema.classes
    where origin.property(property.id)?.type.holdsForwardLinks == true {
      reader.forEachOrigin(of: object, origin: origin.id, property: property.id) { number, links in
        found.append("\(origin.id) \(number) \(links)")
        return true
      }
    }
    return found
  }
}
