internal import Glibc

/// A descriptor that is closed with its last owner.
package final class OwnedDescriptor: Sendable {
  package let number: Int32

  package init(_ number: Int32) { self.number = number }

  deinit { close(number) }
}
