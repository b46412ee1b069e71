package import HeraldModel

/// A query of the elements of a collection of values, in which `self` is the element.
///
/// It is bound to a class that no store has, whose objects are the elements, by their rows from 1, with one
/// property, `self`.
package struct ElementQuery: Sendable {
  private let query: BoundQuery
  private let schema: Schema

  /// The number of the property `self`.
  private static let property = PropertyID(1)

  /// Binds clauses to the elements of a collection. Variables and queries are read now.
  ///
  /// - Parameter name: the collection in messages.
  package static func bind(
    _ tail: QueryTail?, of element: ElementType, named name: String, schema: Schema,
    names: any QueryNames, reader: any ObjectReader
  ) throws(QueryError) -> ElementQuery {
    var extended = schema
    let elements = ClassSchema(
      id: schema.nextClass, name: name,
      properties: [
        PropertySchema(
          id: property, name: "self", type: PropertyType(element, isOptional: true))
      ])
    extended.put(elements)
    let query = try BoundQuery.bind(
      tail, root: elements.id, schema: extended, names: names, reader: reader)
    return ElementQuery(query: query, schema: extended)
  }

  /// Returns the rows of the elements that match, in the order of the query. O(values · log values).
  package func rows(_ values: [Value], _ reader: any ObjectReader) -> [Int] {
    let elements = ElementReader(values, of: query.classID, schema, reader)
    return query.rows(among: Array(1..<(values.count + 1)), elements).map { $0 - 1 }
  }

  /// Returns the query of the rows of this one that match further clauses.
  package func followed(by later: ElementQuery) -> ElementQuery {
    ElementQuery(query: query.followed(by: later.query), schema: schema)
  }

  /// Whether the rows are in an order other than that of the collection.
  package var isSorted: Bool {
    query.stages.contains { if case .sort = $0 { true } else { false } }
  }
}

/// Reads elements as objects with the property `self`, and all else from another reader.
private final class ElementReader: PlainReader {
  let schema: Schema
  private let elements: [Value]
  private let classID: ClassID
  private let reader: any ObjectReader

  init(
    _ elements: [Value], of classID: ClassID, _ schema: Schema, _ reader: any ObjectReader
  ) {
    self.elements = elements
    self.classID = classID
    self.schema = schema
    self.reader = reader
  }

  var references: any ObjectReader { self }
  var isInterrupted: Bool { reader.isInterrupted }

  func exists(_ object: ObjectID) -> Bool {
    object.classID == classID
      ? elements.indices.contains(object.number - 1) : reader.exists(object)
  }

  func value(_ property: PropertyID, of object: ObjectID) -> Value {
    guard object.classID == classID else { return reader.value(property, of: object) }
    return elements.indices.contains(object.number - 1) ? elements[object.number - 1] : .null
  }

  func objectCount(of classID: ClassID) -> Int {
    classID == self.classID ? elements.count : reader.objectCount(of: classID)
  }

  func blockCount(of classID: ClassID) -> Int {
    classID == self.classID ? elements.count / blockSize + 1 : reader.blockCount(of: classID)
  }

  func presence(of classID: ClassID, block: Int) -> BlockMask {
    guard classID == self.classID else { return reader.presence(of: classID, block: block) }
    var mask = BlockMask.zero
    for bit in 0..<blockSize where elements.indices.contains(block * blockSize + bit - 1) {
      mask.insert(bit)
    }
    return mask
  }

  func listCount(_ property: PropertyID, of object: ObjectID) -> Int {
    reader.listCount(property, of: object)
  }

  func listElement(_ property: PropertyID, of object: ObjectID, at index: Int) -> Value {
    reader.listElement(property, of: object, at: index)
  }

  func mapKey(_ property: PropertyID, of object: ObjectID, at index: Int) -> String {
    reader.mapKey(property, of: object, at: index)
  }

  func forEachElement(
    _ property: PropertyID, of object: ObjectID, _ body: (Value) throws -> Bool
  ) rethrows {
    try reader.forEachElement(property, of: object, body)
  }

  func forEachOrigin(
    of target: ObjectID, origin: ClassID, property: PropertyID,
    _ body: (_ origin: ObjectNumber, _ links: Int) throws -> Bool
  ) rethrows {
    try reader.forEachOrigin(of: target, origin: origin, property: property, body)
  }

  func linkCount(
    from number: ObjectNumber, origin: ClassID, property: PropertyID, to target: ObjectID
  ) -> Int {
    reader.linkCount(from: number, origin: origin, property: property, to: target)
  }
}
