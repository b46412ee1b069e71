/// The error for a blob that ends early or holds what no writer writes.
package struct DamagedBytes: Error {
  package init() {}
}
