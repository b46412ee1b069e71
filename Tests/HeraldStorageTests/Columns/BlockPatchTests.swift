import HeraldModel
import TestSupport
import Testing

@testable import HeraldStorage

/// Transactions that change single values of blocks, against a plain array.
@Suite struct BlockPatchTests {
  private static let column = ColumnID(classID: 3, propertyID: 1)

  /// Values of few sizes, often at the ends of what their block holds, now and then far beyond.
  private func value(_ kind: ColumnKind, _ random: inout SplitMix64) -> StoredValue {
    let small = random.below(12) - 5
    switch kind {
    case .integers: return .integer(random.chance(0.03) ? random.integer() : small)
    case .doubles:
      if random.chance(0.0005) { return .double(.nan) }
      return .double(small == 0 && random.chance(0.5) ? -0.0 : Double(small) / 2)
    case .floats: return .float(random.chance(0.02) ? .infinity : Float(small) / 4)
    case .dates:
      let seconds = random.chance(0.02) ? random.below(1 << 40) : small
      return .date(
        Timestamp(seconds: seconds, nanoseconds: random.chance(0.1) ? Int32(random.below(300)) : 0))
    case .bytes:
      let count = random.chance(0.005) ? 1_500 : random.below(12)
      let isAlike = random.chance(0.5)
      return .bytes((0..<count).map { isAlike && $0 < 9 ? 65 : UInt8(64 + random.below(3)) })
    }
  }

  @Test(arguments: ColumnKind.allCases, 1...4)
  func `changes of single values leave blocks as whole ones would`(
    _ kind: ColumnKind, seed: Int
  ) throws {
    var random = SplitMix64(seed: seed)
    try withStore { environment in
      var twin: [StoredValue] = [.null]
      let first = try environment.beginWrite()
      for _ in 0..<700 {
        let number = try first.create(Self.column.classID)
        twin.append(random.chance(0.02) ? .null : value(kind, &random))
        try first.set(Self.column, kind, number, twin[number])
      }
      _ = try first.commit()
      var patched = 0
      for transaction in 0..<100 {
        let comment: Comment = "\(kind), seed \(seed), transaction \(transaction)"
        let write = try environment.beginWrite()
        var attempt = twin
        for _ in 0..<(random.chance(0.2) ? 8 : 1 + random.below(2)) {
          let isNew = random.chance(0.3)
          let number = isNew ? try write.create(Self.column.classID) : 1 + random.below(700)
          // The numbers of transactions that were aborted are not used again.
          while attempt.count <= number { attempt.append(.null) }
          attempt[number] = random.chance(0.03) ? .null : value(kind, &random)
          try write.set(Self.column, kind, number, attempt[number])
          let seen = attempt.indices.dropFirst().filter {
            !same(write.snapshot.value(Self.column, kind, $0), attempt[$0])
          }
          #expect(seen.isEmpty, comment)
        }
        if let changes = write.snapshot.pending { patched += changes.patches.count }
        if random.chance(0.1) {
          write.abort()
        } else {
          _ = try write.commit()
          twin = attempt
        }
        let read = try environment.beginRead()
        let kept = twin.indices.dropFirst().filter {
          !same(read.value(Self.column, kind, $0), twin[$0])
        }
        #expect(kept.isEmpty, comment)
        expectTightZones(read, kind, twin, comment)
      }
      #expect(patched > 20, "\(kind), seed \(seed)")
    }
  }

  /// Of numbers that are no numbers, the bits count.
  private func same(_ one: StoredValue, _ other: StoredValue) -> Bool {
    one == other || one.word != nil && one.word == other.word
  }

  /// The words of a block's zone, of one without a record those of nils.
  private func zone(
    _ read: StorageSnapshot, _ kind: ColumnKind, _ block: Int
  ) -> (smallest: Int, largest: Int)? {
    switch read.source(Self.column, block) {
    case .absent:
      let zone = BlockZone(BlockDraft(kind, count: 256))
      return (zone.smallest, zone.largest)
    case .flat(let flat): return (flat.smallestWord, flat.largestWord)
    case .draft: return nil
    }
  }

  /// The zones of all blocks are as narrow as their values allow.
  private func expectTightZones(
    _ read: StorageSnapshot, _ kind: ColumnKind, _ twin: [StoredValue],
    _ comment: Comment
  ) {
    for block in 0...(twin.count - 1) / 256 {
      let draft = BlockDraft(kind, count: 256)
      for row in 0..<256 where twin.indices.contains(block * 256 + row) {
        draft.set(row, twin[block * 256 + row])
      }
      let (zone, tight) = (zone(read, kind, block), BlockZone(draft))
      if kind == .bytes, twin.dropFirst(block * 256).prefix(256).contains(where: \.isLarge) {
        #expect(zone?.smallest == 0 && zone?.largest == -1, comment)
        continue
      }
      guard kind == .doubles || kind == .floats else {
        let found = zone.map { [number($0.smallest), number($0.largest)] } ?? []
        let wanted = [number(tight.smallest), number(tight.largest)]
        #expect(found == wanted || wanted[0].isNaN && found[0].isNaN, comment)
        continue
      }
      // A block of nils alone has no record.
      guard draft.isAllNull || zone?.smallest == tight.smallest && zone?.largest == tight.largest
      else {
        Issue.record(comment)
        continue
      }
    }
  }

  private func number(_ word: Int) -> Double { Double(bitPattern: UInt64(UInt(bitPattern: word))) }
}

extension StoredValue {
  /// Whether the bytes are in a record of their own.
  fileprivate var isLarge: Bool {
    if case .bytes(let bytes) = self {
      bytes.count > WriteTransaction.largestInlineBytes
    } else {
      false
    }
  }
}
