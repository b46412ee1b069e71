internal import Glibc

/// The changes of one commit in the journal.
///
///     body    := version logged bytes:signed 0 entries records
///     entries := count, (flags, key, entry)*                           as in `ContentChange`
///     records := (byte database, key, change, [version])*             until the end
///
/// `version` is that of the trailer, and missing if the record is deleted. The log's own records are among them. In place
/// of 0, earlier versions of the program wrote the number of entries that are removed from the beginning of the log.
enum JournalChanges {
  struct Writer {
    private var writer = PackedWriter()

    var bytes: [UInt8] { writer.bytes }

    init(_ state: StoreState, _ entryCount: Int, _ entries: [UInt8]) {
      writer.count(state.version)
      writer.count(state.loggedBytes)
      writer.count(0)
      writer.count(entryCount)
      writer.raw(entries)
    }

    /// The largest record that is compared with the one before.
    private static let largestRecord = 1 << 15

    /// Appends the change of a record, whose whole contents before and after are given; returns false if it is too
    /// large, or damaged.
    mutating func append(
      _ space: RecordSpace, _ key: UnsafeRawBufferPointer, from old: UnsafeRawBufferPointer?,
      to new: UnsafeRawBufferPointer?
    ) -> Bool {
      guard old?.count ?? 0 <= Self.largestRecord, new?.count ?? 0 <= Self.largestRecord,
        old?.count ?? RecordTrailer.size >= RecordTrailer.size,
        new?.count ?? RecordTrailer.size >= RecordTrailer.size
      else { return false }
      guard
        let change = ContentChange(
          brieflyOf: space, key, from: old?.withoutTrailer, to: new?.withoutTrailer)
      else { return true }
      writer.byte(UInt8(space.rawValue))
      writer.key(key, space)
      change.encode(&writer)
      if let new { writer.number(UInt64(RecordTrailer(endOf: new).version)) }
      return true
    }
  }
}

extension ContentChange {
  /// Returns a short change, if one is found at little cost; else the shortest one. Nil for a record that the commit has
  /// both added and deleted.
  fileprivate init?(
    brieflyOf space: RecordSpace, _ key: UnsafeRawBufferPointer,
    from old: UnsafeRawBufferPointer?, to new: UnsafeRawBufferPointer?
  ) {
    if let old, let new, old.count == new.count, let patches = Self.patches(old, new) {
      self = .patched(patches)
    } else {
      self.init(space, [UInt8](key), from: old, to: new)
    }
  }

  /// The largest number of patches that are not compared with other forms.
  private static let patchLimit = 8
  /// A word that equals the one before ends a patch.
  private static let wordSize = 8

  /// Returns the words in which two contents of equal length differ; nil if there are many.
  private static func patches(
    _ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer
  ) -> [(gap: Int, bytes: UnsafeRawBufferPointer)]? {
    var patches: [(gap: Int, bytes: UnsafeRawBufferPointer)] = []
    let whole = new.count / wordSize * wordSize
    var (index, end) = (0, 0)
    while index < new.count {
      guard isDifferent(old, new, at: index, whole) else {
        index += index < whole ? wordSize : 1
        while index + sliceSize <= whole, isSame(old, new, sliceAt: index) { index += sliceSize }
        continue
      }
      guard patches.count < patchLimit else { return nil }
      var (start, stop) = (index, min(index + (index < whole ? wordSize : 1), new.count))
      index = stop
      while old[start] == new[start] { start += 1 }
      while old[stop - 1] == new[stop - 1] { stop -= 1 }
      patches.append((start - end, UnsafeRawBufferPointer(rebasing: new[start..<stop])))
      end = stop
    }
    return patches
  }

  /// The number of bytes that are compared at once where nothing has changed.
  private static let sliceSize = 256

  @inline(__always)
  private static func isSame(
    _ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer, sliceAt index: Int
  ) -> Bool {
    let (old, new) = (old.baseAddress.unsafelyUnwrapped, new.baseAddress.unsafelyUnwrapped)
    return memcmp(old + index, new + index, sliceSize) == 0
  }

  @inline(__always)
  private static func isDifferent(
    _ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer, at index: Int, _ whole: Int
  ) -> Bool {
    guard index < whole else { return old[index] != new[index] }
    return old.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      != new.loadUnaligned(fromByteOffset: index, as: UInt64.self)
  }
}
