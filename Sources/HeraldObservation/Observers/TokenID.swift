/// The identifier of one observer within its session, ordered by registration.
package struct TokenID: Hashable, Comparable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static func < (a: TokenID, b: TokenID) -> Bool { a.rawValue < b.rawValue }
}
