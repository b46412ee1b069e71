/// The manual page herald-language(7), in mdoc(7), with the commands from `CommandReference` and the rest
/// from `LanguageReference`. Tests and transcripts cite its numbered sections (`language 2`).
package enum LanguagePage {
  /// The whole page as the file `man/herald-language.7` holds it.
  package static var text: String {
    [
      head, ".Sh 1. TEXT", LanguageReference.section("Text"), commands, ".Sh 3. OUTPUT",
      LanguageReference.section("Output"), ".Sh 4. EXPECTATIONS",
      LanguageReference.section("Expectations"), ".Sh 5. QUERIES",
      LanguageReference.section("Queries"), seeAlso,
    ].map { $0 + "\n" }.joined()
  }

  private static let head = """
    .\\" Made from the description of the commands; a test keeps the two equal.
    .Dd November 21, 2026
    .Dt HERALD-LANGUAGE 7
    .Os
    .Sh NAME
    .Nm herald-language
    .Nd the language of herald's prompt and scripts
    .Sh DESCRIPTION
    One language serves the prompt, scripts, pipes and the option
    .Fl c
    of
    .Xr herald 1 .
    Its predicates follow the Realm Query Language.
    In the shell
    .Ic help Ar word
    prints each part of this page: a command, a section, a keyword.
    """

  private static var commands: String {
    ".Sh 2. COMMANDS\n"
      + Mdoc.commands { command in
        let details = command.details.flatMap { [".Pp"] + Mdoc.filled($0) }
        let examples = command.examples.isEmpty ? [] : Mdoc.literal(command.examples)
        return Mdoc.summary(of: command) + details + examples
      }
  }

  private static let seeAlso = """
    .Sh SEE ALSO
    .Xr herald 1 ,
    .Xr herald-store 5 ,
    .Xr herald-realm 7
    """
}
