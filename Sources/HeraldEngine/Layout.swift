package import HeraldModel
package import HeraldStorage

/// Set in the property number under which a map's keys are kept.
private let mapKeysBit: UInt32 = 1 << 31

/// How the properties of a schema lie in storage, by number: what point reads need, without hashing.
package struct Layout: Sendable {
  package struct Column: Sendable {
    package let id: ColumnID
    package let kind: ColumnKind
    package let element: ElementType
    package let shape: PropertyShape
  }

  /// A link or list property that leads to a class.
  package struct Incoming: Sendable {
    package let origin: ClassID
    package let property: PropertyID
    package let column: Column
  }

  package let schema: Schema
  private let columns: [[Column?]]
  private let incoming: [[Incoming]]

  package init(schema: Schema) {
    self.schema = schema
    let classCount = schema.classes.reduce(0) { max($0, Int($1.id.rawValue) + 1) }
    var columns = [[Column?]](repeating: [], count: classCount)
    var incoming = [[Incoming]](repeating: [], count: classCount)
    for classSchema in schema.classes {
      for property in classSchema.properties {
        let column = Column(classSchema.id, property)
        let place = Int(property.id.rawValue)
        let classPlace = Int(classSchema.id.rawValue)
        while columns[classPlace].count <= place { columns[classPlace].append(nil) }
        columns[classPlace][place] = column
        let way = Incoming(origin: classSchema.id, property: property.id, column: column)
        if let target = property.type.target {
          incoming[Int(target.rawValue)].append(way)
        } else if property.type.element == .any {
          for classPlace in incoming.indices { incoming[classPlace].append(way) }
        }
      }
    }
    self.columns = columns
    self.incoming = incoming
  }

  /// Nil where the schema has no such property.
  package func column(_ property: PropertyID, of classID: ClassID) -> Column? {
    let classPlace = Int(classID.rawValue)
    let place = Int(property.rawValue)
    guard classPlace < columns.count, place < columns[classPlace].count else { return nil }
    return columns[classPlace][place]
  }

  /// Every link and list property that leads to a class.
  package func incoming(to classID: ClassID) -> [Incoming] {
    let place = Int(classID.rawValue)
    return place < incoming.count ? incoming[place] : []
  }
}

extension Layout {
  /// Every column that storage may have something of, the presence of each class among them.
  var columnsInStorage: Set<ColumnID> {
    var columns: Set<ColumnID> = []
    for classSchema in schema.classes {
      columns.insert(ColumnID(classID: classSchema.id.rawValue, propertyID: 0))
      for property in classSchema.properties {
        guard let column = column(property.id, of: classSchema.id), !column.shape.isBacklinks
        else { continue }
        columns.insert(column.id)
        if column.shape == .map { columns.insert(column.keys(of: 1).column) }
      }
    }
    return columns
  }
}

extension Layout.Column {
  init(_ classID: ClassID, _ property: PropertySchema) {
    id = ColumnID(classID: classID.rawValue, propertyID: property.id.rawValue)
    element = property.type.element
    shape = property.type.shape
    kind =
      switch property.type.element {
      case .bool, .int, .link: .integers
      case .float: .floats
      case .double: .doubles
      case .string, .data, .decimal, .uuid, .objectID, .any: .bytes
      case .date: .dates
      }
  }

  /// The elements of a collection: a list's in its order, a set's and a map's in order of value and
  /// of key.
  func list(of owner: ObjectNumber) -> ListID { ListID(column: id, owner: owner) }

  /// The keys of a map, in order: kept beside its values, under a property number of their own.
  func keys(of owner: ObjectNumber) -> ListID {
    let keys = ColumnID(classID: id.classID, propertyID: id.propertyID | mapKeysBit)
    return ListID(column: keys, owner: owner)
  }
}
