import Glibc
package import HeraldModel
import Synchronization

extension PropertySchema {
  /// The content for a new object that is given none: a new identifier each time, or the default, or nil.
  package var newContent: PropertyContent? {
    guard isGenerated else { return defaultContent }
    return .value(type.element == .uuid ? .uuid(.random()) : .objectID(ObjectIDs.next()))
  }
}

extension ClassSchema {
  /// Returns contents with a new identifier added for each generated property that they lack.
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

/// The generator of object ids, one for all stores of this process, so that they ascend.
private enum ObjectIDs {
  private static let maker: Mutex<DocumentID.Maker> = {
    var random = SystemRandomNumberGenerator()
    return Mutex(DocumentID.Maker(using: &random))
  }()

  static func next() -> DocumentID { maker.withLock { $0.next(seconds: time(nil)) } }
}
