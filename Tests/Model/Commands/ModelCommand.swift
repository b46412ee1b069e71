package import HeraldModel

/// A command for a session of the twin, in this process or in another.
package enum ModelCommand: Codable {
  // In an open write.
  case add(className: String, [ModelGiven])
  case addEmbeddedObject(className: String, [ModelGiven])
  case upsert(className: String, [ModelGiven])
  case set(ObjectID, [ModelGiven])
  case delete(ObjectID)
  case change(ObjectID, property: String, ModelOperation)
  /// Changes a nested list or map.
  case changeInside(ObjectID, property: String, [ValueStep], ModelOperation)

  /// Runs a write whose block calls back (`ModelCall.inside`).
  case write(without: [String])
  /// Queues a write whose block calls back (`ModelCall.queued`).
  case queueWrite(without: [String])
  case begin
  case commit(without: [String])
  case rollback
  /// Runs a write that does not wait for the writer lock.
  case writeAtOnce
  case declare(className: String, linkingTo: String)
  // In an open write.
  case alter(className: String, ModelAlteration)
  case drop(className: String)

  case observe(name: String, ModelObservation, ModelRestriction)
  case stop(name: String, isDropped: Bool)
  case endTurn
  case refresh
  case setAutorefresh(Bool)

  /// Reads every object of a class.
  case read(className: String)
  /// Freezes all objects of a class.
  case freeze(name: String, className: String)
  case readFrozen(name: String)
  /// Reads the rows of a query.
  case ask(className: String, text: String)
  case askCollection(ObjectID, property: String, text: String)
  case check
}

/// A property and its new content.
package struct ModelGiven: Codable {
  package enum Content: Codable {
    case value(Value)
    case list([Value])
    case map(MapEntries)
  }

  package var property: String
  package var content: Content

  package init(_ property: String, _ content: Content) {
    self.property = property
    self.content = content
  }

  package var named: NamedContent {
    switch content {
    case .value(let value): (property, .value(value))
    case .list(let values): (property, .list(values))
    case .map(let entries): (property, .map(entries))
    }
  }
}

/// An operation on a collection property.
package enum ModelOperation: Codable {
  case insert([Value], at: Int)
  case remove(at: Int)
  case move(from: Int, to: Int)
  case replace(at: Int, with: Value)
  case insertValue(Value)
  case removeValue(Value)
  case setKey(String, Value)
  case removeKey(String)
  case removeAll
}

/// The target of a token.
package enum ModelObservation: Codable {
  case store
  case object(ObjectID, isExclusive: Bool)
  case results(className: String, text: String)
  case collection(ObjectID, property: String)
  case collectionResults(ObjectID, property: String, text: String)
  case projection(ObjectID, name: String)
  case property(ObjectID, name: String)
  /// A nested list or map.
  case inside(ObjectID, property: String, [ValueStep])
  /// The deletion of an object, observed on itself or on one of its collections.
  case end(ObjectID, ofCollection: String?)
}

/// The restrictions of `observe`.
package struct ModelRestriction: Codable {
  package var keyPaths: [String]?
  package var depth: Int?

  package init(keyPaths: [String]? = nil, depth: Int? = nil) {
    self.keyPaths = keyPaths
    self.depth = depth
  }
}

/// An error, with its message.
package struct ModelRefusal: Codable, Error {
  package enum Reason: Codable {
    case duplicateKey, writerBusy, writeInProgress
    /// A block failed as instructed.
    case rollback
    case other
  }

  package var reason: Reason
  package var words: String

  package init(reason: Reason, words: String) {
    self.reason = reason
    self.words = words
  }
}

/// The contents of one object, in the order of its class's properties.
package struct ModelReading: Codable {
  package enum Content: Codable, Equatable {
    case value(Value)
    /// The elements of a collection, with the keys of a map.
    case rows([Value], keys: [String])
  }

  package var id: ObjectID
  package var contents: [Content]

  package init(id: ObjectID, contents: [Content]) {
    self.id = id
    self.contents = contents
  }
}
