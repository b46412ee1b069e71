/// Receives the number of bytes or records that are done, and the total; returns whether to continue.
package typealias CopyProgress = (_ done: Int, _ total: Int) -> Bool
