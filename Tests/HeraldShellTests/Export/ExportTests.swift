import Testing

@testable import HeraldShell

private let script = #"""
  embedded class Home { city: string }
  class Person { id: int primary; name: string? }
  class Dog {
    id: int primary; name: string?; born: date?; price: decimal?; owner: Person; home: Home
    tags: list<string>; scores: map<int>; extra: any; fans: backlinks<Fan.dog>
  }
  class Fan { dog: Dog }
  add Person { id: 7, name: "Ann" }
  add Dog [
    { id: 1, name: "Max, \"the\" dog", born: 2020-01-01, price: 1.50, owner: Person#7, home: {city: "Bree"}, tags: ["a", "b"], scores: {x: 1}, extra: 2020-01-01 }
    { id: 2, name: "" }, { id: 3, name: nil, extra: "é" }
  ]
  add Fan { dog: Dog#1 }
  export Dog to - as csv
  export Dog to - as jsonl
  export Dog where id > 1 to - as json
  export Dog { name, owner.name as owner, born.year } to - as csv
  mode csv
  show Dog where id == 1
  Dog { id, owner }
  show group Dog by owner { n: @count }
  Dog where id > 99
  print Dog#1.name, 3
  mode jsonl
  Dog where id < 3
  Dog#1
  Person#7
  show Dog { id, owner, price }
  show group Dog by owner { n: @count }
  show Dog#1.tags
  count Dog
  mode text
  expect error "'-' has no known format; use .json, .jsonl, .ndjson or .csv, or 'as csv'" { export Dog to - }
  """#

private let output = #"""
  id,name,born,price,owner,home,tags,scores,extra
  1,"Max, ""the"" dog",2020-01-01T00:00:00Z,1.50,7,"{""city"": ""Bree""}","[""a"", ""b""]","{""x"": 1}","{""$date"": ""2020-01-01T00:00:00Z""}"
  2,"",,,,,[],{},
  3,,,,,,[],{},"""é"""
  {"id": 1, "name": "Max, \"the\" dog", "born": "2020-01-01T00:00:00Z", "price": "1.50", "owner": 7, "home": {"city": "Bree"}, "tags": ["a", "b"], "scores": {"x": 1}, "extra": {"$date": "2020-01-01T00:00:00Z"}}
  {"id": 2, "name": "", "born": null, "price": null, "owner": null, "home": null, "tags": [], "scores": {}, "extra": null}
  {"id": 3, "name": null, "born": null, "price": null, "owner": null, "home": null, "tags": [], "scores": {}, "extra": "é"}
  [
    {"id": 2, "name": "", "born": null, "price": null, "owner": null, "home": null, "tags": [], "scores": {}, "extra": null},
    {"id": 3, "name": null, "born": null, "price": null, "owner": null, "home": null, "tags": [], "scores": {}, "extra": "é"}
  ]
  name,owner,born.year
  "Max, ""the"" dog",Ann,2020
  "",,
  ,,
  id,name,born,price,owner,home,tags,scores,extra
  1,"Max, ""the"" dog",2020-01-01T00:00:00Z,1.50,7,"{""city"": ""Bree""}","[""a"", ""b""]","{""x"": 1}","{""$date"": ""2020-01-01T00:00:00Z""}"
  id,owner
  1,7
  2,
  3,
  owner,n
  ,2
  7,1
  id,name,born,price,owner,home,tags,scores,extra
  Max, "the" dog 3
  {"id": 1, "name": "Max, \"the\" dog", "born": "2020-01-01T00:00:00Z", "price": "1.50", "owner": 7, "home": {"city": "Bree"}, "tags": ["a", "b"], "scores": {"x": 1}, "extra": {"$date": "2020-01-01T00:00:00Z"}}
  {"id": 2, "name": "", "born": null, "price": null, "owner": null, "home": null, "tags": [], "scores": {}, "extra": null}
  Dog#1 {id: 1, name: "Max, \"the\" dog", born: 2020-01-01@00:00:00, price: 1.50, owner: Person#7, home: {city: "Bree"}, tags: ["a", "b"], scores: {"x": 1}, extra: 2020-01-01@00:00:00}
  Person#7 {id: 7, name: "Ann"}
  {"id": 1, "owner": 7, "price": "1.50"}
  {"id": 2, "owner": null, "price": null}
  {"id": 3, "owner": null, "price": null}
  {"owner": null, "n": 2}
  {"owner": 7, "n": 1}
  {"value": "a"}
  {"value": "b"}
  3

  """#

@Suite struct ExportTests {
  @Test
  func `exports to the output and tables in the modes csv and jsonl are rows that import reads`() {
    let run = ScriptRun(script)
    #expect(run.errors == "")
    #expect(run.output == output)
  }

  @Test
  func `collections of values are rows that import reads, with their keys if they have any`() {
    let run = ScriptRun(
      """
      class Cat { scores: list<int>; points: map<double>; names: set<string?>; x: any; friends: map<Cat> }
      add Cat { scores: [5, 1, 4], points: {b: 2.5, "a,b": 1}, names: ["Max", nil], x: [3, {k: "é"}] } as $a
      export $a.scores to - as csv
      export $a.scores where self > 3 sort(self) to - as csv
      export $a.scores where self > 3 { self as score, self * 2 as twice } to - as csv
      export $a.points to - as json
      export $a.points to - as csv
      export $a.x to - as csv
      export $a.friends to - as csv
      mode csv
      show $a.scores where self > 3
      show $a.names
      mode jsonl
      show $a.scores
      show [1, "x"]
      """)
    #expect(run.errors == "")
    #expect(
      run.output == #"""
        value
        5
        1
        4
        value
        4
        5
        score,twice
        5,10
        4,8
        [
          {"key": "a,b", "value": 1.0},
          {"key": "b", "value": 2.5}
        ]
        key,value
        "a,b",1.0
        b,2.5
        value
        3
        "{""k"": ""é""}"
        value
        5
        4
        value

        Max
        {"value": 5}
        {"value": 1}
        {"value": 4}
        {"value": 1}
        {"value": "x"}

        """#)
  }

  @Test func `rows of a projection are exported with its fields, and groups with their columns`() {
    let run = ScriptRun(
      """
      class Person { name: string }
      class Dog { id: int primary; name: string; age: int; tags: list<string>; owner: Person }
      projection Card of Dog { title: name; years: age; tags: tags; owner: owner.name }
      add Person { name: "Ann" } as $ann
      add Dog [{ id: 1, name: "Max", age: 3, tags: ["a", "b"], owner: $ann }, { id: 2, name: "Rex", age: 7 }]
      export Card sort(years desc) to - as csv
      export Card where years < 5 to - as jsonl
      export group Dog by name.lower as who { n: @count } to - as csv
      export group Dog by age { n: @count } sort(age desc) limit(1) to - as json
      mode csv
      Card where title == "Rex"
      """)
    #expect(run.errors == "")
    #expect(
      run.output == #"""
        title,years,tags,owner
        Rex,7,[],
        Max,3,"[""a"", ""b""]",Ann
        {"title": "Max", "years": 3, "tags": ["a", "b"], "owner": "Ann"}
        who,n
        max,1
        rex,1
        [
          {"age": 7, "n": 1}
        ]
        title,years,tags,owner
        Rex,7,[],

        """#)
  }
}
