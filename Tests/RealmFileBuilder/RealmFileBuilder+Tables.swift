extension RealmFileBuilder {
  /// A column of a table to be built.
  public struct Column: Sendable {
    public let name: String
    public let type: Int
    public let attributes: Int
    public let target: Int?

    /// Makes a column of the type with this number; `target` is the place of a table that links lead to.
    public init(_ name: String, _ type: Int, _ attributes: Int = 0, target: Int? = nil) {
      self.name = name
      self.type = type
      self.attributes = attributes
      self.target = target
    }
  }

  /// Appends a table of formats from 10 on, whose objects are in the cluster tree at `clusters`.
  public mutating func table(
    _ columns: [Column], clusters: Int, key: Int = 0, primaryKey: Int? = nil, flags: Int = 0,
    distinct: [Int] = []
  ) -> Int {
    let types = integers(columns.map { Int64($0.type) })
    let names = shortStrings(columns.map(\.name))
    let attributes = integers(columns.map { Int64($0.attributes) })
    let columnKeys = columns.indices.map { index in
      columnKey(index, columns[index])
    }
    let keys = integers(columnKeys)
    let distinctRef = distinct.isEmpty ? nil : array(distinct.map { $0 == 0 ? .none : .ref($0) })
    let spec = array([
      .ref(types), .ref(names), .ref(attributes), .none, distinctRef.map { .ref($0) } ?? .none,
      .ref(keys),
    ])
    let targets = integers(columns.map { Int64($0.target ?? 0x7FFF_FFFF) })
    let origins = integers(columns.map { _ in 0x7FFF_FFFF_FFFF_FFFF })
    return array([
      .ref(spec), .none, .ref(clusters), .tagged(key), .none, .tagged(columns.count), .tagged(0),
      .ref(targets), .ref(origins), .tagged(0), .none,
      primaryKey.map { .tagged(Int(columnKeys[$0])) } ?? .none, .tagged(flags),
    ])
  }

  private func columnKey(_ index: Int, _ column: Column) -> Int64 {
    let low = Int64(index) | Int64(column.type & 63) << 16 | Int64(column.attributes & 255) << 22
    return low | Int64(index + 1) << 30
  }

  /// Returns the file with these tables.
  public mutating func file(_ tables: [(name: String, ref: Int)], format: UInt8 = 24) -> [UInt8] {
    let names = shortStrings(tables.map(\.name))
    let refs = refs(tables.map(\.ref))
    let top = array([.ref(names), .ref(refs), .tagged(bytes.count)])
    return file(top: top, format: format)
  }

  /// Returns the file with a class `A` of objects with keys 0, 1, … and one column, whose leaf is made by `leaf`.
  public static func file(
    _ column: Column, count: Int, format: UInt8 = 24, distinct: [String?]? = nil,
    leaf: (inout RealmFileBuilder) -> Int
  ) -> [UInt8] {
    var builder = RealmFileBuilder()
    let leafRef = leaf(&builder)
    let cluster = builder.array([.tagged(count), .ref(leafRef)])
    let distinctRefs = distinct.map { [builder.shortStrings($0)] } ?? []
    let table = builder.table([column], clusters: cluster, distinct: distinctRefs)
    return builder.file([("class_A", table)], format: format)
  }
}
