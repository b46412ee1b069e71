import HeraldMaintenance
import HeraldModel
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldEngine

/// The contents given to some properties of an object: in any order, each property once, links to what exists.
@Suite struct CoercedContentsTests {
  /// A class with so many properties of type double that their columns are found by hashing.
  private static let wide = ClassDefinition(
    name: "Wide",
    properties: (0..<40).map {
      .init(
        name: "p\($0)", element: .double, isOptional: true,
        defaultValue: $0 % 3 == 0 ? .value(.int($0)) : nil)
    })

  @Test(arguments: seeds(8))
  func `contents in any order reach their properties, and the others get their defaults`(
    _ seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let session = try Session.made(Self.wide)
    let wide = try session.declaredClass("Wide")
    try session.beginWrite(byHand: true)
    let form = try #require(try session.open.reader.layout.form(wide.id))
    for count in [0, 1, 2, 15, 16, 17, 30, 40] {
      var indexes = (0..<40).shuffled(using: &random).prefix(count).map { $0 }
      if random.chance(30) { indexes.sort() }
      // An integer has to be coerced, a double has not.
      let contents = indexes.map { index -> NamedContent in
        ("p\(index)", .value(random.chance(50) ? .int(100 + index) : .double(Double(100 + index))))
      }
      let coerced = try CoercedContents(contents, to: form, in: session)
      #expect(coerced.count == count, "seed \(seed)")
      let expected = (0..<40).map { index -> PropertyContent? in
        indexes.contains(index) ? .value(.double(Double(100 + index))) : nil
      }
      #expect((0..<40).map { coerced.has($0) } == expected.map { $0 != nil }, "seed \(seed)")
      #expect((0..<40).map { coerced.content(at: $0) } == expected, "seed \(seed)")
      #expect(wide.properties.map { coerced.content(of: $0) } == expected, "seed \(seed)")
      #expect((0..<count).map { coerced.property($0).name } == contents.map(\.name), "seed \(seed)")
      #expect(
        (0..<count).map { coerced.column($0).property } == indexes.map { wide.properties[$0].id },
        "seed \(seed)")
      let object = try session.add(wide, contents)
      let values = try wide.properties.map { try session.read($0.name, of: object) }
      #expect(
        values
          == expected.enumerated().map { index, content in
            content?.asValue ?? (index % 3 == 0 ? .double(Double(index)) : .null)
          }, "seed \(seed)")
    }
    try session.commit()
    #expect(session.check() == [], "seed \(seed)")
  }

  @Test(arguments: [1, 20])
  func `a property that is given twice, or unknown, is an error`(_ count: Int) throws {
    let session = try Session.made(Self.wide)
    let wide = try session.declaredClass("Wide")
    let contents = (0..<count).reversed().map { index -> NamedContent in
      ("p\(index)", .value(.double(1)))
    }
    try session.beginWrite(byHand: true)
    #expect(
      errorText { try session.check(contents + [("p0", .value(.double(2)))], wide) }
        == "class 'Wide' has two properties 'p0'")
    #expect(
      errorText { try session.check(contents + [("q39", .value(.double(2)))], wide) }
        == "class 'Wide' has no property 'q39'; did you mean 'p39'?")
    #expect(errorText { try session.check(contents, wide) } == "no error")
    #expect(try session.objects("Wide") == [])
  }

  // MARK: Links and shapes

  private static let box = ClassDefinition(
    name: "Box",
    properties: [
      .init(name: "link", element: .link("Box")),
      .init(name: "links", element: .link("Box"), shape: .list),
      .init(name: "any", element: .any), .init(name: "numbers", element: .int, shape: .set),
      .init(name: "map", element: .int, shape: .map),
      .init(name: "lid", element: .link("Lid")),
      .init(name: "of", element: .link("Box"), shape: .backlinks("link")),
    ])
  private static let lid = ClassDefinition(
    name: "Lid", isEmbedded: true, properties: [.init(name: "size", element: .int)])

  /// A property, a content that it refuses, and the message.
  struct Refusal: Sendable {
    let name: String
    let content: PropertyContent
    let message: String
  }

  private static let missing = Value.link(ObjectID(ClassID(2), 99))

  static let refusals = [
    Refusal(
      name: "link", content: .value(missing), message: "the object Box#99 was deleted"),
    Refusal(
      name: "links", content: .list([missing]),
      message: "the object Box#99 was deleted"),
    Refusal(
      name: "any", content: .value(.map(["k": .list([missing])])),
      message: "the object Box#99 was deleted"),
    Refusal(
      name: "link", content: .value(.link(ObjectID(ClassID(2), -1))),
      message: "the object of class Box was never added to a store"),
    Refusal(
      name: "any", content: .value(.link(ObjectID(.nestedLists, 1))),
      message: "the object nested lists#1 was deleted"),
    Refusal(
      name: "link", content: .list([]),
      message: "property 'link' of class 'Box' is Box and cannot hold []"),
    Refusal(
      name: "links", content: .value(.int(1)),
      message: "property 'links' of class 'Box' is list<Box> and cannot hold 1"),
    Refusal(
      name: "numbers", content: .map(["k": .int(1)]),
      message: "property 'numbers' of class 'Box' is set<int> and cannot hold {\"k\": 1}"),
    Refusal(
      name: "map", content: .list([.int(1)]),
      message: "property 'map' of class 'Box' is map<int> and cannot hold [1]"),
    Refusal(
      name: "of", content: .list([]),
      message: "backlinks 'of' are kept by the store; change the links instead"),
  ]

  @Test(arguments: refusals)
  func `a content of another shape, or a link to nothing, is an error`(_ refusal: Refusal) throws {
    let session = try Session.made(Self.lid, Self.box)
    #expect(try session.declaredClass("Box").id == ClassID(2))
    try session.beginWrite(byHand: true)
    let box = try session.add("Box")
    #expect(
      errorText { try session.set(box, [(refusal.name, refusal.content)]) } == refusal.message)
  }

  @Test func `a new object may be linked before it is added, where that is permitted`() throws {
    let session = try Session.made(Self.lid, Self.box)
    let box = try session.declaredClass("Box")
    let link = try #require(box.property(named: "link"))
    let new = PropertyContent.value(.link(ObjectID(box.id, -1)))
    #expect(try session.coerce(new, link, box, allowingNew: true) == new)
  }

  @Test func `an embedded object has one owner, and none of type any`() throws {
    let session = try Session.made(Self.lid, Self.box)
    try session.beginWrite(byHand: true)
    let (first, second) = (try session.add("Box"), try session.add("Box"))
    let lid = Value.link(try session.add("Lid", ("size", .int(1))))
    let message = "the embedded object Lid#1 has an owner already"
    #expect(errorText { try session.set(first, ("any", lid)) } == message)
    #expect(errorText { try session.set(first, ("any", .list([lid]))) } == message)
    try session.set(first, ("lid", lid))
    #expect(errorText { try session.set(second, ("lid", lid)) } == message)
    // The one that it has already is no other.
    #expect(errorText { try session.set(first, ("lid", lid)) } == "no error")
    let lidClass = try session.declaredClass("Lid")
    #expect(
      errorText { _ = try session.add(lidClass, [("size", .value(.int(1)))]) }
        == "class 'Lid' is embedded: its objects are added as part of their owner")
  }
}
