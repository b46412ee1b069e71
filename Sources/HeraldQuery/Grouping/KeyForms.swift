package import HeraldModel

/// The members of a group by the form of their values: `1.1` and `1.10` are equal, and so are `-0.0` and `0.0`, but are
/// not written alike. O(forms + log members) for each change.
struct KeyForms: Sendable {
  private struct Form {
    let key: [Value]
    /// The numbers of the members; one that is a member more than once is there as often.
    var members = OrderedValues()

    var first: ObjectNumber {
      if case .int(let number)? = members.first { number } else { .max }
    }
  }

  /// Those that have members: a few at most.
  private var forms: [Form] = []

  /// The form of the first member in order of creation; nil without members.
  var first: [Value]? {
    if forms.count == 1 { return forms[0].key }
    return forms.min { $0.first < $1.first }?.key
  }

  mutating func add(_ member: ObjectNumber, _ key: [Value]) {
    let index = index(of: key) ?? forms.count
    if index == forms.count { forms.append(Form(key: key)) }
    forms[index].members.add(.int(member))
  }

  mutating func remove(_ member: ObjectNumber, _ key: [Value]) {
    guard let index = index(of: key) else { return }
    forms[index].members.remove(.int(member))
    if forms[index].members.first == nil { forms.remove(at: index) }
  }

  private func index(of key: [Value]) -> Int? {
    forms.firstIndex { $0.key.hasSameForms(as: key) }
  }
}

extension Value {
  fileprivate var isListOrMap: Bool {
    switch self {
    case .list, .map: true
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID,
      .link:
      false
    }
  }
}

extension BoundGrouping {
  /// Whether equal values of the paths may have several forms.
  var hasForms: Bool {
    keys.contents.contains { key in
      switch key.element {
      case .float, .double, .decimal, .any, nil: true
      case .bool, .int, .string, .data, .date, .uuid, .objectID, .link: false
      }
    }
  }

  /// Whether there are values equal to these of a member in another form.
  package func hasOtherForms(_ values: [Value]) -> Bool {
    zip(keys.contents, values).contains { key, value in
      switch key.element {
      case .float, .double: value == .float(0) || value == .double(0)
      case .decimal: !value.isNull
      case .any, nil: value.number != nil || value.isListOrMap
      case .bool, .int, .string, .data, .date, .uuid, .objectID, .link: false
      }
    }
  }

  /// Whether two states of a group are equal, with the paths' values in the same form; nil where it has no members.
  package func areSame(_ a: GroupRow?, _ b: GroupRow?) -> Bool {
    guard let a, let b else { return a == b }
    return a == b && (0..<keys.count).allSatisfy { a[$0].hasSameForm(as: b[$0]) }
  }

  /// Whether the clauses after the braces read the same of two states of a group, so that it keeps its place among others.
  package func areSameToClauses(_ a: GroupRow, _ b: GroupRow) -> Bool {
    clauseColumns.allSatisfy { a[$0] == b[$0] && a[$0].hasSameForm(as: b[$0]) }
  }
}
