import HeraldModel
import HeraldQuery

/// Rows in order of creation.
///
/// Views of the same rows share one set. A change that is the same for several of them is made once: the first one makes
/// a changed copy, and the others take that.
final class CreationRows: RowSequence {
  /// The set of one view or of several.
  final class Storage {
    @exclusivity(unchecked) fileprivate(set) var members: MemberSet

    init(_ members: MemberSet) { self.members = members }
  }

  /// What was found of one object in sets that several views share.
  struct SharedResults {
    fileprivate struct Result {
      let storage: Storage
      let position: Int?
      /// The set with the object if it was no member, or without it; nil until a view needs it.
      var changed: Storage?
    }

    /// The largest number of sets: beyond it, views no longer share what they change.
    private static let limit = 16
    private var number: ObjectNumber = 0
    fileprivate var results: [Result] = []
    /// The result used last, which views of the same rows mostly need one after the other.
    private var last = 0

    var isEmpty: Bool { results.isEmpty }

    /// Returns the index of the result of a number in a set; nil where there is none.
    fileprivate mutating func index(of number: ObjectNumber, in storage: Storage) -> Int? {
      guard number == self.number, !results.isEmpty else { return nil }
      if results[last].storage === storage { return last }
      guard let index = results.firstIndex(where: { $0.storage === storage }) else { return nil }
      last = index
      return index
    }

    fileprivate mutating func note(
      _ position: Int?, of number: ObjectNumber, in storage: Storage
    ) {
      if number != self.number {
        self.number = number
        results = []
      }
      guard results.count < Self.limit else { return }
      last = results.count
      results.append(Result(storage: storage, position: position))
    }
  }

  @exclusivity(unchecked) private(set) var storage: Storage

  init(_ members: MemberSet) { storage = Storage(members) }

  /// Rows with the set of others.
  init(_ storage: Storage) { self.storage = storage }

  /// Shares the set of another view if it has the same members. O(blocks).
  func share(_ other: Storage) {
    if other.members == storage.members { storage = other }
  }

  /// A number that equal sets have in common; nil for a set that is too small to be shared. O(blocks).
  var fingerprint: Int? { members.fingerprint }

  private var members: MemberSet { storage.members }

  var count: Int { storage.members.count }

  var byteCount: Int { members.byteCount }

  func contains(_ number: ObjectNumber) -> Bool { storage.members.contains(number) }

  func position(of number: ObjectNumber) -> Int? { storage.members.positionIfMember(number) }

  func number(at position: Int) -> ObjectNumber { storage.members.number(at: position) }

  @discardableResult
  func insert(_ number: ObjectNumber, _ reader: any ObjectReader) -> Int {
    makeUnique()
    storage.members.insert(number)
    return storage.members.position(of: number)
  }

  func insert(contentsOf numbers: [ObjectNumber], _ reader: any ObjectReader) {
    if numbers.isEmpty { return }
    makeUnique()
    for number in numbers { storage.members.insert(number) }
  }

  @discardableResult
  func remove(_ number: ObjectNumber) -> Int? {
    guard let position = position(of: number) else { return nil }
    makeUnique()
    storage.members.remove(number)
    return position
  }

  private func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.members) }
  }

  func violations(_ reader: any ObjectReader) -> [String] { members.violations }
}

extension CreationRows {
  /// Returns the position of a row, which was perhaps found for another view of the same rows.
  func position(of number: ObjectNumber, _ shared: inout SharedResults) -> Int? {
    if let index = shared.index(of: number, in: storage) { return shared.results[index].position }
    let position = position(of: number)
    if !isKnownUniquelyReferenced(&storage) { shared.note(position, of: number, in: storage) }
    return position
  }

  /// Removes a row, or inserts it if it is none, and returns its position as it was or as it is.
  func toggle(
    _ number: ObjectNumber, _ shared: inout SharedResults, _ reader: any ObjectReader
  ) -> Int {
    let old = position(of: number, &shared)
    guard let index = shared.index(of: number, in: storage) else {
      return remove(number) ?? insert(number, reader)
    }
    if let changed = shared.results[index].changed {
      storage = changed
    } else {
      if old == nil { insert(number, reader) } else { remove(number) }
      shared.results[index].changed = storage
    }
    return old ?? storage.members.position(of: number)
  }
}
