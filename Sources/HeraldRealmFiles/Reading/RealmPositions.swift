/// Finds the position of an object in its class by its key: what a link leads to.
public struct RealmPositions: Sendable {
  private let contents: FileContents
  private let className: String
  private let source: Source

  private enum Source {
    case clusters(ClusterDirectory)
    case rows(Int)
  }

  /// The number of objects that can be read.
  public var count: Int {
    switch source {
    case .clusters(let directory): directory.count
    case .rows(let count): count
    }
  }

  /// Prepares to find objects of the table at `index`.
  init(_ contents: FileContents, table index: Int, directory: ClusterDirectory?) throws(Fault) {
    self.contents = contents
    className = contents.tables[index].name
    var reader = contents.reader()
    switch contents.layouts[index].rows {
    case .none: source = .rows(0)
    case .clusters: source = directory.map { .clusters($0) } ?? .rows(0)
    case .columns(let first): source = .rows(try reader.rowTree(of: first).count)
    }
  }

  /// Returns the index of the object with `key` among those of the class that can be read; nil if
  /// there is none.
  ///
  /// Throws `RealmFileError` if its keys are damaged. Cost: logarithmic in the number of objects.
  public func index(of key: Int64) throws -> Int? {
    switch source {
    case .rows(let count): return key >= 0 && key < count ? Int(key) : nil
    case .clusters(let directory):
      guard let leaf = directory.leaf(of: key) else { return nil }
      var reader = contents.reader()
      do throws(Fault) {
        guard let index = try ClusterKeys(leaf, &reader).index(of: key), index < leaf.count else {
          return nil
        }
        return leaf.first + index
      } catch {
        throw RealmFileError(error, className: className, objectKey: key)
      }
    }
  }
}
