package import Herald

/// What a session of the twin is asked to do, in this process or in another.
package enum TwinCommand: Codable {
  // Inside an open write.
  case add(className: String, [TwinGiven])
  case addPart(className: String, [TwinGiven])
  case upsert(className: String, [TwinGiven])
  case set(ObjectID, [TwinGiven])
  case delete(ObjectID)
  case change(ObjectID, property: String, TwinOperation)
  /// Of a list or a map inside a value.
  case changeInside(ObjectID, property: String, [ValueStep], TwinOperation)

  /// A write whose block calls back (`TwinCall.inside`).
  case write(without: [String])
  /// The same, queued (`TwinCall.queued`).
  case queueWrite(without: [String])
  case begin
  case commit(without: [String])
  case rollback
  /// A write that does not wait for the writer's place.
  case writeAtOnce
  case declare(className: String, linkingTo: String)

  case observe(name: String, TwinSight, TwinRestriction)
  case stop(name: String, isDropped: Bool)
  case endTurn
  case refresh
  case setAutorefresh(Bool)

  /// Every object of a class.
  case read(className: String)
  /// The rows of a question.
  case ask(className: String, text: String)
  case askCollection(ObjectID, property: String, text: String)
  case check
}

/// What a property is given.
package struct TwinGiven: Codable {
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

  var named: NamedContent {
    switch content {
    case .value(let value): (property, .value(value))
    case .list(let values): (property, .list(values))
    case .map(let entries): (property, .map(entries))
    }
  }
}

/// An operation on a collection property.
package enum TwinOperation: Codable {
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

/// What a token looks at.
package enum TwinSight: Codable {
  case store
  case object(ObjectID, isExclusive: Bool)
  case results(className: String, text: String)
  case collection(ObjectID, property: String)
  case collectionResults(ObjectID, property: String, text: String)
  case projection(ObjectID, name: String)
  case property(ObjectID, name: String)
  /// A list or a map inside a value.
  case inside(ObjectID, property: String, [ValueStep])
  /// The end of an object, by itself or by a collection of its own.
  case end(ObjectID, ofCollection: String?)
}

/// What `observe` is given besides.
package struct TwinRestriction: Codable {
  package var keyPaths: [String]?
  package var depth: Int?

  package init(keyPaths: [String]? = nil, depth: Int? = nil) {
    self.keyPaths = keyPaths
    self.depth = depth
  }
}

/// What comes of a command.
package enum TwinReply: Codable {
  /// The session's version after it.
  case done(version: Int)
  case object(ObjectID)
  case answer(Bool)
  case objects([TwinReading])
  case rows([ObjectID], count: Int)
  case faults([String])
  case refused(TwinRefusal)
}

/// An error, with its words.
package struct TwinRefusal: Codable, Error {
  package enum Reason: Codable {
    case duplicateKey, writerBusy, writeInProgress
    /// A block was told to fail.
    case rollback
    case other
  }

  package var reason: Reason
  package var words: String
}

/// What one object holds, in the order of its class's properties.
package struct TwinReading: Codable {
  package enum Content: Codable, Equatable {
    case value(Value)
    /// With the keys of a map.
    case rows([Value], keys: [String])
  }

  package var id: ObjectID
  package var contents: [Content]
}

/// What a session calls back for, while a command is carried out.
package enum TwinCall: Codable {
  /// A token's block is called; with what is wrong already.
  case told(name: String, TwinEvent, faults: [String])
  /// The block of a write that was begun.
  case inside
  /// The block of a write that was queued.
  case queued
}

/// What a call back is answered with.
package enum TwinAnswer: Codable {
  case goOn
  /// The block throws.
  case fail
}

/// Carries out commands in one session, and calls back meanwhile.
package protocol TwinLink: AnyObject {
  func perform(_ command: TwinCommand) throws -> TwinReply
}
