/// The number of an object within its class, from 1 upward, never reused: its order is the order
/// of creation.
public typealias ObjectNumber = Int
