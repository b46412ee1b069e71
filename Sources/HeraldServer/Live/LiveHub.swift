import HeraldShell
import NIOCore
import Synchronization

/// The queries that are followed, each evaluated once for all its readers.
///
/// Three parts: `queries` belongs to the thread of the store, the topics to the loop of the connections, and the thread
/// gives the loop events in their order. So a reader that is inserted by the same order misses none.
final class LiveHub: @unchecked Sendable {
  /// A followed query with the number of its readers, counted on the thread of the store.
  private final class Followed {
    let query: LiveQuery
    let topic: LiveTopic
    var readerCount = 0

    init(_ query: LiveQuery, _ topic: LiveTopic) {
      self.query = query
      self.topic = topic
    }
  }

  private let connections: any EventLoop
  private let limits: ServerSettings.Limits
  let counters: ServerCounters
  // Of the thread of the store:
  private var thread: StoreThread?
  private var queries: [String: Followed] = [:]
  // Of the loop of the connections:
  private var topics: [ObjectIdentifier: LiveTopic] = [:]
  private var lastReader = 0
  private var version = 0
  private var beat = 0
  /// Whether a turn waits to be taken, so that many commits wake the thread once.
  private let isTurnDue = Atomic(false)
  private let hasBegun = Atomic(false)

  init(_ settings: ServerSettings, connections: any EventLoop, _ counters: ServerCounters) {
    self.connections = connections
    self.counters = counters
    limits = settings.limits
  }

  /// Begins with a thread. Must be called before anything else.
  func begin(_ thread: StoreThread) {
    self.thread = thread
    hasBegun.store(true, ordering: .releasing)
    // What arrived before that was not noticed.
    commitArrived()
  }

  /// Takes no more turns.
  func end() { hasBegun.store(false, ordering: .releasing) }

  /// Called on any thread after a commit.
  func commitArrived() {
    guard hasBegun.load(ordering: .acquiring), !isTurnDue.exchange(true, ordering: .relaxed)
    else { return }
    thread?.takeTurn { [self] in
      isTurnDue.store(false, ordering: .relaxed)
    } ended: { [self] version in
      connections.execute { self.version = version }
    }
  }

  // MARK: Readers

  /// Lets a reader follow a query; called on the loop of the connections, as are all calls of the reader.
  ///
  /// - Parameter version: the version that the reader has; nil for none.
  func join(_ text: String, after version: Int?, _ reader: some LiveReader) {
    let reader = NIOLoopBound<any LiveReader>(reader, eventLoop: connections)
    thread?.perform { [self] interpreter in
      // The events up to the present version have been made before this.
      let present = interpreter.version ?? 0
      connections.execute { self.version = present }
      do throws(LiveFailure) {
        let followed = try followed(text, interpreter)
        let event = try firstEvent(of: followed.query, after: version, interpreter)
        followed.readerCount += 1
        let topic = followed.topic
        connections.execute { self.insert(reader.value, topic, event) }
      } catch {
        endUnread(text)
        connections.execute { reader.value.fail(error) }
      }
    }
  }

  /// Ends a reading; called on the loop of the connections.
  func leave(_ reading: LiveReading) {
    guard reading.topic.remove(reading.number) else { return }
    counters.readers.subtract(1, ordering: .relaxed)
    left(reading.topic)
  }

  private func left(_ topic: LiveTopic) {
    if topic.readers.isEmpty { topics[ObjectIdentifier(topic)] = nil }
    thread?.loop.execute { [self] in
      guard let followed = queries[topic.text], followed.topic === topic else { return }
      followed.readerCount -= 1
      endUnread(topic.text)
    }
  }

  private func insert(
    _ reader: any LiveReader, _ topic: LiveTopic, _ event: LiveEvent?
  ) {
    guard reader.isOpen else { return left(topic) }
    lastReader += 1
    topics[ObjectIdentifier(topic)] = topic
    topic.insert(reader, lastReader)
    counters.readers.add(1, ordering: .relaxed)
    reader.begin(LiveReading(topic: topic, number: lastReader), event)
  }

  /// Sends a part of the readers the version that they have: each of them once in so many calls.
  func beatOnce(of parts: Int) {
    beat = (beat + 1) % parts
    for topic in topics.values {
      for (number, reader) in topic.readers where number % parts == beat {
        // The events of a version come before it is known that there are no others.
        reader.receive(version: max(version, topic.version))
      }
    }
  }

  // MARK: On the thread of the store

  private func followed(
    _ text: String, _ interpreter: Interpreter
  ) throws(LiveFailure) -> Followed {
    if let followed = queries[text] { return followed }
    guard queries.count < limits.queries else { throw .tooMany }
    let topic = LiveTopic(text)
    do {
      let query = try interpreter.follow(Source(name: "query", text: text), named: "live") {
        [weak self] line in
        self?.send(line, to: topic, interpreter.version ?? 0)
      }
      let followed = Followed(query, topic)
      queries[text] = followed
      counters.queries.add(1, ordering: .relaxed)
      return followed
    } catch {
      throw error.isInterruption ? .tooSlow(error.line) : .wrongQuery(error.line)
    }
  }

  private func firstEvent(
    of query: LiveQuery, after version: Int?, _ interpreter: Interpreter
  ) throws(LiveFailure) -> LiveEvent? {
    let present = interpreter.version ?? 0
    do {
      guard let version else { return LiveEvent(present, try query.initial()) }
      switch try query.continuation(since: version) {
      case .unchanged: return nil
      case .change(let line), .restart(let line): return LiveEvent(present, line)
      }
    } catch {
      let failure = interpreter.failure(error)
      throw failure.isInterruption ? .tooSlow(failure.line) : .wrongQuery(failure.line)
    }
  }

  private func send(_ line: String, to topic: LiveTopic, _ version: Int) {
    let event = LiveEvent(version, line)
    counters.events.add(1, ordering: .relaxed)
    let isLast = queries[topic.text].map { !$0.query.isLive } ?? false
    if isLast { remove(topic.text) }
    connections.execute { [self] in
      topic.send(event)
      if isLast { end(topic) }
    }
  }

  private func end(_ topic: LiveTopic) {
    topics[ObjectIdentifier(topic)] = nil
    for (number, reader) in topic.readers where topic.remove(number) {
      counters.readers.subtract(1, ordering: .relaxed)
      reader.end()
    }
  }

  private func endUnread(_ text: String) {
    guard let followed = queries[text], followed.readerCount == 0 else { return }
    followed.query.end()
    remove(text)
  }

  private func remove(_ text: String) {
    if queries.removeValue(forKey: text) != nil {
      counters.queries.subtract(1, ordering: .relaxed)
    }
  }
}

extension LiveFailure: Error {}
