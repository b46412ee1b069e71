package import Herald

/// An event of an observer.
package struct Event: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case initial(count: Int)
    case update(ChangeSet, ownerDeleted: Bool)
    /// The first event of rows in sections.
    case initialSections(count: Int, [Section])
    case sections(SectionChangeSet, ownerDeleted: Bool)
    /// An update of a map, by its keys.
    case mapUpdate(MapChangeSet, ownerDeleted: Bool)
    case change([Property])
    case deleted
    case changed
    case refreshRequired
    /// An event of a property observer, with values.
    case property(Property)
    case propertyRows(name: String, kind: ListChangeKind, rows: [Int])
    /// An event of an observed value; of its first one `old` is nil.
    case value(old: OutputValue?, new: OutputValue)
    /// The last event: the target can no longer be observed.
    case error(String)
  }

  /// A section with the number of its rows.
  package struct Section: Equatable, Sendable {
    package var key: OutputValue
    package var count: Int
  }

  package struct Property: Equatable, Sendable {
    package var name: String
    /// nil if only the name is reported.
    package var values: Values?

    package struct Values: Equatable, Sendable {
      package var old: OutputValue
      package var new: OutputValue
    }
  }

  package var token: String
  package var session: String
  package var kind: Kind
  /// The keys of the rows of an update, where they are objects and programs read them.
  package var keys: EventKeys?
  /// The details of an event of rows, if they are shown.
  package var details: EventDetails?
  /// The objects of an event of `follow`.
  package var objects: EventObjects?
  /// Why a reader that continues receives everything again; nil for other readers.
  package var reasonToRestart: String?
  /// The version after it, where a program continues after that; nil elsewhere.
  package var version: Int?
}

extension Event.Kind {
  init(_ change: StoreChange) {
    switch change {
    case .changed: self = .changed
    case .refreshRequired: self = .refreshRequired
    case .error(let error): self = .error(error.eventMessage)
    }
  }

  init(_ change: DynamicCollectionChange) {
    switch change {
    case .initial(let count): self = .initial(count: count)
    case .update(let changes, let ownerDeleted):
      self = .update(changes, ownerDeleted: ownerDeleted)
    case .mapUpdate(let changes, let ownerDeleted):
      self = .mapUpdate(changes, ownerDeleted: ownerDeleted)
    case .error(let error): self = .error(error.eventMessage)
    }
  }

  init(_ event: PropertyEvent, _ output: (Value) -> OutputValue) {
    switch event {
    case .changed(let name, let old, let new):
      self = .property(
        Event.Property(
          name: name, values: Event.Property.Values(old: output(old), new: output(new))))
    case .rows(let name, let kind, let rows):
      self = .propertyRows(name: name, kind: kind, rows: rows)
    case .invalidated(let name):
      self = .property(
        Event.Property(
          name: name,
          values: Event.Property.Values(old: .plain(.bool(false)), new: .plain(.bool(true)))))
    case .error(let error): self = .error(error.eventMessage)
    }
  }

  /// - Parameter output: names the objects that values link to, while they can still be named.
  init(_ change: DynamicObjectChange, _ output: (Value) -> OutputValue) {
    switch change {
    case .deleted: self = .deleted
    case .error(let error): self = .error(error.eventMessage)
    case .change(let properties):
      self = .change(
        properties.map { property in
          Event.Property(
            name: property.name,
            values: property.hasValues
              ? Event.Property.Values(old: output(property.old), new: output(property.new)) : nil)
        })
    }
  }
}
