import HeraldModel
import Testing

@testable import HeraldEngine

/// A value that is assigned becomes one of its property's type, or is refused with its text.
@Suite struct ValueCoercionTests {
  /// A value of each type, by the name of the type.
  private static let samples: [(name: String, value: Value)] = [
    ("bool", .bool(true)), ("int", .int(3)), ("float", .float(1.5)), ("double", .double(2.5)),
    ("string", .string("x")), ("data", .data([1])), ("date", .date(Timestamp(seconds: 5))),
    ("decimal", .decimal(Decimal128("1.10")!)), ("uuid", .uuid(UniqueID(bits: (1, 2)))),
    ("objectid", .objectID(DocumentID(bits: (1, 2)))), ("link", .link(ObjectID(ClassID(1), 1))),
    ("list", .list([.int(1)])), ("map", .map(["k": .int(1)])),
  ]

  /// A type, and the types of the values that it accepts.
  struct Acceptance: Sendable {
    let element: ElementType
    let types: [String]
  }

  static let acceptances = [
    Acceptance(element: .bool, types: ["bool"]), Acceptance(element: .int, types: ["int"]),
    Acceptance(element: .float, types: ["int", "float", "double", "decimal"]),
    Acceptance(element: .double, types: ["int", "float", "double", "decimal"]),
    Acceptance(element: .decimal, types: ["int", "float", "double", "decimal"]),
    Acceptance(element: .string, types: ["string"]), Acceptance(element: .data, types: ["data"]),
    Acceptance(element: .date, types: ["date"]), Acceptance(element: .uuid, types: ["uuid"]),
    Acceptance(element: .objectID, types: ["objectid"]),
    Acceptance(element: .link(ClassID(1)), types: ["link"]),
    Acceptance(element: .link(ClassID(2)), types: []),
    Acceptance(element: .any, types: samples.map(\.name)),
  ]

  @Test(arguments: acceptances)
  func `a type accepts the types that can be made one of it, and no other`(
    _ acceptance: Acceptance
  ) {
    let accepted = Self.samples.filter { $0.value.coerced(to: acceptance.element) != nil }
    #expect(accepted.map(\.name) == acceptance.types)
  }

  /// A value, a type, and what the value becomes; nil if it is refused.
  struct Coercion: Sendable {
    let given: Value
    let element: ElementType
    let coerced: Value?

    init(_ given: Value, _ element: ElementType, _ coerced: Value?) {
      (self.given, self.element, self.coerced) = (given, element, coerced)
    }
  }

  private static func decimal(_ text: String) -> Value { .decimal(Decimal128(text)!) }

  static let coercions: [Coercion] = [
    Coercion(.int(3), .double, .double(3)), Coercion(.int(3), .float, .float(3)),
    Coercion(.int(3), .decimal, decimal("3")),
    // Rounded to the nearest number of the type.
    Coercion(.int(1 << 53 + 1), .double, .double(9_007_199_254_740_992)),
    Coercion(.int(16_777_217), .float, .float(16_777_216)),
    Coercion(.double(0.1), .float, .float(0.1)), Coercion(.float(0.5), .double, .double(0.5)),
    Coercion(.float(0.1), .decimal, decimal("0.1")),
    Coercion(.double(0.1), .decimal, decimal("0.1")),
    Coercion(decimal("0.1"), .double, .double(0.1)),
    // Out of range, but infinity is a number of both.
    Coercion(.double(1e39), .float, nil), Coercion(.double(.infinity), .float, .float(.infinity)),
    Coercion(.double(-1e39), .float, nil), Coercion(decimal("1e400"), .double, nil),
    Coercion(decimal("1e39"), .float, nil), Coercion(decimal("inf"), .double, .double(.infinity)),
    Coercion(.double(1e-60), .float, .float(0)), Coercion(.double(.nan), .float, .float(.nan)),
    Coercion(.double(2), .int, nil), Coercion(.bool(true), .int, nil),
    Coercion(.int(1), .bool, nil),
    // Texts of the types that have no literal of their own everywhere.
    Coercion(.string("1970-01-01T00:00:05Z"), .date, .date(Timestamp(seconds: 5))),
    Coercion(.string("yesterday"), .date, nil), Coercion(.int(5), .date, nil),
    Coercion(
      .string("00000000-0000-0001-0000-000000000002"), .uuid, .uuid(UniqueID(bits: (1, 2)))),
    Coercion(.string("0-1"), .uuid, nil),
    Coercion(
      .string("000000000000000100000002"), .objectID, .objectID(DocumentID(bits: (1, 2)))),
    Coercion(.string("1"), .objectID, nil), Coercion(.string("3"), .int, nil),
    Coercion(.data([65]), .string, nil), Coercion(.string("A"), .data, nil),
  ]

  @Test(arguments: coercions)
  func `a value of another type is converted, if that loses no more than precision`(
    _ coercion: Coercion
  ) {
    #expect(coercion.given.coerced(to: coercion.element) == coercion.coerced)
  }

  /// A value that a property refuses, and the message.
  struct Refusal: Sendable {
    let type: PropertyType
    let value: Value
    let message: String
  }

  static let refusals = [
    Refusal(
      type: PropertyType(.int), value: .string("a\"b"),
      message: "property 'p' of class 'Box' is int and cannot hold \"a\\\"b\""),
    Refusal(
      type: PropertyType(.int, isOptional: true), value: .double(1.5),
      message: "property 'p' of class 'Box' is int? and cannot hold 1.5"),
    Refusal(
      type: PropertyType(.int, shape: .list), value: .bool(false),
      message: "property 'p' of class 'Box' is list<int> and cannot hold false"),
    Refusal(
      type: PropertyType(.float), value: .double(1e39),
      message: "property 'p' of class 'Box' is float and cannot hold 1e+39"),
    Refusal(
      type: PropertyType(.date), value: .list([.null, .data([1])]),
      message: "property 'p' of class 'Box' is date and cannot hold [nil, binary(\"AQ==\")]"),
    Refusal(
      type: PropertyType(.link(ClassID(2))), value: .link(ObjectID(ClassID(1), 3)),
      message: "property 'p' of class 'Box' is Lid and cannot hold a link to Box"),
    Refusal(
      type: PropertyType(.string), value: .null,
      message: "property 'p' of class 'Box' needs a value"),
    Refusal(
      type: PropertyType(.link(ClassID(2)), shape: .list), value: .null,
      message: "property 'p' of class 'Box' needs a value"),
  ]

  @Test(arguments: refusals)
  func `what is refused is named with its property`(_ refusal: Refusal) {
    let property = PropertySchema(id: PropertyID(1), name: "p", type: refusal.type)
    let box = ClassSchema(id: ClassID(1), name: "Box", properties: [property])
    let schema = Schema(classes: [box, ClassSchema(id: ClassID(2), name: "Lid", properties: [])])
    #expect(
      errorText { _ = try property.coerced(refusal.value, in: box, schema) } == refusal.message)
  }

  @Test(arguments: [
    PropertyType(.int, isOptional: true), PropertyType(.link(ClassID(1))), PropertyType(.any),
    PropertyType(.link(ClassID(1)), shape: .map),
  ])
  func `nil is a value of an optional type, of links and of any`(_ type: PropertyType) throws {
    let property = PropertySchema(id: PropertyID(1), name: "p", type: type)
    let box = ClassSchema(id: ClassID(1), name: "Box", properties: [property])
    #expect(try property.coerced(.null, in: box, Schema(classes: [box])) == .null)
  }

  @Test func `lists and maps nest as deep as the limit`() throws {
    let property = PropertySchema(id: PropertyID(1), name: "p", type: PropertyType(.any))
    let box = ClassSchema(id: ClassID(1), name: "Box", properties: [property])
    let deepest = (0..<nestingLimit - 1).reduce(Value.list([])) { value, level in
      level % 2 == 0 ? .map(["k": value]) : .list([.int(1), value])
    }
    #expect(try property.coerced(deepest, in: box, Schema(classes: [box])) == deepest)
    #expect(
      errorText { _ = try property.coerced(.list([deepest]), in: box, Schema(classes: [box])) }
        == "property 'p' of class 'Box' nests lists and maps at most 100 levels deep")
  }
}
