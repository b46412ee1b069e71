import HeraldModel

/// The paths from the object under evaluation to the objects of nested conditions: one per level, the
/// innermost last; nil for a level that does not depend on that object.
struct DependencyScope {
  private var prefixes: [OperandPath?]

  init() { prefixes = [OperandPath(start: .root)] }

  /// The scope of a condition on the objects at the end of a path, or of an operand of theirs, in which nothing else
  /// counts.
  ///
  /// - Parameter outer: how many conditions are around it.
  init(outer: Int, at path: OperandPath) {
    prefixes = Array(repeating: nil, count: outer) + [path]
  }

  private init(_ prefixes: [OperandPath?]) { self.prefixes = prefixes }

  func add(_ path: OperandPath, to paths: inout [PropertyPath]) {
    if case .keyed(let keyed) = path.start { keyed.key.collectDependencies(self, into: &paths) }
    for dependency in resolve(path)?.dependencies ?? [] where !paths.contains(dependency) {
      paths.append(dependency)
    }
  }

  func entering(_ path: OperandPath) -> DependencyScope {
    DependencyScope(prefixes + [resolve(path)])
  }

  func at(_ path: OperandPath) -> DependencyScope {
    DependencyScope(prefixes.dropLast() + [resolve(path)])
  }

  private func resolve(_ path: OperandPath) -> OperandPath? {
    let prefix: OperandPath?
    switch path.start {
    case .root: prefix = prefixes[prefixes.count - 1]
    case .outer(let depth): prefix = prefixes[depth]
    case .objects, .keyed, .extent, .rows: prefix = nil
    }
    guard let prefix else { return nil }
    return OperandPath(
      start: .root, hops: prefix.hops.isEmpty ? path.hops : prefix.hops + path.hops)
  }
}
