package import HeraldModel

/// Which changes of objects make a row of a collection count as modified.
package enum RowFilter: Hashable, Sendable {
  /// The row's object, or any that it reaches over at most this many links, changed.
  case deep(limit: Int)
  /// A property on one of these paths from the row's object changed. Without paths no row is ever
  /// modified; insertions, deletions and replacements are still reported.
  case keyPaths([PropertyPath])

  /// The default for observers of collections: four links.
  package static let standard = RowFilter.deep(limit: defaultDepth)

  /// The number of links over which a change is reported without key paths.
  package static let defaultDepth = 4
}
