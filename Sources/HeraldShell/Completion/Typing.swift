package import Herald

/// The type of a value, as far as it is known before evaluation.
package struct Typing: Hashable, Sendable {
  /// nil if the type is not known.
  package var element: ElementType?
  package var shape: PropertyShape
  package var isOptional = false
  /// The name of the projection through which an object is seen.
  package var projection: String?

  package init(_ element: ElementType?, shape: PropertyShape = .single) {
    self.element = element
    self.shape = shape
  }

  init(_ type: PropertyType) {
    self.init(type.element, shape: type.shape)
    isOptional = type.isOptional
  }

  package static let unknown = Typing(nil)

  var isCollection: Bool { shape != .single }

  /// The class of the object, or of the objects in a collection.
  var classID: ClassID? { if case .link(let classID)? = element { classID } else { nil } }
}
