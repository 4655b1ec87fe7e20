import Glibc
import Testing

@testable import tandem

@Suite("processes of the command line")
struct ProcessesTests {
  private func shell(_ script: String, _ environment: [String: String?] = [:]) async throws -> CommandOutput {
    try await CommandOutput(
      running: ChildPlan(name: "sh", program: "/bin/sh", arguments: ["-c", script], environment: environment))
  }

  @Test("what a program writes to both of its outputs is kept in order, with how it ended")
  func output() async throws {
    let done = try await shell("echo a; echo b >&2; echo c; exit 3")
    #expect(done.text == "a\nb\nc\n" && done.end == .exited(3))
    let killed = try await shell("echo a; kill -9 $$")
    #expect(killed.text == "a\n" && killed.end == .killed(by: SIGKILL))
  }

  @Test("a program leads a process group, and has no input and no descriptors of ours")
  func surroundings() async throws {
    let descriptor = open("/dev/null", O_RDONLY)
    defer { close(descriptor) }
    let script = #"cut -d ' ' -f 5 /proc/$$/stat; readlink /proc/$$/fd/0; ls /proc/$$/fd | tr '\n' ' '"#
    let lines = try await shell("echo $$; \(script)").text.split(separator: "\n")
    #expect(lines.count == 4 && lines[0] == lines[1] && lines[2] == "/dev/null" && lines[3] == "0 1 2 ")
  }

  @Test("variables are set, replaced and removed for a program")
  func variables() async throws {
    let changes = ["TANDEM_TEST": "a=b c", "HOME": "/here", "PATH": nil]
    let found = try await shell("echo $TANDEM_TEST $HOME; /usr/bin/env | /bin/grep -c ^PATH=", changes)
    #expect(found.text == "a=b c /here\n0\n", "\(found.text)")
  }

  @Test("the end of a program does not wait for those that it leaves behind")
  func leftBehind() async throws {
    let left = try await shell("sleep 60 & echo $!")
    #expect(left.end == .exited(0))
    kill(try #require(pid_t(left.text.prefix { $0 != "\n" })), SIGKILL)
  }

  @Test("a program that is not there ends as in a shell")
  func missing() async throws {
    let missing = try await CommandOutput(running: ChildPlan(name: "no", program: "/no/such"))
    #expect(missing.end == .exited(127) && missing.text.contains("/no/such"))
  }
}
