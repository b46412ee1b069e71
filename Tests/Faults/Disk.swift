import TestSupport

/// A disk and its cache after a trace of calls: what is durable, and what a power cut may lose.
struct Disk {
  /// The content of one file.
  private struct File {
    var durable: [UInt8] = []
    /// The changes since the last sync, in order.
    var pending: [Change] = []
  }

  fileprivate enum Change {
    case write(offset: Int, ArraySlice<UInt8>)
    case resize(Int)
  }

  /// The inode of each path.
  private typealias Names = [String: UInt64]

  private var files: [UInt64: File] = [:]
  private var names: Names = [:]
  /// The entries after each change since the last sync of the folder; the first are durable.
  private var history: [Names] = [[:]]

  init() {}

  /// A disk with one file, all of which is durable.
  init(_ content: [UInt8], inode: UInt64, path: String) {
    files = [inode: File(durable: content)]
    names = [path: inode]
    history = [names]
  }

  mutating func take(_ call: TracedCall) {
    switch call {
    case .write(let inode, let offset, let bytes), .durableWrite(let inode, let offset, let bytes):
      files[inode, default: File()].pending.append(.write(offset: offset, bytes))
    case .durableEnd(let inode, let offset, let bytes):
      // This write is durable although the pending ones are not.
      _ = files[inode]?.pending.popLast()
      files[inode]?.durable.overwrite(bytes, at: offset)
    case .truncate(let inode, let size): files[inode, default: File()].pending.append(.resize(size))
    case .sync(let inode):
      guard var file = files[inode] else { return }
      for change in file.pending { file.durable.take(change) { _ in true } }
      file.pending = []
      files[inode] = file
    case .create(let inode, let path):
      files[inode] = File()
      change { $0[path] = inode }
    case .rename(let from, let to, let isExchange):
      change {
        let old = $0[to]
        $0[to] = $0[from]
        $0[from] = isExchange ? old : nil
      }
    case .unlink(let path): change { $0[path] = nil }
    case .link(let inode, let path): change { $0[path] = inode }
    case .syncFolder: history = [names]
    case .output: break
    }
  }

  private mutating func change(_ body: (inout Names) -> Void) {
    body(&names)
    history.append(names)
  }

  /// How much of the unsynced changes reaches the disk.
  private enum Luck: Int, CaseIterable {
    case nothing, everything, everySector, wholeWrites, inOrder
  }

  /// Returns the content of a path after a power cut; nil if no file has that name.
  ///
  /// Sectors of 512 bytes reach the disk in any order, or do not.
  /// - Parameter forgetsNames: Whether unsynced entries of folders may be lost.
  func content(
    of path: String, forgetsNames: Bool, _ random: inout SplitMix64
  ) -> [UInt8]? {
    let names = forgetsNames ? history[random.below(history.count)] : names
    guard let inode = names[path], let file = files[inode] else { return nil }
    var found = file.durable
    let luck = Luck.allCases[random.below(Luck.allCases.count)]
    let chance = 1 + random.below(99)
    let last = random.below(file.pending.count + 1)
    for (index, change) in file.pending.enumerated() {
      switch luck {
      case .nothing: break
      case .everything: found.take(change) { _ in true }
      case .everySector: found.take(change) { _ in random.below(100) < chance }
      case .wholeWrites: if random.below(100) < chance { found.take(change) { _ in true } }
      case .inOrder where index < last: found.take(change) { _ in true }
      case .inOrder where index == last: found.take(change) { _ in random.below(100) < chance }
      case .inOrder: break
      }
    }
    return found
  }
}

extension [UInt8] {
  fileprivate mutating func overwrite(_ bytes: ArraySlice<UInt8>, at offset: Int) {
    let end = offset + bytes.count
    if count < end { append(contentsOf: repeatElement(0, count: end - count)) }
    replaceSubrange(offset..<end, with: bytes)
  }

  /// Applies a change; of a write, only the chosen sectors.
  fileprivate mutating func take(_ change: Disk.Change, _ isChosen: (Int) -> Bool) {
    switch change {
    case .resize(let size) where size < count: removeLast(count - size)
    case .resize(let size): append(contentsOf: repeatElement(0, count: size - count))
    case .write(let offset, let bytes):
      var start = offset
      while start < offset + bytes.count {
        let end = Swift.min((start / 512 + 1) * 512, offset + bytes.count)
        let first = bytes.startIndex + start - offset
        if isChosen(start / 512) { overwrite(bytes[first..<first + end - start], at: start) }
        start = end
      }
    }
  }
}
