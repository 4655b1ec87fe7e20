import ArgumentParser
import Glibc

/// Whose positions are played, and how they are logged in: never by a password or token on the command line, where other users of the
/// machine could read it.
struct ReplayLogins: ParsableArguments {
  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("The username or e-mail address of the file's user; once for each file.", valueName: "user"))
  var users: [String] = []

  @Option(
    help: ArgumentHelp(
      "A file with a user and, behind a space, the password in each line (otherwise TANDEM_PASSWORD, or asked for).",
      valueName: "file"))
  var passwords: String?

  @Option(
    help: ArgumentHelp(
      "The identity service, where users log in (TANDEM_IDENTITY_ADDRESS; default: the running suite's).",
      valueName: "host:port"))
  var identityAddress: String?

  /// How a file's user proves who they are.
  enum Login: Equatable {
    case password(user: String, password: String)
    case accessToken(String)
  }

  /// A login for each of `count` files.
  ///
  /// - Parameter ask: asks for the password of a user.
  func logins(for count: Int, ask: (String) throws(Complaint) -> String) throws(Complaint) -> [Login] {
    if users.isEmpty { return try tokens(for: count) }
    guard users.count == count else {
      throw Complaint(
        usage: "\(count) files need \(count) users, not \(users.count): say --as once for each, in their order")
    }
    guard Set(users).count == users.count else {
      throw Complaint(usage: "a user is at one place at a time: name another one by --as for each file")
    }
    let known = try passwordsOfFile()
    var logins: [Login] = []
    for user in users {
      // Not an expression of ??, whose right side cannot throw a type of its own.
      let password: String
      if let found = known[user] ?? environment("TANDEM_PASSWORD") {
        password = found
      } else {
        password = try ask(user)
      }
      logins.append(.password(user: user, password: password))
    }
    return logins
  }

  private func tokens(for count: Int) throws(Complaint) -> [Login] {
    let tokens = environment("TANDEM_TOKEN")?.split(separator: " ").map(String.init) ?? []
    guard !tokens.isEmpty else {
      throw Complaint(
        usage: "whose positions are these? name the user by --as, or put an access token into TANDEM_TOKEN")
    }
    guard tokens.count == count else {
      throw Complaint(usage: "TANDEM_TOKEN has \(tokens.count) tokens for \(count) files: separate them by spaces")
    }
    return tokens.map(Login.accessToken)
  }

  private func passwordsOfFile() throws(Complaint) -> [String: String] {
    guard let passwords else { return [:] }
    guard let text = Files.text(passwords) else {
      throw Complaint(usage: "\(passwords) cannot be read: \(systemMessage()); --passwords names a file")
    }
    return text.split(whereSeparator: \.isNewline).reduce(into: [:]) { found, line in
      let parts = line.split(separator: " ", maxSplits: 1)
      if parts.count == 2 { found[String(parts[0])] = String(parts[1]) }
    }
  }

  /// Asks on the terminal, which does not show what is typed.
  static func ask(for user: String) throws(Complaint) -> String {
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      throw Complaint(
        usage:
          "the password of \(user) is missing, and there is no terminal to ask: put it into TANDEM_PASSWORD or --passwords"
      )
    }
    write("Password of \(user): ", to: STDERR_FILENO)
    var shown = termios()
    tcgetattr(STDIN_FILENO, &shown)
    var hidden = shown
    hidden.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
      tell("")
    }
    guard let password = readLine(), !password.isEmpty else { throw Complaint("no password was given for \(user)") }
    return password
  }
}
