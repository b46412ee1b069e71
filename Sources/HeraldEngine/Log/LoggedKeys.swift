import HeraldModel
import HeraldObservation

/// The primary keys of the objects that some successive commits of the log deleted. A value of an earlier version, or of
/// something frozen, may link to them.
struct LoggedKeys {
  /// The versions whose commits were read; empty before the first.
  private var versions = 0..<0
  private var keys: [ObjectID: Value] = [:]

  /// Returns the key of an object, for which commits are read from the newest to the oldest, each once.
  mutating func key(
    of object: ObjectID, in kept: ClosedRange<Int>, _ commit: (Int) throws -> LoggedCommit?
  ) rethrows -> Value? {
    if versions.isEmpty { versions = kept.upperBound + 1..<kept.upperBound + 1 }
    for version in versions.upperBound..<max(versions.upperBound, kept.upperBound + 1) {
      take(try commit(version))
      versions = versions.lowerBound..<version + 1
    }
    while keys[object] == nil, versions.lowerBound > kept.lowerBound {
      take(try commit(versions.lowerBound - 1))
      versions = versions.lowerBound - 1..<versions.upperBound
    }
    return keys[object]
  }

  private mutating func take(_ commit: LoggedCommit?) {
    for (classID, change) in commit?.record.classes ?? [:] where !classID.isNested {
      for (number, object) in change.deleted { keys[ObjectID(classID, number)] = object.key }
    }
  }
}

extension Session {
  /// Returns the primary key of a deleted object; nil if no commit of the log deleted it. O(commits of the log) once.
  func loggedKey(of object: ObjectID) -> Value? {
    // Other threads read a frozen version, whose links lead to objects that it has.
    guard !position.isShared, let oldest = try? oldestLogVersion, oldest <= version else {
      return nil
    }
    return try? loggedKeys.key(of: object, in: oldest...version) { try commitIfLogged($0) }
  }
}
