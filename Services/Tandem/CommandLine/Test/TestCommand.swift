import ArgumentParser

/// `tandem test`.
struct TestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Give tests a suite of their own: users, a clock, mail, and a way back to the beginning.",
    usage: """
      tandem test run -- pytest tests
      eval "$(tandem test start --users ada,hedy)"
      tandem test token ada
      tandem test clock +20m
      tandem test mail --wait ada@example.org
      eval "$(tandem test reset)"
      tandem test stop
      """,
    discussion: """
      A suite for tests has ports that the system chooses, a PostgreSQL of its own, and a folder in TMPDIR, else in memory \
      where 4 GiB are free, else in /tmp. None of it outlives the suite, however that ends; where all its processes are \
      killed, the next start removes it. TANDEM_HOME names the suite, so that `tandem rpc call`, `tandem status` and all \
      others find it. What is not such a suite is refused.

      The first start of new programs prepares a database and keeps it, for the next starts to copy, in \
      $XDG_CACHE_HOME/tandem, else in ~/.cache/tandem, of root in /var/cache/tandem. With --database-url, or \
      TANDEM_TEST_DATABASE_URL, a superuser's URL, the suite has a database and roles on that server instead, and drops \
      them at its end.

      Exit status: 0 done, 1 not done, 2 wrong usage; `run` ends with the status of its command.
      """,
    subcommands: [
      TestStartCommand.self, TestRunCommand.self, TestStopCommand.self, TestUsersCommand.self, TestTokenCommand.self,
      TestClockCommand.self, TestMailCommand.self, TestResetCommand.self, TestServeCommand.self, TestRemoveCommand.self,
    ])
}
