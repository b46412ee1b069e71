import HeraldModel
import HeraldQuery

/// Compares what the paths of a projection lead to before and after changes: another way may lead to an equal value
/// (observation 7.3).
final class ShownValues {
  enum Difference {
    case value(old: Value, new: Value)
    /// Of a collection, or of what several lead to.
    case contents
  }

  private let changes: PendingChanges
  private let reader: any ObjectReader
  private lazy var before = PreviousReader(reader, before: changes.record)
  /// The objects from which a path leads to other objects than before, by the path without its last step.
  private var retargeted: [PropertyPath: [ObjectNumber]] = [:]

  init(_ changes: PendingChanges, _ reader: any ObjectReader) {
    self.changes = changes
    self.reader = reader
  }

  /// Returns how what a path leads to differs; nil where it does not. Something must have changed along the path.
  ///
  /// A single commit that changed a collection itself always left it different. The contents are compared only where the
  /// path leads to another collection, or to several, whose changes may cancel out, or several commits are merged, in
  /// O(elements of both), or O(1) where the counts differ.
  func difference(at path: PropertyPath, of number: ObjectNumber) -> Difference? {
    guard path.isCollection(reader.schema) else {
      let old = changes.record.previousValue(at: path, of: number, reader)
      let new = value(at: path, of: number, reader)
      return old.hasSameForm(as: new) ? nil : .value(old: old, new: new)
    }
    let isMerged = changes.record.firstVersion != changes.record.lastVersion
    let leadsToSeveral = path.steps.dropLast().contains { $0.isCollection(reader.schema) }
    guard isMerged || leadsToSeveral || isRetargeted(path, number) else { return .contents }
    let object = ObjectID(path.root, number)
    let old = ProjectedContents(path, of: object, before)
    let new = ProjectedContents(path, of: object, reader)
    if old.count != new.count || !old.hasSameContents(as: new) { return .contents }
    return before.hasReadUnknownValue ? .contents : nil
  }

  /// Whether something changed on the path before the last step.
  private func isRetargeted(_ path: PropertyPath, _ number: ObjectNumber) -> Bool {
    guard path.steps.count > 1 else { return false }
    let parent = PropertyPath(root: path.root, steps: path.withWholeProperties.steps.dropLast())
    if let known = retargeted[parent] { return known.containsSorted(number) }
    let found = PathWatch(parent).roots(changes, reader)
    retargeted[parent] = found
    return found.containsSorted(number)
  }
}

/// The paths to what a row of a projection shows, as far as something changed along them.
struct ShownChanges {
  private let paths: [(path: PropertyPath, changed: [ObjectNumber])]
  private let values: ShownValues

  init(
    _ shown: [PropertyPath], _ watches: [PathWatch], _ changes: PendingChanges,
    _ reader: any ObjectReader
  ) {
    values = ShownValues(changes, reader)
    paths = watches.flatMap { watch in
      let changed = watch.roots(changes, reader)
      return changed.isEmpty
        ? []
        : shown.filter { $0.withWholeProperties == watch.path }.map { (path: $0, changed: changed) }
    }
  }

  /// Whether a row shows something else than before.
  func differ(of number: ObjectNumber) -> Bool {
    paths.contains { path, changed in
      changed.containsSorted(number) && values.difference(at: path, of: number) != nil
    }
  }
}

extension ProjectedContents {
  /// Whether the contents are equal, in the same form.
  fileprivate func hasSameContents(as other: ProjectedContents) -> Bool {
    guard let mine = contents, let others = other.contents else {
      return contents == nil && other.contents == nil
    }
    return mine.elements.hasSameForms(as: others.elements)
      && mine.keys.elementsEqual(others.keys) { $0.hasSameBytes(as: $1) }
  }
}
