import HeraldServer
import TestSupport
import Testing

@Suite struct LiveTests {
  private static let max = "add Dog { id: 1, name: \"Max\", age: 4 }"

  @Test func `a stream begins with the rows and continues with each change`() throws {
    let store = try ServedStore()
    _ = try store.write(Self.max)
    let reader = try EventReader(store.port, "/live?q=Dog%20sort(age)")
    #expect(reader.status == 200)
    #expect(reader.head.contains("text/event-stream"))
    #expect(
      try reader.next()
        == EventReader.Received(
          version: 2,
          json: """
            {"event":"initial","token":"live","session":"main","count":1,"rows":[{"class":"Dog",\
            "key":1,"properties":{"id":1,"name":"Max","age":4}}]}
            """))
    _ = try store.write("add Dog { id: 2, name: \"Rex\", age: 3 }")
    #expect(
      try reader.next()
        == EventReader.Received(
          version: 3,
          json: """
            {"event":"update","token":"live","session":"main","deletions":[],"insertions":[0],\
            "modifications":[],"modificationsNew":[],"moves":[],"keys":{"deletions":[],\
            "insertions":[2],"modifications":[]},"inserted":[{"class":"Dog","key":2,"properties":\
            {"id":2,"name":"Rex","age":3}}],"modified":[]}
            """))
  }

  @Test func `a value, groups and sections are followed likewise`() throws {
    let store = try ServedStore()
    _ = try store.write(Self.max)
    let value = try EventReader(store.port, "/live?value=(Dog).@sum.age")
    let groups = try EventReader(
      store.port, "/live?group=Dog%20by%20age%20%7B%20n:%20@count%20%7D")
    let sections = try EventReader(store.port, "/live?q=Dog&sections=age")
    let head = "\"token\":\"live\",\"session\":\"main\""
    #expect(try value.next().json == "{\"event\":\"initial\",\(head),\"value\":4}")
    #expect(
      try groups.next().json
        == "{\"event\":\"initial\",\(head),\"count\":1,\"rows\":[{\"age\":4,\"n\":1}]}")
    #expect(
      try sections.next().json.hasPrefix(
        "{\"event\":\"initial\",\(head),\"count\":1,\"sections\":[{\"key\":4,\"count\":1}],"))
    _ = try store.write("Dog#1.age = 5")
    #expect(try value.next().json == "{\"event\":\"value\",\(head),\"old\":4,\"new\":5}")
    #expect(try groups.next().json.contains("\"inserted\":[{\"age\":5,\"n\":1}]"))
    #expect(try sections.next().json.contains("\"sectionDeletions\":[0],\"sectionInsertions\":[0]"))
  }

  @Test func `readers of one query share it, and the last one ends it`() throws {
    let store = try ServedStore()
    var readers = try (0..<20).map { _ in try EventReader(store.port, "/live?q=Dog") }
    for reader in readers { #expect(try reader.next().version == 1) }
    #expect(try store.metric("herald_readers") == 20)
    #expect(try store.metric("herald_queries") == 1)
    _ = try store.write(Self.max)
    let received = try readers.map { try $0.next() }
    #expect(Set(received.map(\.json)).count == 1)
    #expect(try store.metric("herald_events_total") == 1)
    #expect(try store.metric("herald_sent_events_total") == 20)
    readers = []
    #expect(becomesTrue { (try? store.metric("herald_queries")) == 0 })
    #expect(try store.metric("herald_readers") == 0)
  }

  @Test func `a commit of another process reaches the readers`() throws {
    let store = try ServedStore()
    let reader = try EventReader(store.port, "/live?q=Dog")
    _ = try reader.next()
    var other = ServerSettings(store: store.path)
    other.port = 0
    let server = try Server(other)
    defer { server.stop() }
    let client = try Client(server.port)
    client.request("POST", "/write", ["Content-Type": "application/x-herald"], body: Self.max)
    #expect(try client.answer().status == 200)
    #expect(try reader.next().version == 2)
  }

  @Test func `a query with a mistake is answered with its place`() throws {
    let store = try ServedStore()
    let answer = try store.get("/live?q=Dog%20where%20agee%20%3E%203")
    #expect(answer.status == 400)
    #expect(
      answer.body == """
        {"error":{"message":"class 'Dog' has no property 'agee'; did you mean 'age'?",\
        "file":"query","line":1,"column":11}}

        """)
    #expect(try store.get("/live?q=Dog;Dog").status == 400)
    #expect(try store.get("/live?q=Dog%20at%201").status == 400)
    #expect(try store.metric("herald_queries") == 0)
  }

  @Test func `a stream ends with the object that it follows`() throws {
    let store = try ServedStore()
    _ = try store.write(Self.max)
    let reader = try EventReader(store.port, "/live?q=Dog%231")
    #expect(try reader.next().json.contains("\"initial\""))
    _ = try store.write("delete Dog#1")
    #expect(
      try reader.next().json == "{\"event\":\"deleted\",\"token\":\"live\",\"session\":\"main\"}")
    #expect(throws: Client.Failure.self) { try reader.next() }
    #expect(try store.metric("herald_queries") == 0)
  }

  @Test func `a quiet stream says up to which version nothing has changed`() throws {
    let store = try ServedStore { $0.limits.heartbeat = 250 }
    _ = try store.write("class Cat { name: string }")
    let reader = try EventReader(store.port, "/live?q=Cat")
    #expect(try reader.next().version == 2)
    let dogs = try EventReader(store.port, "/live?q=Dog")
    _ = try dogs.next()
    _ = try store.write(Self.max)
    _ = try dogs.next()
    var event = try reader.any()
    while event.version < 3 { event = try reader.any() }
    #expect(event == EventReader.Received(version: 3, json: ""))
  }
}
