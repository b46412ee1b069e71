import CNATS
import Glibc
import HeraldModel

/// A failure of a call of the servers.
struct NATSFailure: Error {
  enum Kind {
    /// The answer did not come in time.
    case timeout
    /// The servers cannot be reached, or have no leader at the moment.
    case unreachable
    /// The stream's last message is another one; with its number, if that is known.
    case wrongLast(UInt64?)
    case noStream
    case noMessage
    /// There are fewer servers than a new stream wants; `isAlone`: and no others belong to this one.
    case tooFewServers(isAlone: Bool)
    case other
  }

  let kind: Kind
  let reason: String

  /// Whether the same call may succeed a moment later.
  var isTemporary: Bool {
    switch kind {
    case .timeout, .unreachable: true
    case .wrongLast, .noStream, .noMessage, .tooFewServers, .other: false
    }
  }

  init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }

  init(_ code: Int32, _ error: CNATSError) {
    var text = error.text
    let found = withUnsafeBytes(of: &text) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    // What the library says when a server hangs up instead of answering.
    reason =
      found.hasPrefix("Expected 'PONG'")
      ? "the server has refused the connection; it may require a certificate" : found
    switch Int(code) {
    case Int(CNATS_TIMEOUT): kind = .timeout
    case Int(CNATS_DISCONNECTED): kind = .unreachable
    case Int(CNATS_WRONG_LAST_SEQUENCE):
      kind = .wrongLast(reason.split(separator: " ").last.flatMap { UInt64($0) })
    case Int(CNATS_STREAM_NOT_FOUND): kind = .noStream
    case Int(CNATS_MESSAGE_NOT_FOUND): kind = .noMessage
    case Int(CNATS_SERVER_ALONE): kind = .tooFewServers(isAlone: true)
    case Int(CNATS_TOO_FEW_SERVERS): kind = .tooFewServers(isAlone: false)
    // The cluster has no leader, or not enough peers, at the moment; a server that has just started says that it has no
    // streams at all.
    case 10008, 10009, 10039, 10076: kind = .unreachable
    case _: kind = .other
    }
  }
}

/// A message of a stream.
final class StreamMessage {
  private var message: CNATSMessage

  fileprivate init(taking message: CNATSMessage) { self.message = message }

  deinit { cnats_free(&message) }

  var content: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: message.bytes, count: message.count)
  }
  var bytes: [UInt8] { [UInt8](content) }
  var sequence: UInt64 { message.sequence }
  /// The number of messages that follow.
  var pending: UInt64 { message.pending }

  /// The identity under which it was appended.
  var identity: String {
    var text = [UInt8](repeating: 0, count: 64)
    let isKnown = text.withUnsafeMutableBytes {
      cnats_identity(&message, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
    }
    return isKnown ? String(decoding: text.prefix { $0 != 0 }, as: UTF8.self) : ""
  }
}

/// A connection to the servers of a stream, which libnats makes again whenever it is lost.
///
/// `@unchecked Sendable`: the library protects what the pointer leads to.
final class NATSConnection: @unchecked Sendable {
  fileprivate let pointer: OpaquePointer
  /// In milliseconds, of most calls.
  static let timeout: Int64 = 3000

  init(_ stream: NATSStream) throws {
    var error = CNATSError()
    guard cnats_load(&error) == 0 else {
      throw HeraldError.replication(stream: stream.name, reason: NATSFailure(-1, error).reason)
    }
    var made: OpaquePointer?
    let code = stream.withOptions { cnats_connect(&$0, &made, &error) }
    guard code == 0, let made else { throw NATSFailure(code, error) }
    pointer = made
  }

  deinit { cnats_close(pointer) }

  var isConnected: Bool { cnats_isConnected(pointer) }

  /// The servers' description of a stream.
  func stream(_ name: String) throws(NATSFailure) -> CNATSStream {
    var stream = CNATSStream()
    try check { cnats_stream(pointer, name, Self.timeout, &stream, &$0) }
    return stream
  }

  /// Makes a stream. Its description has an identity, which a later one of its name does not have.
  func addStream(_ name: String, subject: String, replicas: Int) throws(NATSFailure) {
    let description = "Herald " + CommitFrame.newIdentity()
    try check {
      cnats_addStream(
        pointer, name, subject, description, Int64(replicas), 120_000_000_000, 2 * Self.timeout,
        &$0)
    }
  }

  /// Removes the messages before one.
  func purge(_ name: String, before sequence: UInt64) throws(NATSFailure) {
    // Servers take the first message, or none, as a request to remove all.
    if sequence <= 1 { return }
    try check { cnats_purge(pointer, name, sequence, Self.timeout, &$0) }
  }

  /// Appends a message if `last` is the stream's last one, if given, and returns its number. A message of an
  /// identity is appended once.
  func publish(
    _ bytes: [UInt8], to subject: String, identity: String, last: UInt64?
  ) throws(NATSFailure) -> UInt64 {
    var sequence: UInt64 = 0
    try check { error in
      bytes.withUnsafeBufferPointer {
        cnats_publish(
          pointer, subject, $0.baseAddress, $0.count, identity, last ?? .max, Self.timeout,
          &sequence, &error)
      }
    }
    return sequence
  }

  /// The number of the last message that a stream's servers have agreed on.
  ///
  /// A description of the stream may come from a server that lags. This asks for a message that cannot be appended, and
  /// its refusal takes the way of a message, through the stream's leader and the majority of its servers.
  func lastSequence(of subject: String) throws(NATSFailure) -> UInt64 {
    do {
      return try publish(
        [], to: subject, identity: CommitFrame.newIdentity(), last: Self.unreachableSequence)
    } catch {
      if case .wrongLast(let last?) = error.kind { return last }
      throw error
    }
  }

  /// A number that no message has.
  private static let unreachableSequence: UInt64 = 1 << 52

  /// The number of reconnections.
  var reconnects: UInt64 { cnats_reconnects(pointer) }

  func message(_ sequence: UInt64, of stream: String) throws(NATSFailure) -> StreamMessage {
    var message = CNATSMessage()
    try check { cnats_message(pointer, stream, sequence, Self.timeout, &message, &$0) }
    return StreamMessage(taking: message)
  }

  /// Receives the messages from one on, in order.
  func subscribe(
    _ stream: String, subject: String, from first: UInt64
  ) throws(NATSFailure) -> NATSSubscription {
    var made: OpaquePointer?
    try check { cnats_subscribe(pointer, stream, subject, first, &made, &$0) }
    guard let made else { throw NATSFailure(.other, "no subscription") }
    return NATSSubscription(made, self)
  }

  private func check(_ body: (inout CNATSError) -> Int32) throws(NATSFailure) {
    var error = CNATSError()
    let code = body(&error)
    if code != 0 { throw NATSFailure(code, error) }
  }
}

/// The messages of a stream in order, for one thread.
final class NATSSubscription {
  private let pointer: OpaquePointer
  private let connection: NATSConnection

  fileprivate init(_ pointer: OpaquePointer, _ connection: NATSConnection) {
    self.pointer = pointer
    self.connection = connection
  }

  deinit { cnats_unsubscribe(connection.pointer, pointer) }

  /// Returns the next message; nil if none comes in time. `milliseconds` may be 0.
  func next(milliseconds: Int64) throws(NATSFailure) -> StreamMessage? {
    var message = CNATSMessage()
    var error = CNATSError()
    let code = cnats_next(pointer, milliseconds, &message, &error)
    if code == 0 { return StreamMessage(taking: message) }
    let failure = NATSFailure(code, error)
    if case .timeout = failure.kind { return nil }
    throw failure
  }
}

extension NATSStream {
  fileprivate func withOptions(_ body: (inout CNATSOptions) -> Int32) -> Int32 {
    var texts: [UnsafeMutablePointer<CChar>] = []
    defer { for text in texts { free(text) } }
    func copy(_ text: String?) -> UnsafePointer<CChar>? {
      guard let text, let copied = strdup(text) else { return nil }
      texts.append(copied)
      return UnsafePointer(copied)
    }
    var options = CNATSOptions()
    options.name = copy("herald")
    options.timeoutMilliseconds = 2000
    switch identity {
    case .anybody: break
    case .user(let name, let password):
      options.user = copy(name)
      options.password = copy(password)
    case .token(let token): options.token = copy(token)
    case .credentials(let file): options.credentials = copy(file)
    case .key(let key, let seedFile):
      options.publicKey = copy(key)
      options.seed = copy(seedFile)
    }
    options.isSecure = security != nil
    options.authorities = copy(security?.authorities)
    options.certificate = copy(security?.certificate)
    options.key = copy(security?.key)
    let servers = servers.map(copy)
    return servers.withUnsafeBufferPointer { servers in
      options.servers = servers.baseAddress
      options.serverCount = Int32(servers.count)
      return body(&options)
    }
  }
}

extension NATSStream {
  /// The number of the first message that the stream still has: for tests.
  package func firstSequence() throws -> UInt64 { try NATSConnection(self).stream(name).first }

  /// The number of its last message: for tests.
  package func lastSequence() throws -> UInt64 {
    try NATSConnection(self).lastSequence(of: subject)
  }
}

extension NATSStream {
  /// Appends messages one after the other to a stream beside this one, and returns the time that each took, in seconds:
  /// for measurements.
  package func timesOfMessages(_ count: Int, size: Int) throws -> [Double] {
    var other = self
    other.name += "-messages"
    let connection = try NATSConnection(other)
    try connection.addStream(other.name, subject: other.subject, replicas: replicas)
    let message = [UInt8](repeating: 0, count: size)
    return try (0..<count).map { number in
      let start = Replica.now
      _ = try connection.publish(
        message, to: other.subject, identity: CommitFrame.newIdentity(), last: UInt64(number))
      return Replica.now - start
    }
  }

  /// Receives all of the stream's messages and returns their number: for measurements.
  package func countMessages() throws -> Int {
    let connection = try NATSConnection(self)
    let subscription = try connection.subscribe(name, subject: subject, from: 1)
    var count = 0
    while let message = try subscription.next(milliseconds: NATSConnection.timeout) {
      count += 1
      if message.pending == 0 { break }
    }
    return count
  }
}
