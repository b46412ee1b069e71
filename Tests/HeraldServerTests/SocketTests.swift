import TestSupport
import Testing

@testable import HeraldServer

@Suite struct SocketTests {
  private static let names = "\"token\":\"live\",\"session\":\"main\""

  @Test func `many queries are followed on one WebSocket`() throws {
    let store = try ServedStore()
    let socket = try SocketClient(store.port)
    #expect(socket.head.hasPrefix("HTTP/1.1 101"))
    socket.send("follow 1 value (Dog).@count")
    #expect(
      try socket.next()
        == "{\"id\":1,\"version\":1,\"event\":{\"event\":\"initial\",\(Self.names),\"value\":0}}")
    socket.send("follow 2 Dog")
    #expect(
      try socket.next() == """
        {"id":2,"version":1,"event":{"event":"initial",\(Self.names),"count":0,"rows":[]}}
        """)
    _ = try store.write("add Dog { id: 1, name: \"Max\", age: 4 }")
    let received = try [socket.next(), socket.next()].sorted()
    #expect(
      received[0]
        == "{\"id\":1,\"version\":2,\"event\":{\"event\":\"value\",\(Self.names),\"old\":0,\"new\":1}}"
    )
    #expect(received[1].contains("\"insertions\":[0]"))
    socket.send("end 2")
    socket.send("resume 3 1 Dog")
    #expect(try socket.next().hasPrefix("{\"id\":3,\"version\":2,\"event\":{\"event\":\"update\","))
    #expect(try store.metric("herald_readers") == 2)
  }

  @Test func `errors name the query, and leave the others`() throws {
    let store = try ServedStore { $0.limits.queriesOfConnection = 1 }
    let socket = try SocketClient(store.port)
    socket.send("follow 7 Dgo")
    #expect(
      try socket.next() == """
        {"id":7,"error":{"message":"unknown class 'Dgo'; did you mean 'Dog'?",\
        "file":"query","line":1,"column":1}}
        """)
    socket.send("follow 7 Dog")
    #expect(try socket.next().hasPrefix("{\"id\":7,\"version\":1,"))
    socket.send("follow 7 Dog")
    #expect(try socket.next() == "{\"id\":7,\"error\":{\"message\":\"'7' is followed already\"}}")
    socket.send("follow 8 Dog")
    #expect(
      try socket.next() == "{\"id\":8,\"error\":{\"message\":\"too many queries are followed\"}}")
  }

  @Test func `the end of an object is the end of its query`() throws {
    let store = try ServedStore()
    _ = try store.write("add Dog { id: 1, name: \"Max\", age: 4 }")
    let socket = try SocketClient(store.port)
    socket.send("follow 1 Dog#1")
    _ = try socket.next()
    _ = try store.write("delete Dog#1")
    #expect(try socket.next().contains("\"deleted\""))
    #expect(try socket.next() == "{\"id\":1,\"end\":true}")
  }

  @Test func `the token comes first`() throws {
    let token = "0123456789abcdef-token"
    let store = try ServedStore { $0.token = token }
    let without = try SocketClient(store.port)
    without.send("follow 1 Dog")
    #expect(try without.next() == "1008 this server needs its token")
    #expect(try without.isClosed())
    let wrong = try SocketClient(store.port)
    wrong.send("token 0123456789abcdef")
    #expect(try wrong.next() == "1008 this is not the token of this server")
    let right = try SocketClient(store.port)
    right.send("token \(token)")
    right.send("follow 1 Dog")
    #expect(try right.next().contains("unknown class 'Dog'"))
    let header = try SocketClient(store.port, ["Authorization": "Bearer \(token)"])
    header.send("follow 1 Cat")
    #expect(try header.next().contains("unknown class 'Cat'"))
  }

  @Test func `a page from elsewhere gets no WebSocket`() throws {
    let store = try ServedStore()
    #expect(
      try SocketClient(store.port, ["Origin": "https://evil.example"]).head
        .hasPrefix("HTTP/1.1 403"))
    #expect(try SocketClient(store.port, ["Host": "evil.example"]).head.hasPrefix("HTTP/1.1 421"))
  }

  @Test func `a socket on which nothing is followed is closed`() throws {
    let store = try ServedStore { $0.limits.idle = 50 }
    #expect(try SocketClient(store.port).isClosed())
  }

  @Test(arguments: [
    ("follow 1 Dog sort(age)", SocketMessage.follow(1, "Dog sort(age)", after: nil)),
    ("resume 1 42 Dog", .follow(1, "Dog", after: 42)), ("end 3", .end(3)),
    ("token a b", .token("a b")), ("follow Dog", nil), ("follow 1", nil), ("follow 1x Dog", nil),
    ("resume 1 Dog", nil), ("end", nil), ("end 1 2", nil), ("", nil), ("nothing 1", nil),
  ])
  func `a message is a word with what belongs to it`(_ text: String, _ message: SocketMessage?) {
    #expect(SocketMessage(text) == message)
  }
}
