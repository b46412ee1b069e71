import Herald
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldShell

@Suite struct TranslationTests {
  static let classes: Set = ["Dog", "Person", "OrderItem", "Box"]

  static func translated(_ text: String) -> String? {
    Translation.statement(text) { classes.contains($0) }
  }

  @Test(
    arguments: [
      ("select name from Dog where age > 3", "show Dog where age > 3 { name }"),
      ("SELECT * FROM dogs;", "show Dog"),
      (
        "select name, age from dogs order by age desc limit 5",
        "show Dog sort(age desc) limit(5) { name, age }"
      ),
      (
        "select d.name as who from Dog d where d.age = 3 and d.name <> 'Max'",
        "show Dog where age == 3 and name != \"Max\" { name as who }"
      ),
      ("select * from dog limit 10, 5", "show Dog offset(10) limit(5)"),
      ("select top 3 * from dog", "show Dog limit(3)"),
      ("select count(*) from dog", "count Dog"),
      ("select count(*) from dog where name like 'M%'", "count Dog where name like \"M*\""),
      ("select max(age) from dog", "group Dog { max_age: @max.age }"),
      (
        "select avg(age) as mean, count(*) from Dog where age is not null",
        "group Dog where age != nil { mean: @avg.age, n: @count }"
      ),
      ("select breed, count(*) from dog group by breed", "group Dog by breed { n: @count }"),
      ("select breed b, count(*) from dog group by breed", "group Dog by breed as b { n: @count }"),
      (
        "select breed as b, count(*) as c from dog group by 1 having count(*) > 2 order by c desc",
        "group Dog by breed as b { c: @count } where c > 2 sort(c desc)"
      ),
      (
        "select breed from dog group by breed having sum(age) > 9",
        "group Dog by breed { sum_age: @sum.age } where sum_age > 9"
      ),
      ("select distinct breed from dog", "show Dog distinct(breed) { breed }"),
      (
        "select name from dog where age between 3 and 5 or breed in ('Pug', 'Akita')",
        "show Dog where age between {3, 5} or breed in {\"Pug\", \"Akita\"} { name }"
      ),
      (
        "select name from dog where name not like '%x_'",
        "show Dog where not name like \"*x?\" { name }"
      ),
      (
        "select name from dog where born > '2026-01-05' and born < now() - interval '7 days'",
        "show Dog where born > 2026-01-05 and born < now - 7d { name }"
      ),
      (
        "select name from dog where extract(year from born) = 2025",
        "show Dog where born.year == 2025 { name }"
      ),
      (
        "select lower(name) from dog where coalesce(age, 0) = 0",
        "show Dog where (age ?? 0) == 0 { name.lower }"
      ),
      (
        "select o.amount, c.name from order_items o join persons c on o.customer_id = c.id",
        "show OrderItem { amount, customer.name }"
      ),
      (
        "select amount, person.name from order_items left join person using (person_id)",
        "show OrderItem { amount, person.name }"
      ),
      ("from dog where age > 3", "show Dog where age > 3"),
      ("select 1 + 2", "print 1 + 2"),
      ("explain select * from dog where age = 3", "explain Dog where age == 3"),
      ("select * from dog where age > (select avg(age) from dog)", nil),
      ("select case when age > 3 then 1 end from dog", nil),
      ("select * from dog union select * from person", nil),
    ] as [(String, String?)])
  func `queries of SQL are translated`(_ foreign: String, _ expected: String?) {
    #expect(Self.translated(foreign) == expected)
  }

  @Test(
    arguments: [
      ("insert into dog (name, age) values ('Max', 3)", "add Dog { name: \"Max\", age: 3 }"),
      (
        "INSERT INTO Dog(name) VALUES ('O''Hara'), (NULL)",
        "add Dog [{ name: \"O'Hara\" }, { name: nil }]"
      ),
      ("insert into dog values (1, 2)", nil),
      ("replace into dog (id, age) values (1, 4)", "upsert Dog { id: 1, age: 4 }"),
      (
        "update dog set age = age + 1, name = 'Rex' where name = 'Max'",
        "set Dog where name == \"Max\" { age: age + 1, name: \"Rex\" }"
      ),
      ("update dog set age = 3", "set Dog { age: 3 }"),
      ("delete from dog where age is null", "delete Dog where age == nil"),
      ("truncate table dog", "delete Dog"),
      (
        "create table cat (id integer primary key, name varchar(20) not null, age int)",
        "class cat { id: int primary; name: string; age: int? }"
      ),
      (
        "create table cat (name text default 'Tom', owner_id int references person(id))",
        "class cat { name: string? = \"Tom\"; owner: Person }"
      ),
      ("create view old as select * from dog where age > 9", "define old as Dog where age > 9"),
      ("alter table dog add column weight real", "alter Dog { add weight: double? }"),
      ("alter table dog drop column weight", "alter Dog { drop weight }"),
      ("alter table dog rename column name to title", "alter Dog { rename name to title }"),
      ("drop table if exists dog", "drop Dog"),
      ("describe table dogs", "schema Dog"),
      ("show columns from dog", "schema Dog"),
      ("pragma table_info(dog)", "schema Dog"),
      ("copy dog from 'dogs.csv' (header)", "import \"dogs.csv\" into Dog"),
      (
        "copy (select * from dog where age > 3) to 'old.csv'",
        "export Dog where age > 3 to \"old.csv\""
      ),
    ] as [(String, String?)])
  func `changes of SQL are translated`(_ foreign: String, _ expected: String?) {
    #expect(Self.translated(foreign) == expected)
  }

  @Test(
    arguments: [
      (
        "db.dogs.find({ age: { $gt: 3 } }).sort({ age: -1 }).limit(5)",
        "Dog where age > 3 sort(age desc) limit(5)"
      ),
      ("db.dogs.find()", "Dog"),
      (
        "db.dogs.find({name: 'Max'}, {name: 1, age: 1})",
        "show Dog where name == \"Max\" { name, age }"
      ),
      (
        "db.dogs.findOne({ $or: [{age: 3}, {age: {$in: [4, 5]}}] })",
        "Dog where (age == 3 or age in {4, 5}) limit(1)"
      ),
      ("db.dogs.find({ name: /^M/ }).count()", "count Dog where name beginswith \"M\""),
      ("db.dogs.countDocuments({ owner: { $exists: false } })", "count Dog where owner == nil"),
      ("db.dogs.distinct('breed')", "show Dog distinct(breed) { breed }"),
      ("db.dogs.insertOne({ name: \"Max\", age: 3 })", "add Dog { name: \"Max\", age: 3 }"),
      ("db.dogs.insertMany([{ id: 1 }, { id: 2 }])", "add Dog [{ id: 1 }, { id: 2 }]"),
      (
        "db.dogs.updateMany({ age: 3 }, { $set: { name: 'Rex' }, $inc: { age: 1 } })",
        "set Dog where age == 3 { name: \"Rex\", age: age + 1 }"
      ),
      ("db.dogs.deleteMany({ age: { $gte: 20 } })", "delete Dog where age >= 20"),
      ("db.dogs.drop()", "drop Dog"),
      ("db.dogs.watch()", "watch Dog"),
      (
        "db.dogs.aggregate([{ $match: { age: { $gt: 1 } } }, "
          + "{ $group: { _id: '$breed', n: { $sum: 1 }, mean: { $avg: '$age' } } }, "
          + "{ $sort: { n: -1 } }])",
        "group Dog where age > 1 by breed { n: @count, mean: @avg.age } sort(n desc)"
      ),
      ("use pets", "open \"pets.hdb\""),
      ("db.getCollectionNames()", "schema"),
      ("db.dogs.mapReduce(f, g)", nil),
    ] as [(String, String?)])
  func `statements of MongoDB's shell are translated`(_ foreign: String, _ expected: String?) {
    #expect(Self.translated(foreign) == expected)
  }

  @Test(
    arguments: [
      ("HGETALL dog:3", "show Dog#3"), ("hget dog:3 name", "print Dog#3.name"),
      ("HSET dog:3 name Max age 4", "set Dog#3 { name: \"Max\", age: 4 }"),
      ("hincrby dog:3 age 2", "Dog#3.age += 2"), ("del dog:Max", "delete Dog#\"Max\""),
      ("hdel dog:3 name", "Dog#3.name = nil"), ("get count", "print $count"),
      ("incr visits", "$visits = $visits + 1"), ("keys dog:*", "Dog"), ("keys *", "schema"),
      ("rpush dog:3:tags a b", "append \"a\", \"b\" to Dog#3.tags"),
      ("lpush dog:3:tags a", "insert \"a\" into Dog#3.tags at 0"),
      ("sadd dog:3:tags a", "insert \"a\" into Dog#3.tags"),
      ("srem dog:3:tags a", "remove \"a\" from Dog#3.tags"),
      ("lrange dog:3:tags 0 -1", "print Dog#3.tags"),
      ("llen dog:3:tags", "print Dog#3.tags.@count"),
      ("subscribe dogs", "observe Dog"), ("multi", "begin"), ("exec", "commit"),
      ("discard", "rollback"), ("dbsize", "status"), ("monitor", "follow store"),
      ("flushall", nil),
    ] as [(String, String?)])
  func `commands of Redis are translated`(_ foreign: String, _ expected: String?) {
    #expect(Self.translated(foreign) == expected)
  }

  @Test(
    arguments: [
      ("\\d dogs", "schema Dog"), ("\\dt", "schema"), ("\\dt+", "schema"), ("\\l", "status"),
      ("\\c pets", "open \"pets.hdb\""), ("\\i setup.sql", "read \"setup.sql\""),
      ("\\x", "mode line"), ("\\timing", "timing on"), ("\\q", "quit"),
      ("\\copy dog from 'a b.csv'", "import \"a b.csv\" into Dog"),
      ("\\copy dog to 'dogs.csv'", "export Dog to \"dogs.csv\""), ("\\echo hi", "print \"hi\""),
      ("\\set x 3", "let $x = 3"), ("\\conninfo", "status"), ("\\h select", "help select"),
      (".tables", "schema"), (".schema dogs", "schema Dog"), (".mode csv", "mode csv"),
      (".mode box", "mode text"), (".import --csv dogs.csv dog", "import \"dogs.csv\" into Dog"),
      (".read a.sql", "read \"a.sql\""), (".open pets.hdb", "open \"pets.hdb\""),
      (".dump", "dump"), (".backup b.hdb", "backup to \"b.hdb\""), (".timer on", "timing on"),
      (".quit", "quit"), (".databases", "status"), (".nonsense", nil), ("\\zz", nil),
    ] as [(String, String?)])
  func `commands of psql and sqlite3 are translated`(_ foreign: String, _ expected: String?) {
    #expect(Self.translated(foreign) == expected)
  }

  @Test func `clauses of SQL are translated after a query here`() {
    func query(_ base: String, _ clauses: String) -> String? {
      Translation.query(base, clauses: clauses) { Self.classes.contains($0) }
    }
    #expect(query("Dog", "order by age desc, name") == "Dog sort(age desc, name)")
    #expect(
      query("Dog where age > 3", "order by name limit 2") == "Dog where age > 3 sort(name) limit(2)"
    )
    #expect(query("Dog", "group by breed") == "group Dog by breed { n: @count }")
    #expect(
      query("Dog", "group by breed having count(*) > 1")
        == "group Dog by breed { n: @count } where n > 1")
    #expect(query("Dog", "having fun") == nil)
  }

  @Test func `the name of a class begins no statement of another language`() {
    var parser = StatementParser(Source(name: "", text: "Select where age > 3"))
    parser.isDeclared = { $0 == "Select" }
    #expect(throws: Never.self) { _ = try parser.next() }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `what is translated can be parsed whatever is written`(seed: UInt64) throws {
    let parts = """
      select from where group by having order limit count ( ) * , ; = <> 'a' "b" ` ' and or not in
      between like is null insert into values update set delete create table dogs db . find { } [ ]
      : $gt age name 3 -1 2026-01-05 hget dog:3 \\d .schema join on as distinct now() || :: interval
      """.split(whereSeparator: \.isWhitespace).map(String.init)
    var random = SplitMix64(seed: seed)
    for _ in 0..<2_000 {
      let count = Int.random(in: 1...14, using: &random)
      let text = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }
        .joined(separator: Bool.random(using: &random) ? " " : "")
      guard let translated = Self.translated(text) else { continue }
      var parser = StatementParser(Source(name: "", text: translated))
      let statement = try parser.next()
      #expect(statement != nil, "seed \(seed): \(text)")
    }
  }
}
