import Glibc
import TestSupport
import Testing

@testable import tandem

/// `tandem rpc call` against the echo server, which has a method of every kind.
@Suite("streams on the command line", .ownThreads, .serialized, .timeLimit(.minutes(5)))
struct StreamCallTests {
  private let server: EchoProcess
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    server = try EchoProcess()
  }

  private var address: String { server.address }

  private var home: String { "\(scratch.path)/.tandem" }

  private func arguments(_ method: String, _ more: [String]) -> [String] {
    ["rpc", "call", "echo.v1.Echo/\(method)", "--address", address, "--plaintext", "--home", home] + more
  }

  private func call(_ method: String, _ more: String..., input: String? = nil) throws -> (
    output: String, errors: String, status: Int32
  ) {
    try Command.tandem(arguments(method, more), input: input).finish()
  }

  private func talk(_ method: String, _ more: String...) throws -> Command {
    try Command("\(Command.folder)/tandem", arguments(method, more), isTalkedTo: true)
  }

  @Test("each -d is a message, and each answer a line")
  func messages() throws {
    let chat = try call("Chat", "-d", #"{"value": "one"}"#, "-d", "{}", "-d", #"{"value": "three"}"#)
    #expect(chat.output == "{\"value\":\"one\"}\n{}\n{\"value\":\"three\"}\n" && chat.status == 0, "\(chat)")
    let collected = try call("Collect", "-d", #"{"value": "a"}"#, "-d", "@", input: "{\"value\":\"b\"}\n\n{}\n")
    #expect(collected.output == "{\"value\":\"a,b,\"}\n" && collected.status == 0, "\(collected)")
    let expanded = try call("Expand", "-d", #"{"value": "v:2"}"#)
    #expect(expanded.output == "{\"value\":\"v:2/0\"}\n{\"value\":\"v:2/1\"}\n" && expanded.status == 0, "\(expanded)")
    try scratch.write("{\"value\":\"x\"}\n{\"value\":\"y\"}\n", to: "lines")
    #expect(try call("Collect", "-d", "@\(scratch.path)/lines").output == "{\"value\":\"x,y\"}\n")
  }

  @Test("a stream that comes faster than it is written out is read to its end")
  func fastStream() throws {
    let value = String(repeating: "x", count: 10_000)
    let expanded = try call("Expand", "-d", "{\"value\": \"\(value):2000\"}")
    #expect(expanded.status == 0, "\(expanded.errors)")
    #expect(expanded.output.utf8.count { $0 == 0x0A } == 2_000)
  }

  @Test("lines of standard input are sent as they come, and their end ends the stream")
  func conversation() throws {
    let chat = try talk("Chat")
    for text in ["one", "zwei ✓"] {
      chat.say(#"{"value": "\#(text)"}"#)
      #expect(chat.outputLine() == #"{"value":"\#(text)"}"#)
    }
    chat.endInput()
    #expect(chat.finish().status == 0)
  }

  @Test("Ctrl-C half-closes what is being sent, and leaves what is only read")
  func interrupts() throws {
    let chat = try talk("Chat")
    chat.say(#"{"value": "one"}"#)
    #expect(chat.outputLine() == #"{"value":"one"}"#)
    chat.signal(SIGINT)
    #expect(chat.finish().status == 0)
    let expand = try talk("Expand", "-d", #"{"value": "v:16000000"}"#)
    #expect(expand.outputLine() == #"{"value":"v:16000000/0"}"#)
    expand.signal(SIGINT)
    #expect(expand.waitForEnd() == 130)
  }

  @Test("a stream ends when nobody reads its answers any more")
  func unread() throws {
    let shell = try Command(
      "/bin/sh",
      ["-c", "\(Command.folder)/tandem \"$@\" | head -n 1", "sh"]
        + arguments("Expand", ["-d", #"{"value": "v:16000000"}"#]))
    #expect(shell.finish().output == "{\"value\":\"v:16000000/0\"}\n")
  }

  @Test("a failure comes after the answers before it, and has its own status")
  func failure() throws {
    let failed = try call("ExpandFail", "-d", #"{"value": "why"}"#)
    #expect(failed.output == "{\"value\":\"one\"}\n" && failed.status == 73, "\(failed)")
    #expect(failed.errors.hasPrefix("FAILED_PRECONDITION (9): fail: why\n"))
    let malformed = try call("Chat", input: "{\"value\": \"fine\"}\n{\n")
    #expect(malformed.status == 2 && malformed.errors.contains("line 2 of standard input is not JSON"), "\(malformed)")
    #expect(try call("Chat", input: "{\"colour\": 1}\n").status == 2)
    let twice = try call("Unary", "-d", "{}", "-d", "{}")
    #expect(twice.status == 2 && twice.errors.contains("takes one request"))
  }

  @Test("-v tells what is sent along and how long it took, and no secret")
  func verbose() throws {
    let told = try call(
      "Expand", "-v", "--token", "abcdefghijklmnopqrstuvwxyz", "-H", "x-request-id: 7", "-d", #"{"value": "v"}"#)
    #expect(told.status == 0 && told.output.count { $0 == "\n" } == 3)
    for part in [
      "> echo.v1.Echo/Expand (serverStreaming) at \(address), plaintext\n", "> authorization: Bearer abcdef…\n",
      "> x-request-id: 7\n", "< OK\n", "< sent 1 (3 bytes), received 3 (15 bytes)\n", "* connection and description ",
      "* first answer ", "* total ",
    ] { #expect(told.errors.contains(part), "missing: \(part) in \(told.errors)") }
    #expect(!told.errors.contains("abcdefghijkl"))
    #expect(try call("Fail", "-v").errors.contains("< FAILED_PRECONDITION\n"))
  }

  @Test("services, methods and fields are completed from what was called or listed before")
  func completion() throws {
    try Files.makeFolder(home)
    #expect(try complete("call", "positional@0", "echo").output == "\n")
    #expect(
      try Command.tandem(["rpc", "list", "--address", address, "--plaintext", "--home", home]).finish().status == 0)
    #expect(
      try complete("call", "positional@0", "echo.v1.Echo/E").output == "echo.v1.Echo/Expand\necho.v1.Echo/ExpandFail\n")
    #expect(try complete("list", "positional@0", "e").output == "echo.v1.Echo\n")
    #expect(try complete("describe", "positional@0", "echo.v1.Echo/Ch").output == "echo.v1.Echo/Chat\n")
  }

  private func complete(_ command: String, _ argument: String, _ typed: String...) throws -> (
    output: String, errors: String, status: Int32
  ) {
    let words = ["tandem", "rpc", command, "--home", home, typed[0]]
    return try Command.tandem(
      ["---completion", "rpc", command, "--", argument, "5", "\(typed[0].count)"] + words
    ).finish()
  }

  @Test("a field is completed where JSON has a name due")
  func fields() {
    let fields = ["value", "valid", "other"]
    #expect(Completions.fields(fields, continuing: "") == ["{\"value\": ", "{\"valid\": ", "{\"other\": "])
    #expect(Completions.fields(fields, continuing: "{\"va") == ["{\"value\": ", "{\"valid\": "])
    #expect(
      Completions.fields(fields, continuing: "'{\"value\": 1, ") == [
        "{\"value\": 1,\"valid\": ", "{\"value\": 1,\"other\": ",
      ])
    #expect(Completions.fields(fields, continuing: "{\"value\": ").isEmpty)
  }
}

/// A running echo server, ended with the test that started it.
private final class EchoProcess: Sendable {
  let address: String
  private let command: Command

  init() throws {
    command = try Command("\(Command.folder)/echo-server", ["--port", "0"])
    address = String(try #require(command.outputLine()).dropFirst("listening on ".count))
  }

  deinit {
    command.signal(SIGTERM)
    _ = command.waitForEnd()
  }
}
