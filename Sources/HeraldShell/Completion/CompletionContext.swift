package import Herald

/// The names in the store and in the shell that completion offers, in addition to keywords.
package struct CompletionContext: Sendable {
  package var schema: Schema
  package var variables: [String: Typing]
  package var tokens: [String]
  package var sessions: [String]
  /// The names in a folder; those of folders end with a slash.
  package var files: @Sendable (_ folder: String) -> [String]
  /// The smallest keys of a class that begin with `begun`, at most `limit`.
  var keys: @Sendable (_ className: String, _ begun: BegunKey, _ limit: Int) -> [Value]
  /// The first keys of a map that begin with `begun`, at most `limit`.
  var mapKeys: @Sendable (_ map: PathSyntax, _ begun: String, _ limit: Int) -> [String]

  package init(
    schema: Schema = Schema(), variables: [String: Typing] = [:], tokens: [String] = [],
    sessions: [String] = []
  ) {
    self.schema = schema
    self.variables = variables
    self.tokens = tokens
    self.sessions = sessions
    files = { _ in [] }
    keys = { _, _, _ in [] }
    mapKeys = { _, _, _ in [] }
  }
}

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
