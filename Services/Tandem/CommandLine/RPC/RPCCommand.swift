import ArgumentParser
import Glibc
import Reflection
import TTRPC

/// `tandem rpc`.
struct RPCCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rpc", abstract: "Find out what servers offer and call it; needs no proto files.",
    usage: """
      tandem rpc list
      tandem rpc list tandem.identity.v1.Accounts
      tandem rpc describe tandem.identity.v1.Accounts/Register
      tandem rpc call tandem.identity.v1.Accounts/Login -d '{"emailOrUsername": "ada", "password": "…"}'
      tandem rpc call tandem.identity.v1.Profiles/GetProfile -d '{"username": "ada"}' --token "$TOKEN"
      """,
    discussion: ExitStatuses.text, subcommands: [ListCommand.self, DescribeCommand.self, CallCommand.self])
}

enum ExitStatuses {
  static let text = """
    Exit status: 0 done, 1 no connection, 2 wrong usage (also a request that does not fit), else 64 + the code of the \
    status that the server answered with: 67 INVALID_ARGUMENT, 68 DEADLINE_EXCEEDED, 69 NOT_FOUND, 70 ALREADY_EXISTS, \
    71 PERMISSION_DENIED, 72 RESOURCE_EXHAUSTED, 73 FAILED_PRECONDITION, 74 ABORTED, 76 UNIMPLEMENTED, 77 INTERNAL, \
    78 UNAVAILABLE, 80 UNAUTHENTICATED; 130 when Ctrl-C left a stream.
    """
}
