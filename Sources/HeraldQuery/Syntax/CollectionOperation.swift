/// An aggregate over a collection. `[SIZE]` and `@size` are aliases of `@count`.
package enum CollectionOperation: String, CaseIterable, Sendable {
  case count = "@count"
  case min = "@min"
  case max = "@max"
  case sum = "@sum"
  case average = "@avg"
}
