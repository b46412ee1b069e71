/// The classes of objects that the program and its libraries declare, found in what the compiler writes of every type.
///
/// Those of generic types are not among them: they exist when they are used.
package enum ProgramClasses {
  /// All that a store may have.
  package static let all: [ObjectBase.Type] = declared().filter {
    $0.shouldIncludeInDefaultSchema()
  }

  /// Those that a store can have together: it takes each of them, no two have a name in common, and they link to no others.
  package static let compatible: [ObjectBase.Type] = {
    var tables = all.compactMap { try? ObjectTable.of($0) }
    let named = Dictionary(grouping: tables, by: \.className)
    tables.removeAll { (named[$0.className]?.count ?? 0) > 1 }
    while true {
      let kept = Set(tables.map { ObjectIdentifier($0.objectType) })
      let count = tables.count
      tables.removeAll { $0.linkedTypes.contains { !kept.contains(ObjectIdentifier($0)) } }
      if tables.count == count { break }
    }
    let types = tables.map(\.objectType)
    return isTaken(types) ? types : types.filter { isTaken([$0]) }
  }()

  /// Whether a store takes classes, with those that they link to.
  private static func isTaken(_ types: [ObjectBase.Type]) -> Bool {
    guard let store = try? Store(objectTypes: types) else { return false }
    store.close()
    return true
  }

  private static func declared() -> [ObjectBase.Type] {
    let root = TypeDescriptor(of: ObjectBase.self)
    // The library's own are what others are made of.
    let own = [Object.self, EmbeddedObject.self, DynamicObject.self].map(TypeDescriptor.init(of:))
    return typeRecords().flatMap { records in
      records.indices.lazy.compactMap { TypeDescriptor(at: records.baseAddress! + $0) }
        .filter { $0.isConcreteClass && !own.contains($0) && $0.inherits(from: root) }
        .compactMap { $0.type as? ObjectBase.Type }
    }
  }

  /// The sections of types of the program and its libraries.
  private static func typeRecords() -> [UnsafeBufferPointer<Int32>] {
    var found: [UnsafeBufferPointer<Int32>] = []
    withUnsafeMutablePointer(to: &found) { found in
      forEachImage(
        { sections, found in
          let types = UnsafeRawBufferPointer(
            start: sections.load(fromByteOffset: 64, as: UnsafeRawPointer?.self),
            count: sections.load(fromByteOffset: 72, as: Int.self))
          found.assumingMemoryBound(to: [UnsafeBufferPointer<Int32>].self).pointee
            .append(types.bindMemory(to: Int32.self))
          return true
        }, found)
    }
    return found
  }
}

/// What the compiler writes of a type: the documented `TargetClassDescriptor` of Swift's stable ABI.
private struct TypeDescriptor: Equatable {
  private let address: UnsafeRawPointer

  init(of type: ObjectBase.Type) {
    address = unsafeBitCast(type, to: UnsafeRawPointer.self).load(
      fromByteOffset: 40, as: UnsafeRawPointer.self)
  }

  /// - Parameter record: An entry of a section of types; its lowest bits say whether what it leads to is the descriptor
  ///   or a pointer to one.
  init?(at record: UnsafePointer<Int32>) {
    let target = UnsafeRawPointer(record) + Int(record.pointee & ~3)
    switch record.pointee & 3 {
    case 0: address = target
    case 1: address = target.load(as: UnsafeRawPointer.self)
    default: return nil
    }
  }

  private var flags: UInt32 { address.load(as: UInt32.self) }

  private var isClass: Bool { flags & 0x1f == 16 }

  var isConcreteClass: Bool { isClass && flags & 0x80 == 0 }

  /// The superclass, also of a generic type; nil for none.
  private var superclass: TypeDescriptor? {
    guard isClass, let name = target(at: 20) else { return nil }
    let place = name + 1
    let target = place + Int(place.loadUnaligned(as: Int32.self))
    switch name.load(as: UInt8.self) {
    case 1: return TypeDescriptor(address: target)
    case 2: return TypeDescriptor(address: target.load(as: UnsafeRawPointer.self))
    default: return nil
    }
  }

  private init(address: UnsafeRawPointer) { self.address = address }

  func inherits(from ancestor: TypeDescriptor) -> Bool {
    var next = superclass
    while let type = next {
      if type == ancestor { return true }
      next = type.superclass
    }
    return false
  }

  /// The type of a concrete class, which this call may be the first to make.
  var type: Any.Type? {
    target(at: 12).map {
      typealias Accessor = @convention(c) (Int) -> UnsafeRawPointer
      return unsafeBitCast(unsafeBitCast($0, to: Accessor.self)(0), to: Any.Type.self)
    }
  }

  private func target(at offset: Int) -> UnsafeRawPointer? {
    let distance = address.load(fromByteOffset: offset, as: Int32.self)
    return distance == 0 ? nil : address + offset + Int(distance)
  }
}

/// Calls a function for the sections of the program and of each of its libraries, until it returns false.
@_silgen_name("swift_enumerateAllMetadataSections")
private func forEachImage(
  _ body: @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Bool,
  _ context: UnsafeMutableRawPointer)
