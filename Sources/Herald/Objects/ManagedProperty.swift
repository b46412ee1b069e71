import Glibc
import HeraldEngine
@_spi(Blocks) public import HeraldModel
import HeraldQuery

/// One property of one managed object, in an accessor: the object is held meanwhile, and nothing is retained.
public struct PropertyReference {
  @usableFromInline let binding: Unmanaged<ClassBinding>
  @usableFromInline let slot: Int
  @usableFromInline let number: ObjectNumber

  @inlinable
  init(_ binding: Unmanaged<ClassBinding>, _ slot: Int, _ number: ObjectNumber) {
    self.binding = binding
    self.slot = slot
    self.number = number
  }
}

extension PropertyReference {
  var property: ManagedProperty {
    ManagedProperty(binding.takeUnretainedValue(), slot, number)
  }

  /// Calls `body` with the columns, after a check that the caller may use them, and returns what it reads; nil is
  /// checked to be a value that can be read.
  @inline(__always) func read<R>(_ body: (ResolvedColumns) -> R?) -> R? {
    let value = binding._withUnsafeGuaranteedRef { binding in
      binding.owner.check(property.placeElsewhere)
      return body(binding.columns)
    }
    if value == nil { checkReadable() }
    track()
    return value
  }

  /// The address of the value's block; nil if it is not noted, the caller is not on the store's thread, or a closure is
  /// being tracked there.
  @inline(__always) var address: BlockAddress? {
    binding._withUnsafeGuaranteedRef { binding in
      guard UInt(pthread_self()) == binding.thread, binding.tracked.pointee == nil else {
        return nil
      }
      return binding.addresses[slot].block(of: number, binding.epoch.pointee)
    }
  }

  /// The row of the value in its block.
  @inline(__always) var row: Int { number & 255 }

  @inline(never) private func checkReadable() { property.checkReadable() }
}

/// One property of one managed object.
struct ManagedProperty {
  let binding: ClassBinding
  let slot: Int
  let number: ObjectNumber

  init(_ binding: ClassBinding, _ slot: Int, _ number: ObjectNumber) {
    self.binding = binding
    self.slot = slot
    self.number = number
  }

  var reference: PropertyReference {
    PropertyReference(Unmanaged.passUnretained(binding), slot, number)
  }
}

extension ManagedProperty {
  var id: ObjectID { ObjectID(binding.classID, number) }
  var core: StoreCore { binding.core }

  /// The columns, after a check that the caller may use them.
  var columns: ResolvedColumns {
    core.owner.check(placeElsewhere)
    return binding.columns
  }

  /// Reads the property as a type that is known at run time.
  func read<P: Persistable>(_ type: P.Type) -> P {
    withExtendedLifetime(binding) { P._read(reference) }
  }

  func anyValue(_ type: any Persistable.Type) -> any Persistable { read(type) }

  /// The property in a description.
  func text(_ type: any Persistable.Type) -> String { anyValue(type)._text }

  var name: String { binding.table.property(atSlot: slot)?.name ?? "" }

  /// The property's value; nil is checked to be one of an object that exists.
  var value: Value {
    let value = columns.value(slot, of: number)
    if value.isNull { checkReadable() }
    reference.track()
    return value
  }

  /// Stops the program if the property cannot be read.
  func checkReadable() {
    if let failure = binding.columns.failure(slot, of: number) { stop(failure) }
  }

  /// Assigns a value in the open transaction; what the store refuses fails that transaction.
  func set(_ value: some Persistable) {
    core.owner.check(placeElsewhere)
    guard core.isInWrite else {
      if core.session.isFrozen { stopProgram("\(place) is frozen and cannot be assigned") }
      checkReadable()
      stopProgram("\(place) is assigned outside a write transaction; 'write' opens one")
    }
    if let property = binding.table.property(atSlot: slot), property.isPrimaryKey {
      stopProgram("\(place) is a primary key: it cannot be assigned after its object was added")
    }
    // A missing object has no values.
    let column = binding.columns.column(slot, ofValueOf: number)
    if column == nil, let failure = binding.columns.failure(slot, of: number) { stop(failure) }
    core.attempt(place, is: "assigned") {
      let content = try value._content(LinkEncoder(core))
      if let column, case .value(let value) = content,
        try core.session.assign(value, to: column, of: id)
      {
        return
      }
      try core.session.set(id, [(name, content)])
    }
  }

  /// The property in a sentence: `property 'age' of the object Dog#3`.
  var place: String { "property '\(name)' of the object \(core.session.name(of: id))" }

  /// The property in a sentence on another thread, where the object's key cannot be read.
  var placeElsewhere: String {
    "property '\(name)' of the object number \(number) of class '\(binding.table.className)'"
  }

  /// Stops the program since the property cannot be read or assigned.
  func stop(_ failure: HeraldError) -> Never {
    if case .objectDeleted = failure {
      stopProgram("\(place) is used after the object was deleted")
    }
    stopProgram("\(core.session.isClosed ? placeElsewhere : place) cannot be used: \(failure)")
  }

  /// Returns the value of a type that is not optional, where the version of a frozen store lacks the property, or has nil;
  /// stops the program elsewhere.
  func missing<R: PersistableElement>() -> R {
    checkReadable()
    if core.session.isPast { return R._missing() }
    stopProgram("\(place) has no value in the store, though its type '\(type)' is not optional")
  }

  func stop<R>(wrong value: Value) -> R {
    stopProgram(
      "\(place) is \(value.literalText) in the store, which is no value of its type '\(type)'")
  }

  private var type: String {
    binding.table.property(atSlot: slot).map { String(describing: $0.type) } ?? ""
  }
}

/// Stops the program with a sentence, in release builds too, which `preconditionFailure` does not print.
@inline(never)
func stopProgram(_ sentence: String) -> Never { fatalError(sentence) }
