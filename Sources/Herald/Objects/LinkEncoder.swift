import HeraldEngine
import HeraldModel

/// Gives the links to objects, when a property is assigned or an object is added: objects that are not in the
/// store yet are added.
///
/// It is passed along in one call, by which the store and `adding` are held.
public struct LinkEncoder {
  /// What an object that is in no store stands for.
  enum Unmanaged {
    /// A new object of the store, which is added.
    case isAdded
    /// An object that nothing links to, in a query.
    case isLinkedByNone
  }

  unowned(unsafe) let core: StoreCore?
  let update: UpdatePolicy
  /// Collects the objects that are not in the store, instead of adding them at once.
  unowned(unsafe) let adding: ObjectAdding?

  private let unmanaged: Unmanaged

  init(
    _ core: StoreCore?, _ update: UpdatePolicy = .error, adding: ObjectAdding? = nil,
    unmanaged: Unmanaged = .isAdded
  ) {
    self.core = core
    self.update = update
    self.adding = adding
    self.unmanaged = unmanaged
  }

  /// Whether the values are those that a query compares with.
  var isOfQuery: Bool { if case .isLinkedByNone = unmanaged { true } else { false } }

  /// Returns the new object as which a value is stored: the same one when the value is encoded again for one call.
  func part(_ make: () -> ObjectBase) -> ObjectBase { adding?.part(make) ?? make() }

  /// Returns the id of an object of the store.
  func link(to object: ObjectBase) throws -> ObjectID {
    guard let core else { throw HeraldError.wrongSession }
    if core.isOfCopies, isOfQuery {
      throw QueryArgumentError("objects of no store cannot be queried by objects to compare with")
    }
    if let binding = object._binding {
      if let migration = core.migration, migration.isOld(binding.core) {
        return ObjectID(binding.classID, object._number)
      }
      guard binding.core.session === core.session else {
        throw binding.core.session.isFrozen ? HeraldError.frozen : HeraldError.wrongSession
      }
      guard !object.isInvalidated else {
        throw HeraldError.objectDeleted(object.nameInStore)
      }
      return ObjectID(binding.classID, object._number)
    }
    if isOfQuery {
      return ObjectID(try object.binding(in: core).classID, 0)
    }
    if let adding {
      adding.pending.append(object)
      return ObjectID(ClassID(0), 0)
    }
    return try core.add(object, update, asEmbedded: object.isPart)
  }
}
