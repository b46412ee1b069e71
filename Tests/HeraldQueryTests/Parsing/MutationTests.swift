import HeraldModel
import HeraldQuery
import TestSupport
import Testing

@testable import TestModel

@Suite struct MutationTests {
  static let seeds =
    PredicateTests.comparisons.map(\.0) + PredicateTests.texts.map(\.0)
    + PredicateTests.compounds.map(\.0) + PredicateTests.paths.map(\.0)

  static let typeSeeds =
    TypeTests.decimals.map(\.0) + TypeTests.identifiers.map(\.0) + TypeTests.anys.map(\.0)
    + TypeTests.types.map(\.0) + TypeTests.collections.map(\.0)

  @Test func `no text about any type does either`() {
    var random = SplitMix64(seed: firstSeed)
    let sources =
      MutationTests.typeSeeds.map { Array(("where " + $0 + " sort(mixed.a, uid)").utf8) }
      + TypeTests.stages.map { Array($0.0.utf8) }
    let cabinet = Cabinet()
    var bound = 0
    for _ in 0..<(queryCount * 5) {
      var bytes = random.pick(sources)
      for _ in 0..<(1 + random.below(4)) { mutate(&bytes, &random, sources) }
      guard let (tail, _) = try? QueryParser.parseTail(bytes, from: 0),
        let query = try? BoundQuery.bind(
          tail, root: ClassID(1), schema: Cabinet.schema, names: cabinet.names,
          reader: random.chance(50) ? cabinet.store : nil)
      else { continue }
      bound += 1
      _ = query.rows(cabinet.store)
    }
    #expect(bound > 0)
  }

  @Test func `no text, however broken, crashes or hangs`() {
    print("mutations from seed \(firstSeed)")
    var random = SplitMix64(seed: firstSeed)
    let sources = MutationTests.seeds.map {
      Array(("where " + $0 + " sort(name desc) limit(3)").utf8)
    }
    let kennel = KennelStore()
    var bound = 0
    for _ in 0..<(queryCount * 5) {
      var bytes = random.pick(sources)
      for _ in 0..<(1 + random.below(4)) { mutate(&bytes, &random, sources) }
      guard let (tail, end) = try? QueryParser.parseTail(bytes, from: 0) else { continue }
      #expect(end <= bytes.count)
      guard
        let query = try? BoundQuery.bind(
          tail, root: ClassID(1), schema: KennelStore.schema, names: kennel.names)
      else { continue }
      bound += 1
      if bound.isMultiple(of: 20) { _ = query.rows(kennel.store) }
    }
    #expect(bound > 0)
  }

  private func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64, _ sources: [[UInt8]]) {
    guard !bytes.isEmpty else { return }
    let place = random.below(bytes.count)
    switch random.below(6) {
    case 0: bytes.remove(at: place)
    case 1: bytes.insert(UInt8(random.below(256)), at: place)
    case 2: bytes[place] = random.pick(Array("()[]{}.,@#$'\"!=<>&|+-*/0123 \n\\T:".utf8))
    case 3: bytes.removeSubrange(place..<min(bytes.count, place + random.below(8)))
    case 4:
      let other = random.pick(sources)
      let start = random.below(other.count)
      bytes.insert(contentsOf: other[start..<min(other.count, start + random.below(12))], at: place)
    default: bytes.swapAt(place, random.below(bytes.count))
    }
  }
}
