package import HeraldModel

/// Which changes of objects make a row of a collection count as modified.
package enum RowFilter: Hashable, Sendable {
  /// The row's object, or any that it reaches over at most this many links, changed.
  case deep(limit: Int)
  /// A property on one of these paths from the row's object changed. Without paths no row is ever
  /// modified; insertions, deletions and replacements are still reported.
  case keyPaths([PropertyPath])
  /// What one of these paths leads to from the row's object differs, as a row of a projection shows it.
  case shown([PropertyPath])

  /// The default for observers of collections: four links.
  package static let standard = RowFilter.deep(limit: defaultDepth)

  /// The number of links over which a change is reported without key paths.
  package static let defaultDepth = 4
}

extension RowFilter {
  /// The paths of what rows of a projection show, with what a schema declares; nil for other rows.
  func shown(_ schema: Schema) -> [PropertyPath]? {
    guard case .shown(let paths) = self else { return nil }
    return paths.map { $0.learned(schema) ?? $0 }
  }
}
