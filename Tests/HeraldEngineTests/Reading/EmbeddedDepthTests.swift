import HeraldMaintenance
import HeraldModel
import Testing

@testable import HeraldEngine

/// Embedded objects have one owner, and nest no deeper than the limit, from whichever end they are put together.
@Suite struct EmbeddedDepthTests {
  private static let part = ClassDefinition(
    name: "Part", isEmbedded: true,
    properties: [
      .init(name: "inner", element: .link("Part")),
      .init(name: "more", element: .link("Part"), shape: .list),
    ])
  private static let whole = ClassDefinition(
    name: "Whole",
    properties: [
      .init(name: "part", element: .link("Part")),
      .init(name: "parts", element: .link("Part"), shape: .list),
      .init(name: "byKey", element: .link("Part"), shape: .map),
    ])

  private let session: Session

  init() throws {
    session = try Session.made(Self.part, Self.whole)
    try session.beginWrite(byHand: true)
  }

  private let tooDeep =
    "embedded objects nest at most 100 levels deep: the new Part would be one more"

  /// Parts within one another, the outermost first.
  private func chain(_ count: Int) throws -> [ObjectID] {
    var parts = [try session.add("Part")]
    while parts.count < count {
      let isInList = parts.count % 2 == 0
      let inner = Value.link(parts[0])
      parts.insert(
        try session.add("Part", isInList ? ("more", .list([inner])) : ("inner", inner)), at: 0)
    }
    return parts
  }

  @Test func `the depth is the number of embedded objects from the owner on`() throws {
    let parts = try chain(5)
    // Without an owner it is counted from the outermost one.
    #expect(parts.map(session.depth) == [1, 2, 3, 4, 5])
    let whole = try session.add("Whole", ("byKey", .map(["k": .link(parts[0])])))
    #expect(session.depth(of: whole) == 0 && session.depth(of: parts[4]) == 5)
    #expect(session.isPart(parts[0]) && !session.isPart(whole))
  }

  @Test func `a chain as long as the limit fits, and one more does not`() throws {
    let parts = try chain(embeddedDepthLimit)
    #expect(
      errorText { try session.add("Part", ("inner", .link(parts[0]))) } == tooDeep)
    let whole = try session.add("Whole", ("part", .link(parts[0])))
    let new = Value.link(try session.add("Part"))
    #expect(errorText { try session.set(parts[99], ("inner", new)) } == tooDeep)
    #expect(errorText { try session.edit(parts[99], "more", .insert([new], at: 0)) } == tooDeep)
    #expect(errorText { try session.set(parts[98], ("more", .list([new]))) } == "no error")
    try session.commit()
    #expect(session.check() == [])
    try session.write { try session.delete(whole) }
    #expect(try session.objects("Part") == [])
  }

  @Test func `two chains are too deep together`() throws {
    let (upper, lower) = (try chain(60), try chain(41))
    let whole = try session.add("Whole", ("parts", .list([.link(upper[0])])))
    #expect(errorText { try session.set(upper[59], ("inner", .link(lower[0]))) } == tooDeep)
    #expect(
      errorText { try session.set(upper[58], ("more", .list([.link(lower[0])]))) } == "no error")
    #expect(session.depth(of: lower[40]) == 100)
    try session.delete(whole)
    #expect(try session.objects("Part") == [])
  }

  @Test func `a part of one owner is none of another, in each kind of collection`() throws {
    let part = Value.link(try session.add("Part"))
    let owner = try session.add("Whole", ("parts", .list([part])))
    let other = try session.add("Whole")
    let message = "the embedded object Part#1 has an owner already"
    for (name, value) in [("part", part), ("parts", .list([part])), ("byKey", .map(["k": part]))] {
      #expect(errorText { try session.set(other, (name, value)) } == message)
      #expect(errorText { _ = try session.add(named: "Whole", [(name, value)]) } == message)
    }
    #expect(errorText { try session.edit(other, "parts", .insert([part], at: 0)) } == message)
    #expect(errorText { try session.edit(other, "byKey", .setKey("k", part)) } == message)
    #expect(
      errorText { try session.edit(owner, "parts", .replace(at: 0, with: part)) } == "no error")
    #expect(errorText { try session.edit(owner, "parts", .insert([part], at: 0)) } == message)
  }
}
