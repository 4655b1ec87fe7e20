import ArgumentParser
import Glibc
import Reflection
import TTRPC

/// `tandem keys`.
struct KeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "Look at the keys that access tokens are signed with, and rotate them.",
    usage: """
      tandem keys list
      tandem keys rotate
      """,
    discussion: """
      Keys rotate by themselves every 30 days. A new one signs 15 minutes after it was made, so that every service knows it \
      by then; tokens of the old one work until they expire, and nobody is logged out. Rotating needs the operator's \
      certificate: the running suite's, or that of --cert and --key.
      """,
    subcommands: [ListKeys.self, RotateKeys.self])
}

/// `tandem keys list`.
struct ListKeys: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the keys that services accept, the newest first.")

  @OptionGroup var options: OperatorOptions

  func run() async throws {
    try await options.with { desk in
      let answer = try await desk.call("ListKeys", [:], of: "tandem.identity.v1.Accounts")
      for key in answer["keys"]?.array ?? [] { Self.show(key, desk.output) }
    }
  }

  private static func show(_ key: JSONValue, _ output: OutputForm) {
    guard output == .text else { return write(key.text(.oneLine) + "\n", to: STDOUT_FILENO) }
    let words = [
      key["keyId"]?.string, key["createTime"]?.string.map { "signs from \($0)" },
      key["expireTime"]?.string.map { "accepted until \($0)" },
    ]
    write(words.compactMap { $0 }.joined(separator: "  ") + "\n", to: STDOUT_FILENO)
  }
}

/// `tandem keys rotate`.
struct RotateKeys: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate", abstract: "Make a key that takes over in 15 minutes.")

  @OptionGroup var options: OperatorOptions

  func run() async throws {
    try await options.with { desk in desk.show(try await desk.call("RotateSigningKey", [:])) }
  }
}
