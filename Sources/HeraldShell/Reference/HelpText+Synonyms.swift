/// What other databases and programs call what has another name here.
extension HelpText {
  /// The topics of each word. A word that has help of its own is not here.
  static let synonyms: [String: [String]] = [
    "table": ["class"], "tables": ["schema", "class"], "create": ["class"],
    "column": ["show", "class"], "field": ["class"], "fields": ["class"],
    "row": ["objects"], "id": ["primary key"],
    "select": ["show"], "list tables": ["schema"], "describe": ["schema"], "desc table": ["schema"],
    "update": ["set"], "modify": ["set"], "truncate": ["delete"],
    "group by": ["group"], "having": ["group"],
    "view": ["define"], "views": ["define"], "saved query": ["define"], "saved queries": ["define"],
    "aliases": ["alias"], "macro": ["alias"],
    "loop": ["for"], "loops": ["for"], "foreach": ["for"], "while": ["for"],
    "condition": ["if", "predicates"], "match": ["matches"],
    "function call": ["functions"], "now": ["dates"], "today": ["dates"], "date format": ["dates"],
    "null values": ["nil"], "none value": ["nil"],
    "transaction": ["transactions"], "editor": ["edit"],
    "observer": ["observe"], "subscribe": ["observe"], "listen": ["observe"],
    "live": ["watch", "observe"], "trigger": ["observe"], "triggers": ["observe"],
    "format": ["mode", "export"], "formats": ["mode", "export"], "tsv": ["import"],
    "file": ["import", "export", "programs and files"],
    "files": ["import", "export", "programs and files"], "load": ["import"], "copy": ["import"],
    "save": ["export", "dump", "backup"], "restore": ["dump", "backup"], "repair": ["check"],
    "encoding": ["import"], "encodings": ["import"], "latin1": ["import"], "latin-1": ["import"],
    "utf-8": ["import"], "utf8": ["import"], "utf-16": ["import"], "utf16": ["import"],
    "gzip": ["import"], "gz": ["import"], "stdin": ["import"], "standard input": ["import"],
    "dry-run": ["import"], "progress": ["import"],
    "config": ["settings"], "configuration": ["settings"], "color": ["settings"],
    "colour": ["settings"], "colours": ["settings"], "paging": ["settings"],
    "width": ["results"], "hotkeys": ["shortcuts"], "history search": ["ctrl-r"],
    "server": ["open", "status"], "versions": ["at", "log"], "snapshot": ["let", "backup"],
    "|": ["redirection"], ">": ["redirection"],
  ]
}
