/// How much memory something of a write transaction takes.
package struct WriteMemory: Sendable {
  package private(set) var bytes = 0

  static let pageSize = 4096

  package init() {}

  package mutating func add(_ count: Int) { bytes = bytes &+ count }

  /// A quarter of the machine's memory.
  package static let usualLimit = max(MachineMemory.size / 4, 1 << 26)
}
