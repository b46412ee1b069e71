package import HeraldModel

/// Changes of a class, which no other process makes.
package struct ModelAlteration {
  package var changes: [ClassAlteration]
}

extension ModelAlteration: Codable {
  package init(from decoder: any Decoder) throws { throw Self.refusal }

  package func encode(to encoder: any Encoder) throws { throw Self.refusal }

  private static let refusal = ModelRefusal(
    reason: .other, words: "classes are altered in this process only")
}
