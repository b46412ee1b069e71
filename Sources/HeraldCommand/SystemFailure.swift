import Glibc

/// A failed system call.
struct SystemFailure: Error {
  let code: Int32

  var reason: String { String(cString: strerror(code)) }
}
