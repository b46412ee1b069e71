import HeraldModel
import HeraldQuery

/// The first rows of a sorted sequence's blocks with their sort values, by slot: what every search
/// compares with. To read a row's values takes lookups on pages that are in no cache of the processor,
/// the more the longer a key's path is.
///
/// A row's values change only while it is out of the sequence, so what is known of a first row holds
/// as long as the sequence counts no change of it.
struct SortedHeads {
  private struct Head {
    var row: ObjectNumber
    /// What the sequence had counted when the row was read.
    var changes: UInt32
    var values: [Value]
  }

  /// Longer strings and data are read where they are: a view is to stay small.
  private static let longest = 64

  private let order: RowOrder
  private var heads: [Head?] = []

  /// Reads every first row. O(blocks).
  init(of sequence: OrderedSequence, by order: RowOrder, _ reader: any ObjectReader) {
    self.order = order
    guard !order.sort.keys.isEmpty else { return }
    for slot in sequence.order where !reader.isInterrupted {
      _ = head(slot, of: sequence, reader)
    }
  }

  /// Whether the first row of the block in a slot comes before `row`, which has `values`.
  mutating func isBefore(
    _ slot: UInt32, of sequence: OrderedSequence, _ row: ObjectNumber, with values: [Value],
    _ reader: any ObjectReader
  ) -> Bool {
    let head = head(slot, of: sequence, reader)
    return order.isBefore(head.row, with: head.values, row, with: values)
  }

  /// How far on the way from one block's first row to another's `values` are, if the rows between are
  /// spread evenly: from 0 to 1; nil where that cannot be said of such values, or without reading them.
  func fraction(
    from slot: UInt32, to next: UInt32, of sequence: OrderedSequence, _ values: [Value]
  ) -> Double? {
    guard let low = known(Int(slot), of: sequence), let high = known(Int(next), of: sequence)
    else { return nil }
    return order.sort.fraction(of: values, from: low.values, to: high.values)
  }

  private func known(_ slot: Int, of sequence: OrderedSequence) -> Head? {
    guard slot < heads.count, let head = heads[slot], head.changes == sequence.headChanges[slot]
    else { return nil }
    return head
  }

  private mutating func head(
    _ slot: UInt32, of sequence: OrderedSequence, _ reader: any ObjectReader
  ) -> Head {
    let slot = Int(slot)
    if let head = known(slot, of: sequence) { return head }
    let row = sequence.head(of: slot)
    let head = Head(
      row: row, changes: sequence.headChanges[slot], values: order.values(of: row, reader))
    while heads.count <= slot { heads.append(nil) }
    let textBytes = Self.textBytes(of: head.values)
    heads[slot] = textBytes ?? .max <= Self.longest ? head : nil
    return head
  }

  /// The bytes of strings and data; nil where a list or a map is among the values.
  private static func textBytes(of values: [Value]) -> Int? {
    var bytes = 0
    for value in values {
      switch value {
      case .string(let text): bytes += text.utf8.count
      case .data(let data): bytes += data.count
      case .list, .map: return nil
      case .null, .bool, .int, .float, .double, .date, .decimal, .uuid, .objectID, .link: break
      }
    }
    return bytes
  }
}

extension SortedHeads {
  /// What is known of first rows and is not so any more.
  func violations(_ sequence: OrderedSequence, _ reader: any ObjectReader) -> [String] {
    sequence.order.compactMap { slot in
      let slot = Int(slot)
      guard let head = known(slot, of: sequence) else { return nil }
      let row = sequence.head(of: slot)
      guard head.row == row else { return "slot \(slot) begins with \(row), not with \(head.row)" }
      let values = order.values(of: row, reader)
      return order.sort.compare(values, head.values) == 0
        ? nil : "slot \(slot) is known to begin with values that number \(row) does not have"
    }
  }

  var byteCount: Int {
    let arrayHeader = order.sort.keys.isEmpty ? 0 : 32
    let values = arrayHeader + order.sort.keys.count * MemoryLayout<Value>.stride
    return heads.reduce(heads.capacity * MemoryLayout<Head?>.stride) { sum, head in
      guard let head else { return sum }
      return sum + values + (Self.textBytes(of: head.values) ?? 0)
    }
  }
}
