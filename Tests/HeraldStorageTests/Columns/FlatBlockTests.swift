import HeraldMaintenance
import HeraldModel
import TestSupport
import Testing

@testable import HeraldStorage

@Suite struct FlatBlockTests {
  static func value(_ kind: ColumnKind, _ random: inout SplitMix64) -> StoredValue {
    switch kind {
    case .integers: .integer(random.integer())
    case .doubles: .double(random.chance(0.2) ? 0 : Double(random.integer()) / 8)
    case .floats: .float(random.chance(0.2) ? 0 : Float(random.below(1000)) / 8 - 50)
    case .dates:
      .date(
        Timestamp(
          seconds: random.integer(),
          nanoseconds: random.chance(0.5) ? 0 : Int32(random.below(1000))))
    case .bytes: .bytes(random.bytes())
    }
  }

  @Test(arguments: ColumnKind.allCases, [1, 2, 3])
  func `a draft reads back from its stored form as it was`(_ kind: ColumnKind, seed: Int) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<50 {
      let count = random.chance(0.5) ? 256 : 1 + random.below(512)
      var twin = [StoredValue](repeating: .null, count: count)
      var draft = BlockDraft(kind, count: count)
      for _ in 0..<4 {
        for _ in 0..<random.below(2 * count) {
          let row = random.below(count)
          twin[row] = random.chance(0.2) ? .null : Self.value(kind, &random)
          draft.set(row, twin[row])
        }
        #expect((0..<count).map(draft.value) == twin, "seed \(seed)")
        draft.withFlatForm { block in
          #expect(block.inconsistencies(count: count).isEmpty, "seed \(seed)")
          #expect((0..<count).map { block.value(kind, $0) } == twin, "seed \(seed)")
          draft = BlockDraft(kind, block)
        }
      }
    }
  }

  @Test(arguments: [
    ([0], 0), ([0, 127], 1), ([-128], 1), ([128], 2), ([-129], 2), ([32767], 2), ([-32768], 2),
    ([32768], 4), ([Int(Int32.max)], 4), ([Int(Int32.min)], 4), ([Int(Int32.max) + 1], 8),
    ([Int(Int32.min) - 1], 8), ([Int.max], 8), ([Int.min, 1], 8), ([-1], 1),
  ])
  func `integers take the narrowest width that holds them all`(_ values: [Int], width: Int) {
    let draft = BlockDraft(.integers, count: 256)
    for (row, value) in values.enumerated() { draft.words.set(row, value) }
    draft.withFlatForm { block in
      #expect(block.width == width)
      #expect(values.indices.map { block.integer($0) } == values)
    }
  }

  @Test(arguments: [Int.max, 1 << 40, 1 << 31, 40000, 1000, 128, 100, 0])
  func `a range is tested as one by one, at every width`(_ bound: Int) {
    var random = SplitMix64(seed: bound)
    let draft = BlockDraft(.integers, count: 256)
    for row in 0..<256 where random.chance(0.9) {
      draft.words.set(row, Int.random(in: -bound...bound, using: &random))
    }
    draft.withFlatForm { block in
      for round in 0..<200 {
        let lower = round % 7 == 0 ? Int.min : random.integer()
        let upper = round % 11 == 0 ? Int.max : random.integer()
        let inverted = random.chance(0.3)
        let null = random.chance(0.3)
        let within = SIMD4<UInt64>.random(in: 0...UInt64.max, using: &random)
        let expected = (0..<256).filter { row in
          guard within.has(row) else { return false }
          if draft.isNull(row) { return null }
          return (draft.words.values[row] >= lower && draft.words.values[row] <= upper) != inverted
        }
        let test = ColumnTest.integers(lower: lower, upper: upper, inverted: inverted, null: null)
        let found = block.select(test, within: within) { _ in nil }
        #expect(found == SIMD4(rows: expected))
      }
    }
  }

  @Test(arguments: [ColumnKind.doubles, .floats])
  func `open and closed bounds of numbers, and NaN`(_ kind: ColumnKind) {
    let numbers = [-Double.infinity, -1.5, -0.0, 0.0, 0.25, 1.5, .infinity, .nan]
    let draft = BlockDraft(kind, count: 256)
    for (row, number) in numbers.enumerated() {
      draft.set(row, kind == .doubles ? .double(number) : .float(Float(number)))
    }
    draft.withFlatForm { block in
      for lower in numbers {
        for upper in numbers {
          for (openLower, openUpper) in [
            (false, false), (true, false), (false, true), (true, true),
          ] {
            let expected = numbers.indices.filter { row in
              let number = numbers[row]
              return (openLower ? number > lower : number >= lower)
                && (openUpper ? number < upper : number <= upper)
            }
            let test = ColumnTest.doubles(
              lower: lower, upper: upper, openLower: openLower, openUpper: openUpper,
              inverted: false, null: false)
            let found = block.select(test, within: SIMD4(repeating: .max)) { _ in nil }
            #expect(found == SIMD4(rows: expected), "\(lower) \(upper) \(openLower) \(openUpper)")
          }
        }
      }
    }
  }

  @Test func `sets, dates, bytes and nil are tested as one by one`() {
    var random = SplitMix64(seed: 4)
    let integers = BlockDraft(.integers, count: 256)
    let dates = BlockDraft(.dates, count: 256)
    let bytes = BlockDraft(.bytes, count: 256)
    for row in 0..<256 where random.chance(0.8) {
      integers.words.set(row, random.below(10))
      dates.setDate(
        row, Timestamp(seconds: random.below(4), nanoseconds: Int32(random.below(4))))
      bytes.set(row, .bytes([UInt8(random.below(3))]))
    }
    let all = SIMD4<UInt64>(repeating: .max)
    integers.withFlatForm { block in
      let found = block.select(
        .integerSet([1, 5], inverted: true, null: true), within: all
      ) { _ in nil }
      let expected = (0..<256).filter {
        integers.isNull($0) || ![1, 5].contains(block.integer($0))
      }
      #expect(found == SIMD4(rows: expected))
      let nils = block.select(.isNull(false), within: all) { _ in nil }
      #expect(nils == SIMD4(rows: (0..<256).filter { !integers.isNull($0) }))
    }
    dates.withFlatForm { block in
      let test = ColumnTest.dates(
        lower: Timestamp(seconds: 1, nanoseconds: 2), upper: Timestamp(seconds: 3, nanoseconds: 1),
        inverted: false, null: false)
      let found = block.select(test, within: all) { _ in nil }
      let expected = (0..<256).filter {
        !dates.isNull($0) && block.date($0) >= Timestamp(seconds: 1, nanoseconds: 2)
          && block.date($0) <= Timestamp(seconds: 3, nanoseconds: 1)
      }
      #expect(found == SIMD4(rows: expected))
    }
    bytes.withFlatForm { block in
      let equal = block.select(
        .bytesEqual([1], inverted: false, null: false), within: all
      ) { _ in nil }
      let other = block.select(.bytes(null: false) { $0.elementsEqual([1]) }, within: all) { _ in
        nil
      }
      let expected = (0..<256).filter { bytes.value($0) == .bytes([1]) }
      #expect(equal == SIMD4(rows: expected))
      #expect(other == equal)
    }
  }

  @Test func `a block that is cut or garbled is no block`() {
    let draft = BlockDraft(.bytes, count: 256)
    draft.set(3, .bytes([1, 2, 3]))
    draft.withFlatForm { block in
      let whole = [UInt8](UnsafeRawBufferPointer(start: block.base, count: block.length))
      for length in 0..<whole.count {
        whole.prefix(length).withUnsafeBytes { #expect(!FlatBlock($0).isReadable) }
      }
      var random = SplitMix64(seed: 1)
      for _ in 0..<2000 {
        var garbled = whole
        garbled[random.below(garbled.count)] = UInt8(random.below(256))
        garbled.withUnsafeBytes { _ = FlatBlock($0).inconsistencies(count: 256) }
      }
    }
  }
}
