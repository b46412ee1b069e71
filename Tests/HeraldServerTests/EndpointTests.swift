import HeraldServer
import Testing

@Suite struct EndpointTests {
  @Test func `statements in one transaction are answered as the shell answers them`() throws {
    let store = try ServedStore()
    let answer = try store.write("add Dog { id: 1, name: \"Max\", age: 4 }; count Dog")
    #expect(answer.status == 200)
    #expect(answer.header("content-type") == "application/x-ndjson")
    #expect(
      answer.body == """
        {"ok":true,"version":1}
        {"result":1}
        {"ok":true,"version":2}

        """)
    #expect(try store.get("/query?q=Dog.@count").body == "{\"result\":1}\n")
    #expect(try store.get("/query?q=count%20Dog%20at%201").body == "{\"result\":0}\n")
  }

  @Test func `a statement that fails rolls back the ones before it`() throws {
    let store = try ServedStore()
    let answer = try store.write(
      "add Dog { id: 1, name: \"Max\", age: 4 }\nset Dog#1.nmae = \"Rex\"")
    #expect(answer.status == 400)
    #expect(
      answer.body == """
        {"ok":true,"version":1}
        {"error":{"message":"class 'Dog' has no property 'nmae'; did you mean 'name'?",\
        "file":"write","line":2,"column":11}}

        """)
    #expect(try store.get("/query?q=count+Dog").body == "{\"result\":0}\n")
    #expect(try store.get("/health").body == "{\"ok\":true,\"version\":1}\n")
  }

  @Test func `variables last as long as their transaction`() throws {
    let store = try ServedStore()
    #expect(
      try store.write(
        "add Dog { id: 1, name: \"Max\", age: 4 }; let $max = Dog#1; set $max.age = 5"
      ).status
        == 200)
    #expect(try store.get("/query?q=Dog%231.age").body == "{\"result\":5}\n")
    #expect(
      try store.write("$max.age = 6").body
        == """
        {"error":{"message":"unknown variable '$max'","file":"write","line":1,"column":1}}

        """)
  }

  @Test func `undo and redo are transactions of their own`() throws {
    let store = try ServedStore(ServedStore.dogs)
    _ = try store.write("add Dog { id: 1, name: \"Max\", age: 4 }")
    #expect(try store.write("undo").body == "{\"ok\":true,\"version\":3}\n")
    #expect(try store.get("/query?q=count+Dog").body == "{\"result\":0}\n")
    #expect(try store.write(" redo").body == "{\"ok\":true,\"version\":4}\n")
    #expect(try store.get("/query?q=count+Dog").body == "{\"result\":1}\n")
    #expect(try store.write("undo; delete Dog").status == 400)
  }

  @Test(arguments: [
    "begin", "commit", "write { delete Dog }", "open other.hdb", "read x.herald",
    "import x.csv into Dog", "export Dog to x.csv", "dump to x.herald", "backup to x.hdb",
    "compact to x.hdb", "observe Dog", "follow Dog", "watch Dog", "quit", "edit", "alias a = show",
    "show Dog | cat", "show Dog > x.txt", "@bg show Dog", "session bg", "keep log all", "close",
    "if true { read x.herald }", "for $d in Dog { import x.csv into Dog }",
    "mode text", "timing on", "why dogs", "undo",
  ])
  func `neither files nor programs nor the shell itself can be reached`(_ statement: String) throws
  {
    let store = try ServedStore("class Dog { name: string }; add Dog { name: \"Max\" }")
    for text in ["print 1\n\(statement)"] {
      let answer = try store.write(text)
      #expect(answer.status == 400)
      #expect(
        answer.body.contains("is not among the statements that are served here"), "\(answer.body)")
    }
    #expect(try store.get("/health").body == "{\"ok\":true,\"version\":1}\n")
  }

  @Test(arguments: [
    "delete Dog", "add Dog { id: 2 }", "Dog%231.age = 3", "let $x = 1", "class Cat { a: int }",
    "undo", "if true { delete Dog }", "Dog | cat",
  ])
  func `a query changes nothing`(_ statement: String) throws {
    let store = try ServedStore()
    _ = try store.write("add Dog { id: 1, name: \"Max\", age: 4 }")
    let target = statement.split(separator: " ").joined(separator: "+")
    let answer = try store.get("/query?q=\(target.replacing("=", with: "%3D"))")
    #expect(answer.status == 400)
    #expect(
      answer.body.contains("is not among the statements that are served here"), "\(answer.body)")
    #expect(try store.get("/health").body == "{\"ok\":true,\"version\":2}\n")
  }

  @Test func `the schema and the log are those of the shell`() throws {
    let store = try ServedStore("class Dog { name: string }")
    _ = try store.write("add Dog { name: \"Max\" }")
    let schema = """
      {"schema":[{"class":"Dog","properties":[{"name":"name","type":"string"}]}]}

      """
    #expect(try store.get("/schema").body == schema)
    #expect(try store.get("/schema?at=0").body == "{\"schema\":[]}\n")
    #expect(try store.get("/log?n=1").body.hasPrefix("{\"result\":[{\"version\":2,"))
    #expect(try store.get("/log?class=Dog").status == 200)
    #expect(
      try store.get("/log?version=2").body.contains(
        "\"changes\":[{\"class\":\"Dog\",\"key\":1,\"inserted\":{\"name\":\"Max\"}}]"))
    #expect(try store.get("/log?version=9").status == 400)
  }

  @Test func `completions are those of follow`() throws {
    let store = try ServedStore()
    #expect(
      try store.get("/complete?q=Do").body
        == "[{\"start\":0,\"text\":\"Dog\",\"suffix\":\" \"}]\n")
    #expect(
      try store.get("/complete?q=Dog+where+na").body
        == "[{\"start\":10,\"text\":\"name\",\"suffix\":\"\"}]\n")
  }

  @Test(arguments: [
    ("/nowhere", 404, "there is no '/nowhere'"),
    ("/query", 400, "'/query' needs a query, as 'q'"),
    ("/query?p=1", 400, "'/query' has no parameter 'p'"),
    ("/query?q=%zz", 400, "'/query?q=%zz' is not a path"),
    ("/write", 405, "'/write' takes POST, not GET"),
    ("/log?n=x", 400, "'x' is not a number of commits, at most 10000"),
    ("/log?class=Dog;undo", 400, "'Dog;undo' is not the name of a class"),
    ("/log?version=x", 400, "'x' is not a version"),
    ("/live", 400, "'/live' needs a query, as 'q', or 'value' or 'group'"),
    ("/live?value=1&sections=age", 400, "'sections' is only for 'q'"),
    ("/socket", 426, "'/socket' is a WebSocket"),
  ])
  func `what is wrong with a request is in its answer`(
    _ target: String, _ status: Int, _ message: String
  ) throws {
    let answer = try ServedStore().get(target)
    #expect(answer.status == status)
    #expect(answer.body == "{\"error\":{\"message\":\"\(message)\"}}\n")
    #expect(answer.header("x-content-type-options") == "nosniff")
  }

  @Test func `a store that is served read-only takes no writes`() throws {
    let store = try ServedStore()
    var settings = ServerSettings(store: store.path)
    settings.port = 0
    settings.isReadOnly = true
    let server = try Server(settings)
    defer { server.stop() }
    let client = try Client(server.port)
    client.request("POST", "/write", ["Content-Type": "application/x-herald"], body: "delete Dog")
    #expect(
      try client.answer().body == "{\"error\":{\"message\":\"the store is served read-only\"}}\n")
    client.request("GET", "/query?q=count+Dog")
    #expect(try client.answer().body == "{\"result\":0}\n")
  }

  @Test func `several requests use one connection, one after the other`() throws {
    let store = try ServedStore()
    let client = try Client(store.port)
    for _ in 0..<3 { client.request("GET", "/query?q=count+Dog") }
    for _ in 0..<3 { #expect(try client.answer().body == "{\"result\":0}\n") }
    client.request("GET", "/health", ["Connection": "close"])
    #expect(try client.answer().header("connection") == "close")
    #expect(try client.isClosed())
  }

  @Test func `metrics are text that Prometheus reads`() throws {
    let store = try ServedStore()
    let answer = try store.get("/metrics")
    #expect(answer.header("content-type") == "text/plain; version=0.0.4; charset=utf-8")
    #expect(
      answer.body.contains(
        """
        # HELP herald_version The version of the store.
        # TYPE herald_version gauge
        herald_version 1

        """))
  }

  @Test func `a store that cannot be opened is an error`() throws {
    #expect(throws: ServerFailure.self) {
      _ = try Server(ServerSettings(store: "/proc/none/pets.hdb"))
    }
  }
}
