package import HeraldModel

/// One operation on a list or a map inside a value of any type, or on a collection of such values.
///
/// Values do not say what was done to them: an element that was removed and put in again would look
/// as if nothing had happened. So whoever follows a collection inside a value is told the operations.
package struct InsideOperation: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// At a row of a list.
    case insert(at: Int, count: Int)
    case remove(at: Int)
    /// `to` is the place after the move.
    case move(from: Int, to: Int)
    case replace(at: Int, with: Value)
    case clear
    case setKey(String, Value)
    case removeKey(String)
    /// A whole new value; nil for the one that is there when the operations end.
    case assign(Value?)
  }
  /// From the property to the list or map, at the time of the operation.
  package var path: [ValueStep]
  package var kind: Kind

  package init(_ path: [ValueStep], _ kind: Kind) {
    self.path = path
    self.kind = kind
  }
}

/// What was done inside one property of one object: commit by commit, in order.
package struct InsideChange: Sendable, Equatable {
  package struct Commit: Sendable, Equatable {
    package var operations: [InsideOperation]
    /// What the commit found where it changed something: the value of the property, without a step,
    /// or those elements that it replaced, by theirs, nil for keys that were not there. Known of what
    /// several records were merged from; a record of one commit has it among its columns, lists and
    /// maps.
    var former: [ValueStep?: Value?] = [:]

    package init(_ operations: [InsideOperation]) { self.operations = operations }
  }

  package var commits: [Commit]

  package init(_ commits: [[InsideOperation]] = []) { self.commits = commits.map(Commit.init) }

  /// Of a change of which no more is known than that the value differs.
  static let unknown = InsideChange([[InsideOperation([], .assign(nil))]])

  /// Notes an operation of the commit under way. Elements put in one behind the other are one.
  package mutating func note(_ operation: InsideOperation) {
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

  /// Whether the commit under way did something to rows that stays to be told where the value is
  /// equal in the end: lists follow what was done, not what they hold (observation 4.3). A value
  /// assigned as a whole and equal again is no change (4.5).
  package var isToldOfEqualValue: Bool {
    let operations = commits.flatMap(\.operations)
    if operations.contains(where: { $0.path.isEmpty && $0.kind.isAssignment }) { return false }
    return operations.contains { $0.kind.isOfRows }
  }
}

extension InsideOperation.Kind {
  var isAssignment: Bool { if case .assign = self { true } else { false } }

  /// Whether rows of a list come or go by it.
  fileprivate var isOfRows: Bool {
    switch self {
    case .insert, .remove, .move, .clear: true
    case .replace, .setKey, .removeKey, .assign: false
    }
  }
}

extension ClassChange {
  /// What was done inside a property of an object, commit by commit, with what each found; nil where
  /// nothing was.
  func inside(_ property: PropertyID, _ number: ObjectNumber) -> InsideChange? {
    let known = insides[property]?[number]
    guard known != nil || isTouched(property, number) else { return nil }
    var change = known ?? .unknown
    if change.commits.count == 1 { change.commits[0].former = former(property, number) }
    return change
  }

  private func isTouched(_ property: PropertyID, _ number: ObjectNumber) -> Bool {
    columns[property]?[number] != nil || lists[property]?[number] != nil
      || maps[property]?[number] != nil
  }

  /// What a property held before, as far as that differs.
  private func former(_ property: PropertyID, _ number: ObjectNumber) -> [ValueStep?: Value?] {
    if let value = columns[property]?[number] { return [nil: value] }
    var former: [ValueStep?: Value?] = [:]
    for key in maps[property]?[number]?.inserted ?? [] {
      former.updateValue(nil, forKey: .key(key))
    }
    for (row, value) in lists[property]?[number]?.replaced ?? [:] { former[.row(row)] = value }
    maps[property]?[number]?.forEachFormerValue { key, value in former[.key(key)] = value }
    return former
  }

  /// Comes before the rest is merged, which says what was known.
  mutating func mergeInsides(_ later: ClassChange) {
    for property in Set(insides.keys).union(later.insides.keys) {
      let numbers = Set((insides[property] ?? [:]).keys)
        .union((later.insides[property] ?? [:]).keys)
      for number in numbers { mergeInside(property, number, later) }
    }
    // Lists and maps that are assigned commit by commit, each as a whole.
    for (property, values) in later.columns where columns[property] != nil {
      for number in values.keys
      where insides[property]?[number] == nil && columns[property]?[number]?.partCount != nil {
        mergeInside(property, number, later)
      }
    }
  }

  private mutating func mergeInside(
    _ property: PropertyID, _ number: ObjectNumber, _ later: ClassChange
  ) {
    guard !created.contains(number), let next = later.inside(property, number) else { return }
    if insides[property]?[number]?.commits.count ?? 0 < 2 {
      insides[property, default: [:]][number] = inside(property, number) ?? InsideChange()
    }
    insides[property]?[number]?.commits += next.commits
  }

  mutating func forgetInsides(of number: ObjectNumber) {
    for property in insides.keys { insides[property]?[number] = nil }
    insides = insides.filter { !$0.value.isEmpty }
  }
}

extension InsideChange {
  /// What stood at the end of steps from the property when so many commits were made: what the next
  /// one that changed it found, else what is there in the end. Nil where the next took it away.
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
