import HeraldServer
import TestSupport
import Testing

@Suite struct LimitTests {
  @Test func `a request that is too long is refused before it is read`() throws {
    let store = try ServedStore {
      $0.limits.body = 1_000
      $0.limits.target = 200
    }
    #expect(try store.write("print \"\(String(repeating: "x", count: 2_000))\"").status == 413)
    #expect(try store.get("/query?q=\(String(repeating: "1", count: 300))").status == 414)
    let client = try Client(store.port)
    client.send("POST /write HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
    for _ in 0..<20 { client.send("64\r\n\(String(repeating: "x", count: 100))\r\n") }
    #expect(try client.answer().status == 413)
    #expect(try client.isClosed())
  }

  @Test func `a head without an end is cut off`() throws {
    let store = try ServedStore()
    let client = try Client(store.port)
    client.send("GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
    for _ in 0..<200 { client.send(String(repeating: "x", count: 1_000)) }
    #expect(try client.isClosed())
    #expect(try store.get("/health").status == 200)
  }

  @Test(arguments: [
    "", "GET / HTTP/1.1\r\nHost: loc", "POST /write HTTP/1.1\r\nContent-Length: 9\r\n\r\nx",
  ])
  func `a request that takes too long to come is dropped`(_ begun: String) throws {
    let store = try ServedStore { $0.limits.request = 50 }
    let client = try Client(store.port)
    client.send(begun)
    #expect(try client.isClosed())
  }

  @Test func `a connection between requests is kept for a while`() throws {
    let store = try ServedStore { $0.limits.idle = 50 }
    let client = try Client(store.port)
    client.request("GET", "/health")
    #expect(try client.answer().status == 200)
    #expect(try client.isClosed())
  }

  @Test func `there are no more connections than the limit`() throws {
    let store = try ServedStore { $0.limits.connections = 3 }
    var clients = try (0..<3).map { _ in
      let client = try Client(store.port)
      client.request("GET", "/health")
      #expect(try client.answer().status == 200)
      return client
    }
    #expect(try Client(store.port).isClosed())
    clients.removeLast()
    #expect(becomesTrue { (try? store.get("/health").status) == 200 })
    withExtendedLifetime(clients) {}
  }

  @Test func `a statement that takes too long is interrupted, and the next one runs`() throws {
    let store = try ServedStore("class Dog { age: int }") { $0.limits.statement = 100 }
    let slow =
      "for $a in [1,2,3,4,5,6,7,8,9] { for $b in [1,2,3,4,5,6,7,8,9] { "
      + "for $c in [1,2,3,4,5,6,7,8,9] { for $d in [1,2,3,4,5,6,7,8,9] { "
      + "for $e in [1,2,3,4,5,6,7,8,9] { for $f in [1,2,3,4,5,6,7,8,9] { "
      + "add Dog { age: $a } } } } } } }"
    let answer = try store.write(slow)
    #expect(answer.status == 400)
    #expect(answer.body.contains("\"message\":\"interrupted\""), "\(answer.body)")
    #expect(try store.get("/query?q=count+Dog").body == "{\"result\":0}\n")
  }

  @Test func `there are no more queries than the limit`() throws {
    let store = try ServedStore { $0.limits.queries = 1 }
    let reader = try EventReader(store.port, "/live?q=Dog")
    _ = try reader.next()
    #expect(try EventReader(store.port, "/live?q=Dog").next().version == 1)
    let answer = try store.get("/live?q=Dog%20sort(age)")
    #expect(answer.status == 503)
    #expect(answer.body == "{\"error\":{\"message\":\"too many queries are followed\"}}\n")
  }

  @Test func `a reader that does not read is dropped, and comes back without a loss`() throws {
    let store = try ServedStore { $0.limits.backlog = 20_000 }
    let slow = try EventReader(store.port, "/live?q=Dog", receiveBuffer: 4_096)
    let first = try slow.next()
    var rows = ReplayedEvents()
    try rows.apply(first.json)
    let name = String(repeating: "x", count: 100_000)
    var number = 0
    let isDropped = becomesTrue {
      number += 1
      let answer = try? store.write("add Dog { id: \(number), name: \"\(name)\", age: 1 }")
      return answer?.status == 200 && (try? store.metric("herald_dropped_readers_total")) == 1
    }
    #expect(isDropped)
    // What it received before it was dropped counts.
    do { while true { try rows.apply(slow.next().json) } } catch is Client.Failure {}
    let again = try EventReader(store.port, "/live?q=Dog", after: slow.version)
    try rows.apply(again.next().json)
    #expect(try rows.rows == ReplayedEvents.rows(of: store.get("/query?q=show+Dog").body))
  }
}
