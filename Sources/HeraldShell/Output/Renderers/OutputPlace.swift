/// Where the output ends, if it goes to a regular file: recorded beside what was written last, so that a program that
/// continues the same file knows whether there is more in it.
package struct OutputPlace: Equatable, Sendable {
  /// Of the file.
  package let device: UInt64
  package let inode: UInt64
  /// In bytes.
  package let length: Int

  package init(device: UInt64, inode: UInt64, length: Int) {
    self.device = device
    self.inode = inode
    self.length = length
  }

  /// Reads what `text` writes; nil for anything else.
  init?(_ text: some StringProtocol) {
    let numbers = text.split(separator: " ").map { UInt64($0) }
    guard numbers.count == 3, let device = numbers[0], let inode = numbers[1],
      let length = numbers[2].flatMap({ Int(exactly: $0) })
    else { return nil }
    self.init(device: device, inode: inode, length: length)
  }

  var text: String { "\(device) \(inode) \(length)" }

  /// Whether a later place is one of the same file, with more in it.
  func isFollowed(by later: OutputPlace) -> Bool {
    device == later.device && inode == later.inode && length < later.length
  }
}
