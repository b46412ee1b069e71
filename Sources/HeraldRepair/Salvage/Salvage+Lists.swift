import HeraldModel
import HeraldStorage

/// A list of which runs may be missing.
struct SalvagedList {
  /// A readable run.
  struct Run {
    /// The position of its first element.
    let start: Int
    let elements: [StoredValue]
  }

  /// The number of elements that the list had.
  let count: Int
  let runs: [Run]

  var isWhole: Bool { runs.reduce(0) { $0 + $1.elements.count } == count }

  /// Returns the element at a position, nil if it cannot be read.
  func element(at position: Int) -> StoredValue? {
    let next = (0..<runs.count).partitionPoint { runs[$0].start <= position }
    guard next > 0 else { return nil }
    let run = runs[next - 1]
    let offset = position - run.start
    return offset < run.elements.count ? run.elements[offset] : nil
  }
}

extension Salvage {
  /// Returns a list's elements. Of an old version, only a list in a single record is used: runs of
  /// different versions make no list.
  func list(_ list: ListID, _ kind: ColumnKind) -> Record<SalvagedList> {
    switch record(lists, .listRoot(list), { $0 }) {
    case .absent: return .absent
    case .lost: return .lost
    case .found(let bytes, let version):
      guard let root = SalvagedRoot(bytes), root.kind == kind else { return .lost }
      if let block = root.block {
        let run = SalvagedList.Run(start: 0, elements: block.values)
        return .found(SalvagedList(count: block.count, runs: [run]), version: version)
      }
      guard version == nil else { return .lost }
      return .found(read(list, root), version: nil)
    }
  }

  private func read(_ list: ListID, _ root: SalvagedRoot) -> SalvagedList {
    var runs: [SalvagedList.Run] = []
    var start = 0
    for run in root.runs {
      let block = record(lists, .listRun(list, run.id)) { SalvagedBlock($0) }
      if case .found(let block, nil) = block, block.kind == root.kind, block.count == run.count {
        runs.append(SalvagedList.Run(start: start, elements: block.values))
      }
      start += run.count
    }
    return SalvagedList(count: start, runs: runs)
  }
}

/// The root of a list, copied from the file.
private struct SalvagedRoot {
  let kind: ColumnKind
  /// The elements, if they are stored in the root.
  private(set) var block: SalvagedBlock?
  private(set) var runs: [(id: UInt32, count: Int)] = []

  /// Returns nil if the bytes are not a root.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= ListRoot.inlineHeaderSize else { return nil }
    if bytes[1] == 0 {
      guard bytes[0] == ListRoot.format,
        let block = SalvagedBlock(Array(bytes[ListRoot.inlineHeaderSize...]))
      else { return nil }
      self.block = block
      kind = block.kind
      return
    }
    let directory = bytes.withUnsafeBytes { bytes -> (ColumnKind, [(id: UInt32, count: Int)])? in
      guard let root = ListRoot(bytes), let kind = root.kind else { return nil }
      return (kind, (0..<root.runCount).map { (root.runID($0), root.runLength($0)) })
    }
    guard let directory else { return nil }
    (kind, runs) = directory
  }
}
