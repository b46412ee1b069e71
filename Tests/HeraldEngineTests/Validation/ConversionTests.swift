import HeraldModel
import Testing

@testable import HeraldEngine

/// What the values of a property become when it is altered to another type.
@Suite struct ConversionTests {
  /// A content, a type, and what it becomes; nil if it cannot be converted.
  struct Conversion: Sendable {
    let content: PropertyContent
    let type: PropertyType
    let converted: PropertyContent?

    init(_ content: PropertyContent, _ type: PropertyType, _ converted: PropertyContent?) {
      (self.content, self.type, self.converted) = (content, type, converted)
    }

    /// Of single values.
    init(_ value: Value, _ element: ElementType, _ converted: Value?) {
      self.init(.value(value), PropertyType(element), converted.map { .value($0) })
    }
  }

  private static func decimal(_ text: String) -> Value { .decimal(Decimal128(text)!) }
  private static let time = Value.date(Timestamp(seconds: 5))
  private static let uuid = Value.uuid(UniqueID(bits: (1, 2)))
  private static let objectID = Value.objectID(DocumentID(bits: (1, 2)))

  static let values: [Conversion] = [
    Conversion(.int(0), .bool, .bool(false)), Conversion(.int(1), .bool, .bool(true)),
    Conversion(.int(2), .bool, nil), Conversion(.double(1), .bool, nil),
    Conversion(.string("true"), .bool, .bool(true)), Conversion(.string("yes"), .bool, nil),
    Conversion(.bool(true), .int, .int(1)), Conversion(.double(2), .int, .int(2)),
    Conversion(.double(2.5), .int, nil), Conversion(.float(1e10), .int, .int(10_000_000_000)),
    Conversion(.double(1e19), .int, nil), Conversion(decimal("7.00"), .int, .int(7)),
    Conversion(decimal("7.01"), .int, nil), Conversion(.string("-12"), .int, .int(-12)),
    Conversion(.string("1.0"), .int, nil), Conversion(time, .int, nil),
    Conversion(.string("2.5"), .double, .double(2.5)), Conversion(.string("x"), .double, nil),
    Conversion(.bool(true), .double, nil), Conversion(.int(3), .float, .float(3)),
    Conversion(.string("0.1"), .float, .float(0.1)), Conversion(.string("1e39"), .float, nil),
    Conversion(.string("1.10"), .decimal, decimal("1.10")),
    Conversion(.int(3), .decimal, decimal("3")),
    Conversion(.bool(true), .string, .string("true")), Conversion(.int(-3), .string, .string("-3")),
    Conversion(.double(2.5), .string, .string("2.5")),
    Conversion(time, .string, .string("1970-01-01T00:00:05Z")),
    Conversion(uuid, .string, .string("00000000-0000-0001-0000-000000000002")),
    Conversion(objectID, .string, .string("000000000000000100000002")),
    Conversion(.data(Array("ä".utf8)), .string, .string("ä")),
    Conversion(.data([0xFF]), .string, nil), Conversion(.list([.string("a")]), .string, nil),
    Conversion(.string("ä"), .data, .data(Array("ä".utf8))), Conversion(.int(1), .data, nil),
    Conversion(.string("1970-01-01T00:00:05Z"), .date, time), Conversion(.int(5), .date, nil),
    Conversion(.string("00000000-0000-0001-0000-000000000002"), .uuid, uuid),
    Conversion(.string("000000000000000100000002"), .objectID, objectID),
    Conversion(.link(ObjectID(ClassID(1), 2)), .link(ClassID(1)), .link(ObjectID(ClassID(1), 2))),
    Conversion(.link(ObjectID(ClassID(1), 2)), .link(ClassID(2)), nil),
    Conversion(.null, .int, nil), Conversion(.null, .any, .null),
    Conversion(.map(["k": .int(1)]), .any, .map(["k": .int(1)])),
  ]

  @Test(arguments: values)
  func `a value becomes one of another type if nothing is lost, and a text what it says`(
    _ conversion: Conversion
  ) {
    #expect(conversion.content.converted(to: conversion.type) == conversion.converted)
  }

  private static let int = PropertyType(.int)
  private static let optional = PropertyType(.int, isOptional: true)
  private static let list = PropertyType(.int, shape: .list)
  private static let set = PropertyType(.int, shape: .set)
  private static let map = PropertyType(.int, shape: .map)
  private static let any = PropertyType(.any)

  static let shapes: [Conversion] = [
    Conversion(.value(.null), optional, .value(.null)),
    Conversion(.value(.null), list, .list([])), Conversion(.value(.null), set, .list([])),
    Conversion(.value(.null), map, .map([:])),
    Conversion(.value(.string("1")), list, .list([.int(1)])),
    Conversion(.value(.int(1)), map, nil), Conversion(.value(.string("x")), list, nil),
    Conversion(.value(.list([.int(1), .bool(true)])), list, .list([.int(1), .int(1)])),
    Conversion(.value(.list([.int(1), .bool(true)])), set, nil),
    Conversion(.value(.map(["k": .string("1")])), map, .map(["k": .int(1)])),
    Conversion(.list([.double(1), .double(2)]), list, .list([.int(1), .int(2)])),
    Conversion(.list([.double(1), .double(2.5)]), list, nil),
    Conversion(.list([.null]), list, nil), Conversion(.list([.int(1), .int(1)]), set, nil),
    Conversion(.list([.int(1), .int(2)]), set, .list([.int(1), .int(2)])),
    Conversion(.list([]), optional, .value(.null)), Conversion(.list([]), int, nil),
    Conversion(.list([.bool(true)]), int, .value(.int(1))),
    Conversion(.list([.int(1), .int(2)]), int, nil), Conversion(.list([.int(1)]), map, nil),
    Conversion(.list([.int(1), .null]), any, .value(.list([.int(1), .null]))),
    Conversion(.map(["k": .bool(true)]), map, .map(["k": .int(1)])),
    Conversion(.map(["k": .string("x")]), map, nil), Conversion(.map(["k": .int(1)]), list, nil),
    Conversion(.map(["k": .int(1)]), int, nil),
    Conversion(.map(["k": .int(1)]), any, .value(.map(["k": .int(1)]))),
    Conversion(.list([.int(1)]), PropertyType(.link(ClassID(1)), shape: .backlinks("p")), nil),
  ]

  @Test(arguments: shapes)
  func `a collection becomes another one, or a value, if nothing is lost`(
    _ conversion: Conversion
  ) {
    #expect(conversion.content.converted(to: conversion.type) == conversion.converted)
  }

  // MARK: Embedded objects

  /// A class of homes with a town, and in each a list of rooms, which are embedded too.
  private static let schema = Schema(classes: [
    ClassSchema(
      id: ClassID(1), name: "Home", isEmbedded: true,
      properties: [
        PropertySchema(id: PropertyID(1), name: "town", type: PropertyType(.string)),
        PropertySchema(
          id: PropertyID(2), name: "number", type: PropertyType(.int), defaultValue: .int(1)),
        PropertySchema(
          id: PropertyID(3), name: "rooms", type: PropertyType(.link(ClassID(2)), shape: .list)),
      ]),
    ClassSchema(
      id: ClassID(2), name: "Room", isEmbedded: true,
      properties: [
        PropertySchema(
          id: PropertyID(1), name: "size", type: PropertyType(.int, isOptional: true))
      ]),
  ])
  private static let home = PropertyType(.link(ClassID(1)))
  private static let homes = PropertyType(.link(ClassID(1)), shape: .list)
  private static let homesByKey = PropertyType(.link(ClassID(1)), shape: .map)

  static let parts: [Conversion] = [
    Conversion(.value(.map(["town": .int(7)])), home, .value(.map(["town": .string("7")]))),
    Conversion(
      .value(.map(["town": .string("a"), "rooms": .list([.map(["size": .string("3")])])])), home,
      .value(.map(["town": .string("a"), "rooms": .list([.map(["size": .int(3)])])]))),
    // A property that has no default, one that is unknown, and one that cannot be converted.
    Conversion(.value(.map(["number": .int(7)])), home, nil),
    Conversion(.value(.map(["town": .string("a"), "twon": .int(7)])), home, nil),
    Conversion(.value(.map(["town": .string("a"), "number": .string("x")])), home, nil),
    Conversion(
      .value(.map(["town": .string("a"), "rooms": .list([.map(["size": .string("x")])])])), home,
      nil),
    Conversion(.value(.null), home, .value(.null)), Conversion(.value(.int(1)), home, nil),
    Conversion(.list([]), home, .value(.null)),
    Conversion(.list([.map(["town": .string("a")])]), home, .value(.map(["town": .string("a")]))),
    Conversion(.value(.null), homes, .list([])), Conversion(.list([.null]), homes, nil),
    Conversion(.value(.map(["town": .string("a")])), homes, .list([.map(["town": .string("a")])])),
    Conversion(
      .map(["k": .map(["town": .string("a")])]), homesByKey,
      .map(["k": .map(["town": .string("a")])])),
    Conversion(.map(["k": .int(1)]), homesByKey, nil), Conversion(.list([]), homesByKey, nil),
  ]

  @Test(arguments: parts)
  func `a map becomes an embedded object if it has what that needs, and nothing else`(
    _ conversion: Conversion
  ) {
    #expect(conversion.content.folded(to: conversion.type, Self.schema) == conversion.converted)
  }

  @Test func `an embedded object becomes the map of its properties`() throws {
    let session = try Session.made(
      ClassDefinition(
        name: "Home", isEmbedded: true,
        properties: [
          .init(name: "town", element: .string),
          .init(name: "rooms", element: .link("Room"), shape: .list),
          .init(name: "owner", element: .link("Dog")),
          .init(name: "of", element: .link("Dog"), shape: .backlinks("home")),
        ]),
      ClassDefinition(
        name: "Room", isEmbedded: true, properties: [.init(name: "size", element: .int)]),
      ClassDefinition(name: "Dog", properties: [.init(name: "home", element: .link("Home"))]))
    let dog = try session.write {
      let dog = try session.add("Dog")
      let rooms = try (1...2).map { Value.link(try session.add("Room", ("size", .int($0)))) }
      let home = try session.add(
        "Home", ("town", .string("a")), ("rooms", .list(rooms)), ("owner", .link(dog)))
      try session.set(dog, ("home", .link(home)))
      return dog
    }
    let rooms = Value.list([.map(["size": .int(1)]), .map(["size": .int(2)])])
    #expect(
      session.snapshot.unfolded(.value(try session.read("home", of: dog)))
        == .value(.map(["town": .string("a"), "rooms": rooms, "owner": .link(dog)])))
    #expect(
      session.snapshot.unfolded(.list([.int(1), .link(dog)])) == .list([.int(1), .link(dog)]))
  }
}
