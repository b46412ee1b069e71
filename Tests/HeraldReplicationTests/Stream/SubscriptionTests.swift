import TestSupport
import Testing

@testable import HeraldReplication

/// Subscriptions that end while messages arrive.
@Suite(.serialized)
struct SubscriptionTests {
  @Test func `a subscription can end at any moment, and its connection goes on`() throws {
    let servers = try NATSServers()
    let stream = servers.stream("pets")
    let connection = try NATSConnection(stream)
    try connection.addStream(stream.name, subject: stream.subject, replicas: 1)
    let messages = 300
    for number in 1..<messages + 1 {
      _ = try connection.publish(
        [UInt8](repeating: 7, count: 100), to: stream.subject, identity: "\(number)", last: nil)
    }
    var random = SplitMix64(seed: 637)
    for round in 0..<400 {
      let subscription = try connection.subscribe(
        stream.name, subject: stream.subject, from: 1)
      let count = UInt64.random(in: 0...40, using: &random)
      for number in 0..<count {
        let message = try #require(try subscription.next(milliseconds: 10_000), "\(round)")
        #expect(message.sequence == number + 1)
      }
    }
    #expect(try connection.lastSequence(of: stream.subject) == UInt64(messages))
    withExtendedLifetime(servers) {}
  }
}
