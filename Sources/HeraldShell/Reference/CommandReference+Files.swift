extension CommandReference {
  static let importCommand = Command(
    "import",
    [
      "import FILE into CLASS [with OPTION, ...], ...",
      "import FILE as new CLASS [with OPTION, ...], ... [dry run]",
      "with delimiter \"C\" | tab, quote \"C\" | none, header yes | no, encoding WORD, "
        + "columns { COLUMN: NAME | skip | text, ... }",
    ],
    "add objects from a JSON or CSV file, all or none",
    [
      "The file holds a JSON array of objects, one JSON object a line, an object around one array, "
        + "or comma-separated values; it may be compressed by gzip. - is standard input, ~/ the "
        + "home folder. Names are those of the properties; links are given by primary key, "
        + "lists and sets as arrays, maps and embedded objects as objects, dates in every form of "
        + "a literal, Booleans also as yes, no, 1 and 0, "
        + "data as base64, decimals, uuids and object ids as they print. In a property of type "
        + "any, the only member of an object may name a type that JSON lacks: $date, $data, "
        + "$decimal, $float, $double, $uuid, $oid, $link.",
      "as new declares the class that the file needs: bool, int, double, decimal, date, uuid or "
        + "string, with ? where a value is missing, lists, embedded classes and maps for arrays and "
        + "objects, any for mixed values of JSON. Numbers with leading zeros and uuids in capitals "
        + "stay strings, numbers that an int and a double would change become decimals, and strings "
        + "if they have more than 34 digits. A column of no alone is no Boolean. A column named id, _id, CLASSid, uuid or guid is "
        + "the primary key if its values are unique and none is missing. Names that cannot be those of "
        + "properties are changed, and a note says how; a later import into the class knows them. "
        + "dry run, or --dry-run, prints the classes, to be edited and run, and changes nothing. At "
        + "the prompt an import into an unknown class proposes one.",
      "In CSV an empty field is nil, and an empty string is in quotes; where the property is none "
        + "of text, these are nil, too. Without delimiter it is the one of tab, bar, semicolon and "
        + "comma that gives all of the first records the same number of fields. Lines end in LF, CR "
        + "LF or CR. Empty lines are skipped, and lines with # before the header. The encoding is "
        + "utf8, utf16, utf16le, utf16be, latin1 or windows1252; without it UTF-8, or UTF-16 that is seen to be it. With header no the "
        + "columns are column1, column2, and so on. columns renames a column, leaves it out, or takes "
        + "its values as text; NAME text does both, and *: skip leaves out all others.",
      "Links may refer to later objects, in this file or another of the same import. An object "
        + "without a primary key is linked to by the number that the file gives it as $key, or "
        + "else by its number in the store. The import is one transaction, which Ctrl-C rolls back; "
        + "a terminal shows its progress.",
    ],
    examples: [
      "import dogs.csv into Dog", "import a.json into Dog, b.json into Person",
      "import people.csv as new Resident dry run",
      "import towns.csv as new Town with delimiter \";\", columns { post code: zip text, note: skip }",
    ])

  static let exportCommand = Command(
    "export",
    [
      "export QUERY [{ EXPRESSION [as NAME], ... }] to FILE [as csv | json | jsonl]",
      "export group QUERY by PATH, ... { ... } ... to FILE [as csv | json | jsonl]",
    ],
    "write objects or groups to a file that import reads",
    [
      "The file name extension selects the format, unless as does: .json, .jsonl or .ndjson, .csv. "
        + "- is the output. An existing file is replaced once the new one is complete, and keeps its "
        + "permissions; a new one has those that the umask leaves. Braces choose "
        + "columns, as for show. mode csv and mode jsonl write tables in the same form.",
      "import takes all of it back into the same class, but for backlinks, links to objects that "
        + "are not there, columns that are not properties, and the numbers of objects that nothing "
        + "links to. As a new class, sets become lists, floats doubles, data and links plain values, "
        + "and in JSON decimals strings.",
    ],
    examples: [
      "export Dog { name, owner.name as owner } to names.csv",
      "export Dog where age > 3 sort(name) to dogs.csv", "export Dog to - as jsonl",
      "export group Dog by age { n: @count } to - as csv",
    ])
}
