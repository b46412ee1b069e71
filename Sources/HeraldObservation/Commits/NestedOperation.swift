package import HeraldModel

/// One operation on a list or a map nested in a value of any type, or on a collection of such values.
///
/// The values before and after do not show the operations: an element that was removed and inserted again
/// would look unchanged. So observers of a nested collection follow the operations.
package struct NestedOperation: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// An insertion of `count` rows into a list, the first at this index.
    case insert(at: Int, count: Int)
    case remove(at: Int)
    /// `to` is the index after the move.
    case move(from: Int, to: Int)
    case replace(at: Int, with: Value)
    case clear
    case setKey(String, Value)
    case removeKey(String)
    /// An assignment of a whole value; nil for the value that is there after the last operation.
    case assign(Value?)
  }
  /// The path from the property to the list or map, at the time of the operation.
  package var path: [ValueStep]
  package var kind: Kind

  package init(_ path: [ValueStep], _ kind: Kind) {
    self.path = path
    self.kind = kind
  }
}

/// The nested operations on one property of one object, by commit and in order.
package struct NestedChange: Sendable, Equatable {
  package struct Commit: Sendable, Equatable {
    package var operations: [NestedOperation]
    /// The previous values of what the commit changed: of the whole property under nil, or of the
    /// replaced elements under their steps, nil for absent keys. Set for merged records; the record of
    /// one commit has them in its properties.
    var former: [ValueStep?: Value?] = [:]

    package init(_ operations: [NestedOperation]) { self.operations = operations }
  }

  package var commits: [Commit]

  package init(_ commits: [[NestedOperation]] = []) { self.commits = commits.map(Commit.init) }

  /// A change of which only is known that the value differs.
  static let unknown = NestedChange([[NestedOperation([], .assign(nil))]])

  /// Records an operation of the current commit. Adjacent insertions are merged.
  package mutating func note(_ operation: NestedOperation) {
    if commits.isEmpty { commits = [Commit([])] }
    let last = commits[0].operations.count - 1
    if last >= 0, case .insert(let at, let count) = commits[0].operations[last].kind,
      case .insert(at + count, let more) = operation.kind,
      commits[0].operations[last].path == operation.path
    {
      commits[0].operations[last].kind = .insert(at: at, count: count + more)
    } else {
      commits[0].operations.append(operation)
    }
  }

  /// Whether the current commit has row operations that are reported even if the value is equal in the
  /// end: lists report operations, not differences (observation 4.3). Assigning a whole value that is
  /// equal is no change (4.5).
  package var reportsEqualValue: Bool {
    let operations = commits.flatMap(\.operations)
    if operations.contains(where: { $0.path.isEmpty && $0.kind.isAssignment }) { return false }
    return operations.contains { $0.kind.isOfRows }
  }
}

extension NestedOperation.Kind {
  var isAssignment: Bool { if case .assign = self { true } else { false } }

  /// Whether the operation inserts, removes or moves rows of a list.
  fileprivate var isOfRows: Bool {
    switch self {
    case .insert, .remove, .move, .clear: true
    case .replace, .setKey, .removeKey, .assign: false
    }
  }
}

extension ClassChange {
  /// Returns the nested operations on a property of an object, by commit, each with the previous values;
  /// nil where there are none.
  func inside(_ property: PropertyID, _ number: ObjectNumber) -> NestedChange? {
    let known = insides[property]?[number]
    guard known != nil || self[property].contains(number) else { return nil }
    var change = known ?? .unknown
    if change.commits.count == 1 { change.commits[0].former = former(property, number) }
    return change
  }

  /// Returns the previous values of a property where they differ.
  private func former(_ property: PropertyID, _ number: ObjectNumber) -> [ValueStep?: Value?] {
    var former: [ValueStep?: Value?] = [:]
    switch self[property] {
    case .values(let values):
      if let value = values[number] { former[nil] = value }
    case .lists(let lists):
      for (row, value) in lists[number]?.replaced ?? [:] { former[.row(row)] = value }
    case .sets: break
    case .maps(let maps):
      for key in maps[number]?.inserted ?? [] { former.updateValue(nil, forKey: .key(key)) }
      maps[number]?.forEachPreviousValue { key, value in former[.key(key)] = value }
    }
    return former
  }

  /// Merges nested operations. Must run before the properties are merged, which hold the previous
  /// values of the first commit.
  mutating func mergeNestedChanges(_ later: ClassChange) {
    for property in Set(insides.keys).union(later.insides.keys) {
      let numbers = Set((insides[property] ?? [:]).keys)
        .union((later.insides[property] ?? [:]).keys)
      for number in numbers { mergeNestedChange(property, number, later) }
    }
    // Lists and maps that each commit assigned as a whole.
    for case (let property, .values(let values)) in later.properties
    where properties[property] != nil {
      for number in values.keys
      where insides[property]?[number] == nil && self[property].values[number]?.nestedCount != nil {
        mergeNestedChange(property, number, later)
      }
    }
  }

  private mutating func mergeNestedChange(
    _ property: PropertyID, _ number: ObjectNumber, _ later: ClassChange
  ) {
    guard !created.contains(number), let next = later.inside(property, number) else { return }
    if insides[property]?[number]?.commits.count ?? 0 < 2 {
      insides[property, default: [:]][number] = inside(property, number) ?? NestedChange()
    }
    insides[property]?[number]?.commits += next.commits
  }

  mutating func forgetNestedChanges(of number: ObjectNumber) {
    for property in insides.keys { insides[property]?[number] = nil }
    insides = insides.filter { !$0.value.isEmpty }
  }
}

extension NestedChange {
  /// Returns the value at a path from the property after `commitCount` commits: the previous value of the
  /// next commit that changed it, else the last value. Nil where the next commit removed it.
  func value(
    after commitCount: Int, at steps: [ValueStep], _ shape: PropertyShape,
    _ last: ([ValueStep]) -> Value?
  ) -> Value? {
    var steps = steps
    for commit in commits[commitCount...] {
      if shape == .single {
        if let whole = commit.former[nil] { return whole?.part(at: steps) }
      } else if let first = steps.first {
        if let element = commit.former[first] { return element?.part(at: steps.dropFirst()) }
        for operation in commit.operations where operation.path.isEmpty {
          guard operation.shift(&steps) else { return nil }
        }
      }
    }
    return last(steps)
  }
}
