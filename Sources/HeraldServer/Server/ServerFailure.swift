/// Why a server cannot begin.
package struct ServerFailure: Error, Equatable {
  package let message: String

  package init(_ message: String) { self.message = message }
}
