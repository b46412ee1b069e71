import Glibc
internal import Observation

// Second way: the word of a tracked thread, to know whether a closure is being tracked.
// It must equal `ask`, and `TrackedThreadTests` holds them equal; where no word is found, `ask` answers.
// It saves a microsecond in each read of a property, of which a read takes some nanoseconds.

/// The word of a thread's memory in which Observation keeps what the closure has read that is being tracked on the thread:
/// nil while there is none.
///
/// Observation has no function that answers it, and its own word has no public name. So the word is found, once, by what
/// tracking a closure does to the memory of a thread.
enum TrackedThread {
  typealias Word = UnsafePointer<UnsafeRawPointer?>

  /// A word of each thread's memory, as the C library finds it.
  struct Place {
    var module: UInt
    var offset: UInt

    /// The word of the calling thread.
    var word: Word? {
      var place = self
      return tlsAddress(&place).map { Word($0.assumingMemoryBound(to: UnsafeRawPointer?.self)) }
    }
  }

  private static let place = findPlace()

  /// A word that is never nil, where another cannot be known.
  nonisolated(unsafe) static let occupied: Word = {
    let word = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: 1)
    word.initialize(to: UnsafeRawPointer(word))
    return Word(word)
  }()

  /// The word of the calling thread.
  static var word: Word { place?.word ?? occupied }

  /// Whether a closure is being tracked on the calling thread.
  static var isTracking: Bool { place?.word.map { $0.pointee != nil } ?? ask() }

  /// Asks by a read whose key path is only looked at while a closure is being tracked.
  static func ask() -> Bool {
    let question = Question()
    let probe = Probe()
    probe.registrar.access(probe, keyPath: \Probe[question])
    return question.isAsked
  }

  private final class Probe: Observable {
    let registrar = ObservationRegistrar()
    subscript(question: Question) -> Void { () }
  }

  private final class Question: Hashable {
    var isAsked = false

    static func == (a: Question, b: Question) -> Bool { a === b }
    func hash(into hasher: inout Hasher) {
      isAsked = true
      hasher.combine(ObjectIdentifier(self))
    }
  }
}

extension TrackedThread {
  /// Returns the only word that points to the stack, to something that is empty, from when a closure begins to be tracked
  /// until it has read something.
  static func findPlace() -> Place? {
    let places = blocks().flatMap { block in
      stride(from: 0, to: block.size & ~7, by: 8).map { Place(module: block.module, offset: $0) }
    }
    // Of each, what it is before: a closure may be being tracked already.
    var found = places.map { ($0, $0.word?.pointee) }
    withObservationTracking {
      found = found.filter { place, before in
        place.word?.pointee != before && place.accesses.map { $0.pointee == nil } ?? false
      }
      let probe = Probe()
      probe.registrar.access(probe, keyPath: \Probe[Question()])
      found = found.filter { $0.0.accesses.map { $0.pointee != nil } ?? false }
    } onChange: {
    }
    found = found.filter { place, before in place.word?.pointee == before }
    return found.count == 1 ? found[0].0 : nil
  }

  /// The memory that each module has on every thread, in bytes.
  private static func blocks() -> [(module: UInt, size: UInt)] {
    var blocks: [(module: UInt, size: UInt)] = []
    withUnsafeMutablePointer(to: &blocks) { blocks in
      _ = forEachModule(
        { module, _, blocks in
          guard let module = module?.assumingMemoryBound(to: LoadedModule.self).pointee,
            let blocks = blocks?.assumingMemoryBound(to: [(module: UInt, size: UInt)].self),
            module.threadMemory != nil
          else { return 0 }
          let segments = UnsafeBufferPointer(
            start: module.segments, count: Int(module.segmentCount))
          for segment in segments where segment.kind == Segment.threadMemory {
            blocks.pointee.append((module.number, segment.sizeInMemory))
          }
          return 0
        }, blocks)
    }
    return blocks
  }
}

extension TrackedThread.Place {
  /// What the word points to, if that is on the stack near the caller.
  fileprivate var accesses: TrackedThread.Word? {
    guard let pointer = word?.pointee else { return nil }
    var here = 0
    let distance = withUnsafePointer(to: &here) { pointer - UnsafeRawPointer($0) }
    guard abs(distance) < 1 << 16, Int(bitPattern: pointer) & 7 == 0 else { return nil }
    return pointer.assumingMemoryBound(to: UnsafeRawPointer?.self)
  }
}

// What the C library declares in <link.h>, which is not in its module.

/// `struct dl_phdr_info`.
private struct LoadedModule {
  let address: UInt
  let name: UnsafePointer<CChar>?
  let segments: UnsafePointer<Segment>?
  let segmentCount: UInt16
  let loads: UInt64
  let unloads: UInt64
  /// The number by which its memory of each thread is found.
  let number: UInt
  /// That memory, of the calling thread; nil where it has none.
  let threadMemory: UnsafeRawPointer?
}

/// `Elf64_Phdr`.
private struct Segment {
  static let threadMemory: UInt32 = 7

  let kind: UInt32
  let flags: UInt32
  let offset: UInt
  let address: UInt
  let physicalAddress: UInt
  let sizeInFile: UInt
  let sizeInMemory: UInt
  let alignment: UInt
}

@_silgen_name("dl_iterate_phdr")
private func forEachModule(
  _ body: @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeMutableRawPointer?) -> Int32,
  _ context: UnsafeMutableRawPointer?
) -> Int32

@_silgen_name("__tls_get_addr")
private func tlsAddress(_ place: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?
