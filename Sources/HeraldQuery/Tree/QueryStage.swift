package enum QueryStage: Sendable {
  case sort(SortOrder)
  /// The first row of each combination of key values.
  case distinct(SortOrder)
  case limit(Int)
  /// All rows but the first.
  case offset(Int)
  /// A predicate on the output of the stages before it: of results of results.
  case filter(BoundPredicate)
}
