internal import Glibc

/// A descriptor that is closed with its last owner.
final class OwnedDescriptor: Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { close(number) }
}
