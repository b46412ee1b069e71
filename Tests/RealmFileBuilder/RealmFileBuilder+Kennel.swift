extension RealmFileBuilder {
  /// A file with two classes whose objects link to each other, one property with a name that is none of the language, and
  /// an embedded class.
  ///
  /// `Dog`: name (the key), age, `full name`, owner, `home`, lucky numbers. `Person`: name, best friend, friends. `now`: at.
  public static func kennel() -> [UInt8] {
    var builder = RealmFileBuilder()
    let dogs = builder.array([
      .tagged(3), .ref(builder.shortStrings(["Rex", "Bo", "Max"])),
      .ref(builder.integers([3, 5, 9])), .ref(builder.shortStrings([nil, "Bo II", nil])),
      .ref(builder.integers([21, 0, 11])), .ref(builder.integers([1, 0, 2])),
      .ref(
        builder.array([.ref(builder.integers([7, 7, 1])), .none, .ref(builder.integers([4]))])),
    ])
    let people = builder.array([
      .ref(builder.integers([10, 20])), .ref(builder.shortStrings(["Ann", nil])),
      .ref(builder.integers([0, 3])),
      .ref(
        builder.array([.ref(builder.integers([2, 0, -4, 2], .context)), .none])),
    ])
    let homes = builder.array([.tagged(2), .ref(builder.shortStrings(["Rome", "Oslo"]))])
    let moments = builder.array([
      .tagged(2),
      .ref(
        builder.refs([builder.integers([99, 0, -1]), builder.integers([0, -500_000_000])])),
    ])
    let dog = builder.table(
      [
        Column("name", 2), Column("age", 0, 1), Column("full name", 2, 16),
        Column("owner", 12, 16, target: 1), Column("home", 12, 16, target: 2),
        Column("lucky", 0, 32),
      ], clusters: dogs, key: 0, primaryKey: 0)
    let person = builder.table(
      [
        Column("name", 2, 16), Column("best", 12, 16, target: 0),
        Column("friends", 12, 32, target: 0),
      ],
      clusters: people, key: 1)
    let home = builder.table([Column("town", 2)], clusters: homes, key: 2, flags: 1)
    let moment = builder.table([Column("at", 8, 16)], clusters: moments, key: 3)
    return builder.file([
      ("class_Dog", dog), ("class_Person", person), ("class_Home", home), ("class_now", moment),
    ])
  }

  /// A file with three objects of a class `A`, whose ages cannot be read: their leaf is not there; and with one object of a
  /// class `B`, with which `A` is not linked.
  public static func damagedKennel() -> [UInt8] {
    var builder = RealmFileBuilder()
    let names = builder.shortStrings(["a", "b", "c"])
    let clusters = builder.array([.tagged(3), .ref(names), .ref(1 << 40)])
    let table = builder.table([Column("name", 2), Column("age", 0)], clusters: clusters)
    let numbers = builder.integers([7])
    let sound = builder.table(
      [Column("n", 0)], clusters: builder.array([.tagged(1), .ref(numbers)]), key: 1)
    return builder.file([("class_A", table), ("class_B", sound)])
  }
}
