public import Dispatch
public import Foundation
public import Herald

/// What an observer of sectioned results receives, or of one section, with index paths.
public enum SectionedResultsChange<Collection> {
  /// The first call.
  case initial(Collection)
  /// What a commit changed: deleted and modified rows and deleted sections by their positions before, inserted ones by those
  /// after. Rows of deleted sections are not among the deletions.
  case update(
    Collection, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
    sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)
  /// Never comes, so that a switch needs no case of it, and may have one: what cannot be observed stops the program.
  case error(Never)

  /// Nil for the end of the observation by the end of its session.
  init?(_ change: SectionedChange<Collection>) {
    switch change {
    case .initial(let sections): self = .initial(sections)
    case .update(let sections, let deletions, let insertions, let modifications, let new, let old):
      self = .update(
        sections, deletions: deletions.map { IndexPath($0) },
        insertions: insertions.map { IndexPath($0) },
        modifications: modifications.map { IndexPath($0) }, sectionsToInsert: IndexSet(new),
        sectionsToDelete: IndexSet(old))
    case .error(HeraldError.closed): return nil
    case .error(let error): fatalError("the sections cannot be observed: \(error)")
    }
  }
}

// Other modules of a program may have the same names, which then count.
extension IndexPath {
  fileprivate init(_ position: SectionPosition) {
    self.init(indexes: [position.section, position.row])
  }

  /// The position of a row in a section.
  @_disfavoredOverload
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

  /// The position of a row in a section.
  @_disfavoredOverload
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

  /// The position of the section.
  @_disfavoredOverload
  public var section: Int { self[0] }
  /// The position of the row in the section.
  @_disfavoredOverload
  public var item: Int { self[1] }
  /// The position of the row in the section.
  @_disfavoredOverload
  public var row: Int { self[1] }
}

extension SectionedResults {
  /// The element at a position; one out of range stops the program.
  public subscript(indexPath: IndexPath) -> Row { self[indexPath.section][indexPath.item] }

  /// Observes the rows and the sections, on a queue if it is not nil.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    let receive = { (change: SectionedChange<Self>) in
      if let change = SectionedResultsChange(change) { block(change) }
    }
    guard let queue else { return observe(keyPaths: keyPaths, receive) }
    let unchecked = CalledOnQueue(receive)
    return observe(keyPaths: keyPaths, on: queue) { unchecked.block($0) }
  }

  /// Observes the rows and the sections, on a queue if it is not nil; `keyPaths` are properties of the rows.
  public func observe(
    keyPaths: [PartialKeyPath<Row>], on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken where Row: ResultElement {
    observe(keyPaths: _name(for: keyPaths), on: queue, block)
  }
}

extension ResultsSection {
  /// Observes the section, on a queue if it is not nil.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    let receive = { (change: SectionedChange<Self>) in
      if let change = SectionedResultsChange(change) { block(change) }
    }
    guard let queue else { return observe(keyPaths: keyPaths, receive) }
    let unchecked = CalledOnQueue(receive)
    return observe(keyPaths: keyPaths, on: queue) { unchecked.block($0) }
  }

  /// Observes the section, on a queue if it is not nil; `keyPaths` are properties of the rows.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken where Element: ResultElement {
    observe(keyPaths: _name(for: keyPaths), on: queue, block)
  }
}

extension StoredCollection where Element: ResultElement {
  /// Returns the objects, sorted by properties, in sections of equal values of a block.
  public func sectioned<Key: Storable & Hashable>(
    sortDescriptors: [Herald.SortDescriptor], _ keyBlock: @escaping (Element) -> Key
  ) -> SectionedResults<Key, Element> {
    sectioned(by: keyBlock, sortDescriptors: sortDescriptors)
  }
}

/// A block that is called on one queue. `@unchecked Sendable`: there alone.
struct CalledOnQueue<Change>: @unchecked Sendable {
  let block: (Change) -> Void

  init(_ block: @escaping (Change) -> Void) { self.block = block }
}
