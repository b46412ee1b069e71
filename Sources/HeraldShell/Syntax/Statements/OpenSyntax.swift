import Herald

/// `open`, `open PATH read-only`, `open "nats://host/pets" cache PATH`.
struct OpenSyntax {
  /// A path or the address of a stream; nil for a store in memory.
  var path: Name?
  var isReadOnly = false
  var durability = Durability.full
  /// The file of a store that follows a stream.
  var cache: Name?
}
