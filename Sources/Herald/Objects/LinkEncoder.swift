import HeraldEngine
import HeraldModel

/// Gives the links to objects, when a property is assigned or an object is added: objects that are not in the
/// store yet are added.
///
/// It is passed along in one call, by which the store and `adding` are held.
public struct LinkEncoder {
  unowned(unsafe) let core: StoreCore?
  let update: UpdatePolicy
  /// Collects the objects that are not in the store, instead of adding them at once.
  unowned(unsafe) let adding: ObjectAdding?

  init(_ core: StoreCore?, _ update: UpdatePolicy = .error, adding: ObjectAdding? = nil) {
    self.core = core
    self.update = update
    self.adding = adding
  }

  /// Returns the id of an object of the store.
  func link(to object: ObjectBase) throws -> ObjectID {
    guard let core else { throw HeraldError.wrongSession }
    if let binding = object._binding {
      guard binding.core.session === core.session else {
        throw binding.core.session.isFrozen ? HeraldError.frozen : HeraldError.wrongSession
      }
      guard !object.isInvalidated else {
        throw HeraldError.objectDeleted(object.nameInStore)
      }
      return ObjectID(binding.classID, object._number)
    }
    if let adding {
      adding.pending.append(object)
      return ObjectID(ClassID(0), 0)
    }
    return try core.add(object, update, asEmbedded: object is EmbeddedObject)
  }
}
