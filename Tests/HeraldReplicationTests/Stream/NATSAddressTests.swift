import HeraldReplication
import Testing

struct NATSAddressTests {
  @Test func `an address names servers and a stream`() throws {
    let stream = try NATSStream(address: "nats://one:4333,two/pets") { _ in nil }
    #expect(stream.name == "pets")
    #expect(stream.servers == ["nats://one:4333", "nats://two:4222"])
    #expect(stream.security == nil)
  }

  @Test func `three servers store a new stream, or as many as the address says`() throws {
    let variables = ["HERALD_NATS_REPLICAS": "5"]
    #expect(try NATSStream(address: "nats://one/pets") { _ in nil }.replicas == 3)
    #expect(try NATSStream(address: "nats://one/pets") { variables[$0] }.replicas == 5)
    let stream = try NATSStream(address: "nats://one:4333,two/pets?replicas=1") { variables[$0] }
    #expect(stream.replicas == 1)
    #expect(stream.name == "pets")
    #expect("\(stream)" == "nats://one:4333,two:4222/pets?replicas=1")
  }

  @Test func `secrets come from the environment`() throws {
    let variables = ["HERALD_NATS_USER": "ann", "HERALD_NATS_PASSWORD": "secret"]
    let stream = try NATSStream(address: "tls://one/pets") { variables[$0] }
    guard case .user("ann", password: "secret") = stream.identity else {
      Issue.record("\(stream.identity)")
      return
    }
    #expect(stream.security != nil)
  }

  @Test func `a password in an address is refused and not repeated`() {
    let error = #expect(throws: HeraldError.self) {
      try NATSStream(address: "nats://ann:secret@one/pets") { _ in nil }
    }
    #expect(error?.message.contains("secret") == false)
  }

  @Test(arguments: [
    "nats://one", "nats://one/", "nats:///pets", "nats://one/pe ts", "nats://a,,b/pets",
    "nats://one/pets?", "nats://one/pets?replicas=0", "nats://one/pets?replicas=six",
    "nats://one/pets?copies=3", "nats://one/pets?replicas=1&", "nats://ann:se?cret@one/pets",
  ])
  func `a malformed address is refused`(_ address: String) {
    #expect(throws: HeraldError.self) { try NATSStream(address: address) { _ in nil } }
  }
}
