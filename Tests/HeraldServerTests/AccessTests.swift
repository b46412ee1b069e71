import HeraldServer
import TestSupport
import Testing

@Suite struct AccessTests {
  private static let token = "0123456789abcdef-token"

  @Test(arguments: [
    ("evil.example", 421), ("127.0.0.1.evil.example", 421), ("127.0.0.1", 200), ("localhost", 200),
    ("LOCALHOST:8080", 200), ("[::1]:8080", 200), ("localhost:x", 421), ("-", 400), ("[::1", 421),
  ])
  func `a request for another host is refused`(_ host: String, _ status: Int) throws {
    #expect(try ServedStore().get("/query?q=1", ["Host": host]).status == status)
  }

  @Test func `a page from elsewhere may neither read nor write`() throws {
    let store = try ServedStore { $0.origins = ["https://pets.example"] }
    let own = "http://127.0.0.1:\(store.port)"
    for (origin, status) in [
      ("https://evil.example", 403), ("null", 403), (own, 200), ("https://pets.example", 200),
      ("http://pets.example", 403),
    ] {
      #expect(try store.get("/query?q=1", ["Origin": origin]).status == status, "\(origin)")
      #expect(try store.write("print 1", ["Origin": origin]).status == status, "\(origin)")
    }
    let allowed = try store.get("/query?q=1", ["Origin": "https://pets.example"])
    #expect(allowed.header("access-control-allow-origin") == "https://pets.example")
    #expect(
      try store.get("/query?q=1", ["Origin": own]).header("access-control-allow-origin") == nil)
    #expect(try store.get("/query?q=1", ["Sec-Fetch-Site": "cross-site"]).status == 403)
    #expect(try store.get("/query?q=1", ["Sec-Fetch-Site": "same-origin"]).status == 200)
    #expect(
      try store.get("/", ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"]).status
        == 200)
    #expect(try store.get("/live.js", ["Sec-Fetch-Site": "cross-site"]).status == 200)
  }

  @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "-"])
  func `a form of another page cannot send a write`(_ content: String) throws {
    let store = try ServedStore()
    #expect(try store.write("delete Dog", ["Content-Type": content]).status == 415)
  }

  @Test func `everything of the store needs the token`() throws {
    let store = try ServedStore { $0.token = Self.token }
    for path in ["/query?q=1", "/schema", "/log", "/metrics", "/live?q=Dog", "/complete?q=D"] {
      let refused = try store.get(path)
      #expect(refused.status == 401)
      #expect(refused.header("www-authenticate") == "Bearer")
      #expect(refused.body == "{\"error\":{\"message\":\"this server needs its token\"}}\n")
    }
    for path in ["/", "/page.js", "/page.css", "/live.js", "/health"] {
      #expect(try store.get(path).status == 200)
    }
    #expect(try store.write("class Cat { a: int }").status == 401)
    let headers = ["Authorization": "Bearer \(Self.token)"]
    #expect(try store.get("/query?q=1", headers).body == "{\"result\":1}\n")
    #expect(try store.write("class Cat { a: int }", headers).status == 200)
  }

  @Test(arguments: [
    "Bearer ", "Bearer 0123456789abcdef", "Bearer 0123456789abcdef-token-and-more",
    "Basic 0123456789abcdef-token", "0123456789abcdef-token",
    "Bearer 0123456789abcdef-token0123456789abcdef-token",
  ])
  func `what is like the token is not the token`(_ given: String) throws {
    let store = try ServedStore { $0.token = Self.token }
    #expect(try store.get("/query?q=1", ["Authorization": given]).status == 401)
  }

  @Test func `a page of a named origin learns that it may send its requests`() throws {
    let store = try ServedStore {
      $0.origins = ["https://pets.example"]
      $0.token = Self.token
    }
    let client = try Client(store.port)
    client.request("OPTIONS", "/write", ["Origin": "https://pets.example"])
    let answer = try client.answer()
    #expect(answer.status == 204)
    #expect(answer.header("access-control-allow-origin") == "https://pets.example")
    #expect(
      answer.header("access-control-allow-headers") == "Authorization, Content-Type, Last-Event-ID")
    client.request("OPTIONS", "/write", ["Origin": "https://evil.example"])
    #expect(try client.answer().status == 403)
  }

  @Test func `a token file has one long line`() throws {
    try withFolder { folder in
      let path = folder + "/token"
      try FileTree.save("\(Self.token)\nmore\n", to: path)
      #expect(try TokenFile(path).token == Self.token)
      try FileTree.save("short\n", to: path)
      #expect(throws: ServerFailure.self) { _ = try TokenFile(path) }
      #expect(throws: ServerFailure.self) { _ = try TokenFile(folder + "/none") }
    }
  }

  @Test func `an address has a host and a port`() throws {
    #expect(try ListenAddress("127.0.0.1:8080").isLoopback)
    #expect(try ListenAddress("[::1]:0").isLoopback)
    #expect(try !ListenAddress("0.0.0.0:80").isLoopback)
    #expect(try !ListenAddress("127.evil.example:80").isLoopback)
    #expect(try ListenAddress("localhost:1").port == 1)
    for text in ["8080", "localhost", ":80", "localhost:99999", "localhost:x"] {
      #expect(throws: ServerFailure.self) { try ListenAddress(text) }
    }
  }
}
