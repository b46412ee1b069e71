import Glibc
import HeraldReplication
import TestSupport

/// Real servers on the loopback interface, which end with this object.
final class NATSServers {
  struct Failure: Error { let text: String }

  let ports: [UInt16]
  private let routes: [UInt16]
  private let monitors: [UInt16]
  private let folder: TemporaryFolder
  private var processes: [StartedProcess?]

  private let lines: [String]

  /// Starts a server alone, or a cluster, with further lines in their configurations.
  init(_ count: Int = 1, lines: [String] = []) throws {
    self.lines = lines
    folder = try TemporaryFolder()
    let free = try Self.freePorts(3 * count)
    ports = Array(free.prefix(count))
    routes = Array(free[count..<2 * count])
    monitors = Array(free.suffix(count))
    processes = Array(repeating: nil, count: count)
    for index in 0..<count { try start(index) }
  }

  /// The stream of a name on these servers.
  func stream(_ name: String, servers: [Int]? = nil, replicas: Int? = nil) -> NATSStream {
    var stream = NATSStream(
      name, servers: (servers ?? Array(ports.indices)).map { "nats://127.0.0.1:\(ports[$0])" },
      replicas: replicas ?? (ports.count > 2 ? 3 : 1))
    stream.patience = 60
    return stream
  }

  /// The address of a stream on the first server.
  func address(_ name: String) -> String { "nats://127.0.0.1:\(ports[0])/\(name)?replicas=1" }

  var address: String { "nats://" + ports.map { "127.0.0.1:\($0)" }.joined(separator: ",") }

  /// Starts a server that does not run; returns when it takes connections.
  func start(_ index: Int) throws {
    var lines = lines
    lines += [
      "listen: 127.0.0.1:\(ports[index])", "server_name: s\(index)",
      "http: 127.0.0.1:\(monitors[index])",
      "jetstream { store_dir: \"\(folder.path)/\(index)\", max_file: 4GB }",
    ]
    if ports.count > 1 {
      let urls = routes.map { "\"nats://127.0.0.1:\($0)\"" }.joined(separator: ", ")
      lines.append(
        "cluster { name: herald, listen: 127.0.0.1:\(routes[index]), routes: [\(urls)] }")
    }
    let configuration = folder.path + "/\(index).conf"
    guard let file = fopen(configuration, "w") else { throw Failure(text: configuration) }
    fputs(lines.joined(separator: "\n") + "\n", file)
    fclose(file)
    var process = ChildProcess(try Self.program(), ["-c", configuration])
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.path]
    try process.open(0, "/dev/null", O_RDONLY)
    try process.open(1, "/dev/null", O_WRONLY)
    try process.open(2, folder.path + "/\(index).log", O_WRONLY | O_CREAT | O_APPEND)
    processes[index] = try process.start()
    for _ in 0..<600 where !Self.accepts(ports[index]) { usleep(50_000) }
    guard Self.accepts(ports[index]) else {
      let log = (try? OpenSSL(folder: folder.path).read("\(index).log")) ?? []
      throw Failure(text: "a server does not start: " + String(decoding: log, as: UTF8.self))
    }
  }

  func kill(_ index: Int) {
    processes[index]?.signal(SIGKILL)
    _ = processes[index]?.end()
    processes[index] = nil
  }

  func pause(_ index: Int) { processes[index]?.pause() }
  func resume(_ index: Int) { processes[index]?.signal(SIGCONT) }

  /// Waits until a server says that it has all messages of its streams; false if it does not in time.
  func isCurrent(_ index: Int) -> Bool {
    becomesTrue(within: 60) {
      guard let socket = LoopbackAddress(port: monitors[index]).connected() else { return false }
      defer { close(socket) }
      let request = Array("GET /healthz HTTP/1.0\r\n\r\n".utf8)
      guard write(socket, request, request.count) == request.count else { return false }
      var answer: [UInt8] = []
      var part = [UInt8](repeating: 0, count: 4096)
      while isReadable(socket, within: 2000) {
        let count = read(socket, &part, part.count)
        guard count > 0 else { break }
        answer += part.prefix(count)
      }
      return String(decoding: answer, as: UTF8.self).contains("\"status\":\"ok\"")
    }
  }

  /// Keeps a copy of what a server has stored, under a name. It is stopped for that, and started again.
  func save(_ index: Int, as name: String) throws {
    kill(index)
    try copy(folder.path + "/\(index)", folder.path + "/" + name)
    try start(index)
  }

  /// Gives a server back what it had stored when it was saved: what it has acknowledged since is lost.
  func restore(_ index: Int, from name: String) throws {
    kill(index)
    empty(index)
    try copy(folder.path + "/" + name, folder.path + "/\(index)")
    try start(index)
  }

  /// Gives a server nothing that it had stored.
  func lose(_ index: Int) throws {
    kill(index)
    empty(index)
    try start(index)
  }

  private func copy(_ source: String, _ target: String) throws {
    var process = ChildProcess("/bin/cp", ["-a", source, target])
    guard try process.start().end() == 0 else { throw Failure(text: "\(source) cannot be copied") }
  }

  /// Removes what a server that does not run has stored.
  func empty(_ index: Int) { FileTree.remove(folder.path + "/\(index)") }

  private static func program() throws -> String {
    for path in ["/usr/sbin/nats-server", "/usr/bin/nats-server", "/usr/local/bin/nats-server"]
    where access(path, X_OK) == 0 {
      return path
    }
    throw Failure(text: "there is no nats-server: scripts/needs nats-server")
  }

  private static func accepts(_ port: UInt16) -> Bool {
    guard let socket = LoopbackAddress(port: port).connected() else { return false }
    close(socket)
    return true
  }

  /// Returns ports that nobody uses at the moment.
  private static func freePorts(_ count: Int) throws -> [UInt16] {
    var sockets: [Int32] = []
    defer { for socket in sockets { close(socket) } }
    return try (0..<count).map { _ in
      let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      sockets.append(socket)
      var address = LoopbackAddress(port: 0).value
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let code = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(socket, $0, size) == 0 ? getsockname(socket, $0, &size) : -1
        }
      }
      guard code == 0 else { throw Failure(text: "no free port") }
      return UInt16(bigEndian: address.sin_port)
    }
  }
}
