import HeraldEngine
import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

/// Makes a new store from what can still be read of a damaged one.
///
/// It first creates the objects, with their primary keys and numbers, so that it knows which links are
/// valid; then it sets their values, block by block, in transactions of bounded size. It uses the same
/// calls as every write, which maintain reverse links and indexes.
final class StoreRepair {
  let salvage: Salvage
  let layout: Layout
  private let target: NewStore
  private let interruption: Interruption?
  private var current: OpenWrite?
  /// The approximate size of the open transaction in bytes.
  private var cost = 0
  private(set) var losses = LossList()
  /// The objects that the new store has, by block.
  var kept: [ClassID: [Int: BlockMask]] = [:]
  /// The embedded objects that have an owner; recorded only if anything is missing.
  var owned: Set<ObjectID> = []
  /// The number of objects that have lost the value of a required property.
  var emptied: [ClassID: [PropertyID: Int]] = [:]

  /// Repairs the store at `path` into a new one; the file is only read. Errors: those of `Salvage` and of
  /// writing a file, and `interrupted`; the new file is then removed.
  static func run(
    _ path: String, to new: String, interruption: Interruption?
  ) throws -> RepairReport {
    try stored { () throws(StorageError) in
      let target = try NewStore(new, besides: path)
      let repair = StoreRepair(try Salvage(path: path), target, interruption)
      do throws(StorageError) {
        return try repair.run()
      } catch {
        repair.current = nil
        throw target.named(error)
      }
    }
  }

  private init(_ salvage: Salvage, _ target: NewStore, _ interruption: Interruption?) {
    self.salvage = salvage
    self.target = target
    self.interruption = interruption
    var schema: Schema?
    var loss: String?
    switch salvage.metadata(schemaName) {
    case .absent: schema = Schema()
    case .lost: break
    case .found(let bytes, let version):
      schema = try? Schema(encoded: bytes)
      loss = version.map { "the classes are those of version \($0), and may have changed since" }
    }
    layout = Layout(schema: schema ?? Schema())
    if schema == nil { loss = "the schema was lost" }
    if let loss { losses.add(RepairReport.Loss(className: nil, reason: loss)) }
    if salvage.isOutdated {
      let version = salvage.version.map { "version \($0)" } ?? "an earlier version"
      losses.add(
        RepairReport.Loss(
          className: nil,
          reason: "the newest version cannot be read, and what the new store has is \(version)"))
    }
  }

  private func run() throws(StorageError) -> RepairReport {
    noteUnknownClasses()
    for classSchema in layout.schema.classes { try keepObjects(of: classSchema) }
    for classSchema in layout.schema.classes { try fill(classSchema) }
    if !salvage.isExact { try removeUnownedObjects() }
    let objects = try keepSchema()
    try commit()
    try target.finish()
    return RepairReport(
      version: salvage.version, objects: objects, lost: losses.lost, counts: losses.counts)
  }

  /// Writes the schema and the next object numbers; returns the number of objects.
  private func keepSchema() throws(StorageError) -> Int {
    let write = try write(0)
    for classSchema in layout.schema.classes {
      guard case .found(let record, _) = salvage.classRecord(classSchema.id.rawValue) else {
        continue
      }
      try write.transaction.reserveNumbers(
        below: record.next, of: classSchema.id.rawValue)
    }
    let schema = schemaToKeep()
    if !schema.classes.isEmpty || !schema.projections.isEmpty || !schema.definitions.isEmpty {
      try write.transaction.setMetadata(schemaName, schema.encoded())
    }
    return schema.classes.reduce(0) { $0 + write.reader.objectCount(of: $1.id) }
  }

  /// Records the loss of classes of which nothing but the number is known.
  private func noteUnknownClasses() {
    for number in salvage.classes where layout.form(ClassID(number)) == nil {
      var objects = 0
      for block in salvage.blocks(of: number) {
        if case .found(let mask, _) = salvage.presence(number, block: block) {
          objects += mask.bitCount
        }
      }
      if objects == 0 { continue }
      noteLoss("class \(number)", "\(objects) objects of it were lost with its name and properties")
    }
  }

  /// Returns the schema with every property of which values were lost made optional.
  private func schemaToKeep() -> Schema {
    var schema = layout.schema
    for (classID, counts) in emptied.sorted(by: { $0.key < $1.key }) {
      guard let old = schema.classSchema(classID) else { continue }
      let properties = old.properties.map { property -> PropertySchema in
        guard let count = counts[property.id] else { return property }
        let words = count == 1 ? "an object has" : "\(count) objects have"
        losses.add(
          RepairReport.Loss(
            className: old.name, property: property.name,
            reason: "it may be nil from now on: \(words) lost it"))
        return PropertySchema(
          id: property.id, name: property.name,
          type: PropertyType(
            property.type.element, shape: property.type.shape, isOptional: true),
          isPrimaryKey: property.isPrimaryKey, isIndexed: property.isIndexed,
          defaultValue: property.defaultValue, isGenerated: property.isGenerated)
      }
      schema.put(
        ClassSchema(
          id: old.id, name: old.name, isDeclared: old.isDeclared, isEmbedded: old.isEmbedded,
          properties: properties, nextProperty: old.nextProperty, retention: old.retention))
    }
    return schema
  }
}

// MARK: Transactions and losses

extension StoreRepair {
  /// The maximum size of one transaction, in bytes.
  private static let costLimit = 32 << 20

  /// Returns the open transaction, or a new one if that has become large; `cost` is the number of bytes
  /// about to be written.
  func write(_ cost: Int) throws(StorageError) -> OpenWrite {
    if interruption?.isRequested == true { throw .interrupted }
    if self.cost > Self.costLimit { try commit() }
    self.cost += cost
    if let current { return current }
    let write = OpenWrite(try target.beginWrite(), layout: layout, Observatory())
    write.isMigrating = true
    current = write
    return write
  }

  private func commit() throws(StorageError) {
    guard let write = current else { return }
    current = nil
    cost = 0
    _ = try write.transaction.commit()
  }

  func noteLoss(_ className: String, _ reason: String) {
    losses.add(RepairReport.Loss(className: className, reason: reason))
  }

  /// Records that an object, or a property of one, was lost. An object that was kept is named by its key.
  func noteLoss(_ object: ObjectID, _ property: String?, _ reason: String) {
    guard let form = layout.form(object.classID) else { return }
    var key: Value?
    if let primary = form.schema.primaryKey, isKept(object), let current {
      key = current.reader.value(primary.id, of: object)
    }
    losses.add(
      RepairReport.Loss(
        className: form.schema.name, key: key, number: object.number, property: property,
        reason: reason))
  }

  func isKept(_ object: ObjectID) -> Bool {
    guard object.number > 0 else { return false }
    return kept[object.classID]?[object.number / blockSize]?.contains(object.number % blockSize)
      ?? false
  }

  static func isOld(_ version: Int) -> String {
    "it is as it was in version \(version), and may have changed since"
  }

  static let isUnreadable = "its value cannot be read"
}

/// The losses of a repair so far: all are counted, the first ones are listed.
struct LossList {
  private struct Kind: Hashable {
    let className: String?
    let property: String?
  }

  private(set) var lost: [RepairReport.Loss] = []
  private var order: [Kind] = []
  private var numbers: [Kind: Int] = [:]

  mutating func add(_ loss: RepairReport.Loss) {
    let kind = Kind(className: loss.className, property: loss.property)
    if numbers[kind] == nil { order.append(kind) }
    numbers[kind, default: 0] += 1
    if lost.count < RepairReport.listLimit { lost.append(loss) }
  }

  var counts: [RepairReport.Count] {
    order.map {
      RepairReport.Count(
        className: $0.className, property: $0.property, count: numbers[$0] ?? 0)
    }
  }
}
