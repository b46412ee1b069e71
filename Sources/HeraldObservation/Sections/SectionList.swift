import HeraldModel
import HeraldQuery

/// Sections in the order of their keys, each with the number of its rows: a list of blocks, in which a section is found by
/// its key in O(log sections), and by its position or that of a row in O(√sections).
struct SectionList {
  /// A section, the same one as long as it is there.
  final class Section {
    /// Of a row that was there first; others may have an equal value in another form.
    let key: Value
    fileprivate(set) var count: Int

    init(key: Value, count: Int) {
      self.key = key
      self.count = count
    }
  }

  /// Where a row is.
  struct Place {
    let section: Section
    let position: SectionChangeSet.Position
  }

  private struct Block {
    var sections: [Section]
    /// The number of their rows.
    var rows: Int
  }

  private static let smallestCapacity = 512
  private var blocks: [Block] = []
  private let isAscending: Bool
  private(set) var count = 0

  /// In bytes, without the texts of keys. O(blocks).
  var byteCount: Int {
    // A section is an object with a header of two words.
    let section = 16 + MemoryLayout<Value>.stride + MemoryLayout<Int>.stride
    return blocks.reduce(blocks.capacity * MemoryLayout<Block>.stride + count * section) {
      $0 + $1.sections.capacity * MemoryLayout<Section>.stride
    }
  }

  /// The number of sections at which a block is split: about as many as there are blocks.
  private var capacity: Int { max(Self.smallestCapacity, 2 * Int(Double(count).squareRoot())) }

  /// - Parameter sections: in order.
  init(_ sections: [Section], isAscending: Bool) {
    self.isAscending = isAscending
    count = sections.count
    let size = capacity / 2
    for start in stride(from: 0, to: sections.count, by: size) {
      let part = Array(sections[start..<min(start + size, sections.count)])
      blocks.append(Block(sections: part, rows: part.reduce(0) { $0 + $1.count }))
    }
  }

  var sections: [Section] { blocks.flatMap(\.sections) }

  /// Where a row is, by its position among all rows.
  func place(ofRow row: Int) -> Place {
    var (index, rest, block) = (0, row, 0)
    while rest >= blocks[block].rows {
      rest -= blocks[block].rows
      index += blocks[block].sections.count
      block += 1
    }
    for (offset, section) in blocks[block].sections.enumerated() {
      if rest < section.count {
        return Place(
          section: section,
          position: SectionChangeSet.Position(section: index + offset, row: rest))
      }
      rest -= section.count
    }
    preconditionFailure("a row beyond the end")
  }

  /// The section of a key; nil if there is none.
  func section(ofKey key: Value) -> Section? {
    let place = place(ofKey: key)
    return place.isThere ? blocks[place.block].sections[place.offset] : nil
  }

  /// Adds to the number of rows of a section, which is inserted if there is none of the key; returns it, and whether it is
  /// new. A section that becomes empty stays.
  @discardableResult
  mutating func add(_ rows: Int, toKey key: Value) -> (section: Section, isNew: Bool) {
    let (block, offset, isThere) = place(ofKey: key)
    if isThere {
      let section = blocks[block].sections[offset]
      section.count += rows
      blocks[block].rows += rows
      return (section, false)
    }
    let section = Section(key: key, count: rows)
    count += 1
    if blocks.isEmpty {
      blocks.append(Block(sections: [section], rows: rows))
      return (section, true)
    }
    blocks[block].sections.insert(section, at: offset)
    blocks[block].rows += rows
    if blocks[block].sections.count >= capacity { split(block) }
    return (section, true)
  }

  /// Removes a section, which has no rows.
  mutating func remove(_ section: Section) {
    let (block, offset, _) = place(ofKey: section.key)
    blocks[block].sections.remove(at: offset)
    if blocks[block].sections.isEmpty { blocks.remove(at: block) }
    count -= 1
  }

  private mutating func split(_ block: Int) {
    let half = blocks[block].sections.count / 2
    let upper = Array(blocks[block].sections[half...])
    let rows = upper.reduce(0) { $0 + $1.count }
    blocks[block].sections.removeSubrange(half...)
    blocks[block].rows -= rows
    blocks.insert(Block(sections: upper, rows: rows), at: block + 1)
  }

  /// The place of the section of a key, or where one would be inserted.
  private func place(ofKey key: Value) -> (block: Int, offset: Int, isThere: Bool) {
    let next = blocks.partitionPoint { !isBefore(key, $0.sections[0].key) }
    guard next > 0 else { return (0, 0, false) }
    let sections = blocks[next - 1].sections
    let offset = sections.partitionPoint { isBefore($0.key, key) }
    return (
      next - 1, offset, offset < sections.count && Value.order(sections[offset].key, key) == 0
    )
  }

  private func isBefore(_ a: Value, _ b: Value) -> Bool {
    let order = Value.order(a, b)
    return isAscending ? order < 0 : order > 0
  }
}

extension SectionList {
  /// What does not hold of the blocks.
  var violations: [String] {
    var found: [String] = []
    for block in blocks {
      if block.sections.isEmpty { found.append("a block without sections") }
      if block.rows != block.sections.reduce(0, { $0 + $1.count }) {
        found.append("a block has not \(block.rows) rows")
      }
    }
    if count != sections.count { found.append("\(sections.count) sections, not \(count)") }
    return found
  }
}
