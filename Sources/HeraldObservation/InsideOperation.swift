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

/// What was done inside one property of one object: the operations of each commit, in order.
package struct InsideChange: Sendable, Equatable {
  package var commits: [[InsideOperation]]

  package init(_ commits: [[InsideOperation]] = []) { self.commits = commits }

  /// Of a change of which no more is known than that the value differs.
  static let unknown = InsideChange([[InsideOperation([], .assign(nil))]])

  /// Notes an operation of the commit under way. Elements put in one behind the other are one.
  package mutating func note(_ operation: InsideOperation) {
    if commits.isEmpty { commits = [[]] }
    if case .insert(let at, let count)? = commits[0].last?.kind,
      case .insert(at + count, let more) = operation.kind, commits[0].last?.path == operation.path
    {
      commits[0][commits[0].count - 1].kind = .insert(at: at, count: count + more)
    } else {
      commits[0].append(operation)
    }
  }

  /// `value` is what the property held in between, where that is known.
  mutating func append(_ later: InsideChange, after value: Value?) {
    if let value, case .assign(nil)? = commits.last?.last?.kind {
      commits[commits.count - 1][commits[commits.count - 1].count - 1].kind = .assign(value)
    }
    commits += later.commits
  }
}

extension ClassChange {
  /// What was done inside a property of an object, commit by commit; nil where it was not changed.
  func inside(_ property: PropertyID, _ number: ObjectNumber) -> InsideChange? {
    if let known = insides[property]?[number] { return known }
    return isTouched(property, number) ? .unknown : nil
  }

  private func isTouched(_ property: PropertyID, _ number: ObjectNumber) -> Bool {
    columns[property]?[number] != nil || lists[property]?[number] != nil
      || maps[property]?[number] != nil
  }

  /// Comes before the rest is merged, which says what was known.
  mutating func mergeInsides(_ later: ClassChange) {
    for property in Set(insides.keys).union(later.insides.keys) {
      let numbers = Set((insides[property] ?? [:]).keys)
        .union((later.insides[property] ?? [:]).keys)
      for number in numbers where !created.contains(number) {
        guard let next = later.inside(property, number) else { continue }
        var all = inside(property, number) ?? InsideChange()
        all.append(next, after: later.columns[property]?[number])
        insides[property, default: [:]][number] = all
      }
    }
  }

  mutating func forgetInsides(of number: ObjectNumber) {
    for property in insides.keys { insides[property]?[number] = nil }
    insides = insides.filter { !$0.value.isEmpty }
  }
}
