/// What was delivered to folded filters that received more than `initial`, by places that their records keep.
struct FilterAccounts {
  private var accounts: [DeliveryAccount] = []
  private var freePlaces: [UInt32] = []

  /// The account at a place.
  subscript(place: UInt32) -> DeliveryAccount {
    get { accounts[Int(place)] }
    _modify { yield &accounts[Int(place)] }
  }

  /// Adds an account and returns its place.
  mutating func insert(_ account: DeliveryAccount) -> UInt32 {
    if let place = freePlaces.popLast() {
      accounts[Int(place)] = account
      return place
    }
    accounts.append(account)
    return UInt32(accounts.count - 1)
  }

  /// Removes an account and returns it.
  mutating func remove(_ place: UInt32) -> DeliveryAccount {
    let account = accounts[Int(place)]
    freePlaces.append(place)
    if freePlaces.count == accounts.count {
      accounts = []
      freePlaces = []
    } else {
      accounts[Int(place)] = DeliveryAccount()
    }
    return account
  }
}
