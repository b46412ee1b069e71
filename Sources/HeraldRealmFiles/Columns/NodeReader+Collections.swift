extension NodeReader {
  /// Reads the values of the list or set whose root is at `root`.
  ///
  /// Links to objects that were deleted are left out. Cost: proportional to the number of values.
  mutating func collection(_ form: LeafForm, at root: Int) throws(Fault) -> [RealmValue] {
    try enter(at: root)
    defer { leave() }
    var values: [RealmValue] = []
    if form.isOld, form.type == .timestamp, !form.isSeconds {
      try appendOldTimestamps(root, form, to: &values)
    } else {
      try append(root, form, depth: 0, to: &values)
    }
    return values
  }

  /// Reads the dictionary at `ref`, whose keys have this type.
  mutating func dictionary(at ref: Int, keys: RealmPropertyType) throws(Fault) -> [RealmEntry] {
    try enter(at: ref)
    defer { leave() }
    var names: [RealmValue] = []
    var values: [RealmValue] = []
    if format < 23 {
      try appendClusters(ref, keys: keys, to: &names, &values)
    } else {
      let node = try array(at: ref)
      try append(node.requiredRef(0), .key(keys), depth: 0, to: &names)
      try append(node.requiredRef(1), .mixed, depth: 0, to: &values)
    }
    guard names.count == values.count else {
      throw Fault(.wrongCount(found: values.count, expected: names.count), at: ref)
    }
    try claim(names.count * 2, at: ref)
    var entries: [RealmEntry] = []
    entries.reserveCapacity(names.count)
    for index in names.indices {
      entries.append(RealmEntry(key: try key(names[index], at: ref), value: values[index]))
    }
    return entries
  }

  private static let reservedElements = 1 << 24

  private func key(_ value: RealmValue, at ref: Int) throws(Fault) -> String {
    if case .string(let text) = value { return text }
    if case .int(let number) = value { return String(number) }
    throw Fault(.outOfRange, at: ref)
  }

  private mutating func append(
    _ ref: Int, _ form: LeafForm, depth: Int, to values: inout [RealmValue]
  ) throws(Fault) {
    guard depth < Self.treeDepth else { throw Fault(.tooDeep, at: ref) }
    let node = try node(at: ref)
    guard node.isInner else {
      try append(ColumnLeaf(ref, form, &self), form, at: ref, to: &values)
      return
    }
    let inner = try InnerNode(node)
    if depth == 0 {
      // Growing takes up to three times the memory. The limit is one that can be had on any machine.
      values.reserveCapacity(min(inner.valueCount, elementAllowance, Self.reservedElements))
    }
    try claim(inner.children.count, at: ref)
    for index in inner.children {
      try append(node.requiredRef(index), form, depth: depth + 1, to: &values)
    }
  }

  private mutating func append(
    _ leaf: ColumnLeaf, _ form: LeafForm, at ref: Int, to values: inout [RealmValue]
  ) throws(Fault) {
    let count = leaf.count
    try claim(count, at: ref)
    if values.isEmpty, values.capacity == 0 { values.reserveCapacity(count) }
    for index in 0..<count {
      let value = try leaf.value(at: index, &self)
      // A link that is null leads to a tombstone.
      if form.type == .link, value == .null { continue }
      values.append(value)
    }
  }

  private mutating func appendClusters(
    _ root: Int, keys: RealmPropertyType, to names: inout [RealmValue],
    _ values: inout [RealmValue]
  ) throws(Fault) {
    let directory = ClusterDirectory(root: root, &self)
    if let gap = directory.gaps.first { throw gap.fault }
    for leaf in directory.leaves {
      let node = try array(at: leaf.ref)
      let nameLeaf = try ColumnLeaf(node.requiredRef(1), .key(keys), &self)
      let valueLeaf = try ColumnLeaf(node.requiredRef(2), .mixed, &self)
      try claim(leaf.count, at: leaf.ref)
      for index in 0..<leaf.count {
        names.append(try nameLeaf.value(at: index, &self))
        values.append(try valueLeaf.value(at: index, &self))
      }
    }
  }

  /// Formats up to 9 have a tree of seconds and a tree of nanoseconds.
  private mutating func appendOldTimestamps(
    _ root: Int, _ form: LeafForm, to values: inout [RealmValue]
  ) throws(Fault) {
    let node = try array(at: root)
    let integers = LeafForm(type: .int, isNullable: true, isOld: true)
    var seconds: [RealmValue] = []
    var nanoseconds: [RealmValue] = []
    try append(node.requiredRef(0), integers, depth: 0, to: &seconds)
    try append(
      node.requiredRef(1), LeafForm(type: .int, isNullable: false, isOld: true), depth: 0,
      to: &nanoseconds)
    guard seconds.count == nanoseconds.count else {
      throw Fault(.wrongCount(found: nanoseconds.count, expected: seconds.count), at: root)
    }
    for index in seconds.indices {
      guard case .int(let second) = seconds[index], case .int(let nanosecond) = nanoseconds[index]
      else {
        values.append(.null)
        continue
      }
      values.append(try ColumnLeaf.timestamp(second, nanosecond, at: root))
    }
  }
}
