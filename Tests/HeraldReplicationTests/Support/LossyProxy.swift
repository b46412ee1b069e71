import Glibc
import HeraldReplication
import Synchronization
import TestSupport

/// A way to a server that a test can cut: what was on it is lost, and nobody gets through until it is restored.
///
/// `@unchecked Sendable`: the mutex protects what changes; the descriptors are closed by who opened them.
final class LossyProxy: @unchecked Sendable {
  struct Failure: Error { let code: Int32 }

  let port: UInt16
  private let target: UInt16
  private let listening: Int32
  private let state = Mutex(State())

  private struct State {
    var isCut = false
    var open: Set<Int32> = []
  }

  init(to target: UInt16) throws {
    self.target = target
    let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.listening = listening
    var address = LoopbackAddress(port: 0).value
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listening, $0, size) == 0 ? getsockname(listening, $0, &size) : -1
      }
    }
    guard code == 0, listen(listening, 16) == 0 else { throw Failure(code: errno) }
    port = UInt16(bigEndian: address.sin_port)
    JoinableThread { [self] in accept() }.detach()
  }

  /// Ends all connections and refuses new ones.
  func cut() {
    state.withLock { state in
      state.isCut = true
      for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  func restore() { state.withLock { $0.isCut = false } }

  /// Ends the proxy; without it its thread lives on.
  func end() {
    cut()
    shutdown(listening, Int32(SHUT_RDWR))
  }

  private func accept() {
    while true {
      let client = Glibc.accept(listening, nil, nil)
      if client < 0 {
        if errno == EINTR { continue }
        break
      }
      guard let server = LoopbackAddress(port: target).connected() else {
        close(client)
        continue
      }
      let isTaken = state.withLock { state in
        if state.isCut { return false }
        state.open.formUnion([client, server])
        return true
      }
      guard isTaken else {
        close(client)
        close(server)
        continue
      }
      let forwarding = JoinableThread { [self] in
        forward(client, server)
        state.withLock { $0.open.subtract([client, server]) }
        close(client)
        close(server)
      }
      forwarding.detach()
    }
    close(listening)
  }

  /// Copies what comes from either side to the other, until one of them ends.
  private func forward(_ one: Int32, _ other: Int32) {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var sources = [one, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&sources, 2, -1) >= 0 || errno == EINTR {
      for index in 0..<2 where sources[index].revents != 0 {
        let count = read(sources[index].fd, &bytes, bytes.count)
        guard count > 0 else { return }
        var sent = 0
        while sent < count {
          let part = bytes.withUnsafeBytes {
            send(
              sources[1 - index].fd, $0.baseAddress! + sent, count - sent,
              Int32(MSG_NOSIGNAL))
          }
          guard part > 0 else { return }
          sent += part
        }
      }
    }
  }
}

/// A port of this machine.
struct LoopbackAddress {
  let port: UInt16

  var value: sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  /// Returns a connected socket; nil if nobody listens.
  func connected() -> Int32? {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = value
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if code == 0 { return socket }
    close(socket)
    return nil
  }
}
