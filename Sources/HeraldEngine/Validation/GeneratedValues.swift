import Glibc
package import HeraldModel
import Synchronization

extension PropertySchema {
  /// What a new object is given where its literal names nothing: a new identifier each time, or the
  /// default; nil where there is none.
  package var newContent: PropertyContent? {
    guard isGenerated else { return defaultContent }
    return .value(type.element == .uuid ? .uuid(.random()) : .objectID(ObjectIDs.next()))
  }
}

extension ClassSchema {
  /// Contents with a new identifier for each property that is generated and not given.
  func generating(_ contents: [NamedContent]) -> [NamedContent] {
    var contents = contents
    for property in properties where property.isGenerated {
      guard !contents.contains(where: { $0.name == property.name }),
        let content = property.newContent
      else { continue }
      contents.append((property.name, content))
    }
    return contents
  }
}

/// The object ids that stores of this process generate ascend.
private enum ObjectIDs {
  private static let maker: Mutex<DocumentID.Maker> = {
    var random = SystemRandomNumberGenerator()
    return Mutex(DocumentID.Maker(using: &random))
  }()

  static func next() -> DocumentID { maker.withLock { $0.next(seconds: time(nil)) } }
}
