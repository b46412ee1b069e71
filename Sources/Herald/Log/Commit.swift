public import HeraldModel

/// A commit with its changes, as values: independent of the store, for any thread.
public struct Commit: Sendable {
  /// A property with its value.
  public struct Property: Hashable, Sendable {
    /// The name of the property.
    public let name: String
    /// Its value, its elements or its entries.
    public let content: PropertyContent
  }

  /// A property with its values before and after a commit.
  public struct ModifiedProperty: Hashable, Sendable {
    /// The name of the property.
    public let name: String
    /// The content before the commit.
    public let old: PropertyContent
    /// The content after it.
    public let new: PropertyContent
  }

  /// What became of an object.
  public enum Change: Hashable, Sendable {
    /// The object was added, with these properties.
    case inserted([Property])
    /// These of its properties differ.
    case modified([ModifiedProperty])
    /// The object was deleted; it had these properties.
    case deleted([Property])
  }

  /// The change of one object.
  public struct ObjectChange: Hashable, Sendable {
    /// The class of the object and its primary key or, without one, its number.
    public let label: ObjectLabel
    /// The object, as links in the contents name it.
    public let id: ObjectID
    /// What became of it.
    public let change: Change
  }

  /// Its version, time, message and writer.
  public let summary: CommitSummary
  /// The changes by class in the order of declaration, of each class the inserted, the modified and the deleted
  /// objects by number.
  public let changes: [ObjectChange]
  /// The classes after the commit, if it changed any; else nil.
  public let classes: [ClassDefinition]?
  /// What a change of classes did to the objects that were there: properties that it added, dropped, renamed or
  /// converted, and objects of classes that it dropped. Properties are given by name: one that a version lacks is
  /// null there.
  public let alterations: [ObjectChange]
  /// The labels of the objects to which a content links.
  public let labels: [ObjectID: ObjectLabel]

  /// The version that the commit made.
  public var version: Int { summary.version }

  init(_ versions: CommitVersions) throws {
    summary = versions.summary
    var labels: [ObjectID: ObjectLabel] = [:]
    func properties(
      _ wanted: [PropertySchema], of id: ObjectID, in store: DynamicStore
    ) throws -> [Property] {
      guard let object = store.object(id) else { return [] }
      let own = try object.classSchema
      return try wanted.compactMap { property in
        // A property that the version lacks, or has in another form, as that version has it.
        guard !property.type.isBacklinks, let property = own.property(property.id) else {
          return nil
        }
        let content = try object.content(property)
        content.asValue.forEachLink { target in
          if labels[target] == nil { labels[target] = store.label(of: target) }
        }
        return Property(name: property.name, content: content)
      }
    }
    func described(_ change: CommitVersions.ObjectChange) throws -> ObjectChange {
      let (before, after) = (versions.before, versions.after)
      let kind: Change
      let home: DynamicStore
      switch change.change {
      case .inserted:
        home = after
        kind = .inserted(
          try properties(change.classSchema.properties, of: change.object, in: after))
      case .deleted:
        home = before
        kind = .deleted(
          try properties(versions.previous(change).properties, of: change.object, in: before))
      case .modified(let modified):
        home = after
        kind = .modified(
          try modified.map { property in
            let old = try properties([property], of: change.object, in: before).first
            let new = try properties([property], of: change.object, in: after).first
            return ModifiedProperty(
              name: property.name, old: old?.content ?? .value(.null),
              new: new?.content ?? .value(.null))
          })
      case .altered(let names):
        home = after
        kind = .modified(
          try names.map { name in
            ModifiedProperty(
              name: name, old: try content(name, of: change.object, in: before),
              new: try content(name, of: change.object, in: after))
          })
      }
      return ObjectChange(label: home.label(of: change.object), id: change.object, change: kind)
    }
    func content(
      _ name: String, of id: ObjectID, in store: DynamicStore
    ) throws -> PropertyContent {
      guard let property = store.schema.classSchema(id.classID)?.property(named: name) else {
        return .value(.null)
      }
      return try properties([property], of: id, in: store).first?.content ?? .value(.null)
    }
    changes = try versions.changes.map(described)
    alterations = try versions.alterations.map(described)
    classes = versions.classes
    self.labels = labels
  }
}

extension ObjectHandle {
  fileprivate func content(_ property: PropertySchema) throws -> PropertyContent {
    guard property.type.shape != .single else { return .value(try value(property.name)) }
    let collection = try collection(property.name)
    return collection.isMap
      ? .map(MapEntries(zip(collection.keys, collection.values))) : .list(collection.values)
  }
}
