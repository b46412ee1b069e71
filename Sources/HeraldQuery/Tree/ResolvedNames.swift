package import HeraldModel

/// What the names in a text of the query language mean. A query that is bound for these reads no values, and the objects
/// that it names by their keys need not exist.
package final class ResolvedNames {
  /// A name that means a property.
  package struct Property {
    /// The span of the name, or of what ends with it: `@links.Dog.owner`.
    package let span: SourceSpan
    package let classID: ClassID
    package let property: PropertySchema
  }

  /// An object that is named by its key: `Dog#3`.
  package struct Object {
    package let span: SourceSpan
    package let className: String
    package let key: Value
  }

  package internal(set) var properties: [Property] = []
  /// Properties of several classes that one name behind a value of any type means.
  package internal(set) var shared: [Property] = []
  package internal(set) var objects: [Object] = []
}
