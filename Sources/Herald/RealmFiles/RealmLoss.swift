import HeraldRealmFiles

/// What could not be read of a file of the documented system.
package struct RealmLoss: Equatable, Sendable {
  /// The class; nil for what concerns the whole file.
  package let className: String?
  /// A sentence with class, property and object, if these are known.
  package let text: String

  init(_ error: any Error) {
    let known = error as? RealmFileError
    className = known?.className
    text = known?.description ?? "\(error)"
  }

  init(_ className: String?, _ text: String) {
    self.className = className
    self.text = text
  }
}
