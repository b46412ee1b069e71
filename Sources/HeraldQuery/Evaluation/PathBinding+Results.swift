import HeraldModel

extension PathBinding {
  /// Turns the path into the types of its values.
  mutating func types(_ step: PathSyntax.Step) {
    if let name = element.flatMap({ TypeName(of: $0) }) {
      result = .constant(.string(name.rawValue))
    } else {
      result = grouped(isCollection: isCollectionPath) { .measure(.type, $0) }
    }
    element = .string
    isTypes = true
    note(step)
  }

  /// Turns the path into the lengths of the strings or the data in the list or set at the end; returns
  /// false if there is none.
  mutating func lengths(_ step: PathSyntax.Step) -> Bool {
    guard endsInCollection, !isSpread, type?.shape == .list || type?.shape == .set,
      element == .any || element?.isText ?? false
    else { return false }
    result = grouped(isCollection: true) { .measure(.elementLength, $0) }
    element = .int
    note(step)
    return true
  }

  /// Turns the path into the sum of other paths' counts.
  mutating func countOrigins(
    _ origins: [(classID: ClassID, property: PropertyID)], of classID: ClassID,
    _ step: PathSyntax.Step
  ) {
    var sum = Operand.constant(.int(0))
    for origin in origins {
      var path = path
      let kind = OperandPath.Hop.Kind.origins(origin.classID, origin.property)
      path.hops.append(OperandPath.Hop(classID: classID, kind: kind))
      let count = Operand(kind: .count(path), isCollection: false)
      sum = sum.followed(by: Operand.Term(operation: .plus, operand: count))
    }
    result = sum
    element = .int
    note(step)
  }

  /// Turns the path into the number of its values; returns false if they cannot be counted. A collection
  /// after a collection has one count for each of its owners.
  mutating func count(_ step: PathSyntax.Step) -> Bool {
    guard result == nil else { return false }
    let operand: Operand
    if isDynamic {
      operand = Operand(kind: .measure(.length, path), isCollection: isCollectionPath)
    } else if endsInCollection || element?.isLink ?? false {
      operand = perOwner { .count($0) }
    } else if element?.isText ?? false {
      operand = perOwner { .measure(.length, $0) }
    } else {
      return false
    }
    result = operand
    element = .int
    note(step)
    return true
  }

  mutating func aggregate(
    _ operation: CollectionOperation, isOfObjects: Bool, _ value: ElementType,
    _ step: PathSyntax.Step
  ) {
    if isDynamic, !isCollectionPath { enter(.every) }
    result =
      isOfObjects || !endsInCollection
      ? Operand(kind: .aggregate(operation, path, of: value), isCollection: false)
      : perOwner { .aggregate(operation, $0, of: value) }
    element = operation.function.type(of: value)
    note(step)
  }

  /// Returns an operand of the last hop: one for each of its owners, if a collection leads to them.
  private func perOwner(_ kind: (OperandPath) -> Operand.Kind) -> Operand {
    let owners = OperandPath(start: path.start, hops: path.hops.dropLast())
    let isMany = startsFromCollection || owners.hops.contains(where: \.isCollection)
    guard let last = path.hops.last, isMany, !last.isPart else {
      return Operand(kind: kind(path), isCollection: false)
    }
    let own = Operand(kind: kind(OperandPath(start: .root, hops: [last])), isCollection: false)
    return Operand(kind: .each(owners, own), isCollection: true)
  }
}
