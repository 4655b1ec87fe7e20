import Foundation
import Synchronization
import TandemIdentity
import TestSupport
import Testing

/// An authenticator with its browser: Yubico's `fido2` in a process that all tests share, without state between calls.
///
/// It blocks its thread: for tests with `.ownThreads`.
enum Authenticator {
  /// A value of the JSON that the process is asked with.
  typealias Members = [String: any Sendable]

  /// The state of the authenticator for a passkey.
  struct Device: Sendable {
    let key: String
    let credentialID: [UInt8]

    fileprivate var members: Members { ["key": key, "credential_id": credentialID.hex] }
  }

  static let relyingParty = "tandem.example"
  static let origin = "https://tandem.example"

  /// The result of `navigator.credentials.create`, with some values forged.
  static func create(
    _ start: StartPasskeyRegistrationResponse, algorithm: Int = -7, name: String = "", forging forged: Members = [:]
  ) throws -> (device: Device, call: RegisterPasskeyRequest) {
    let asked: Members = [
      "do": "create", "challenge": start.challenge.hex, "rp_id": start.relyingPartyID, "origin": origin,
      "algorithm": algorithm,
    ]
    let answer = try ask(asked.merging(forged) { $1 })
    let device = try #require(answer["device"] as? [String: String])
    let call = RegisterPasskeyRequest(
      name: name, clientDataJson: try bytes(answer, "client_data"),
      attestationObject: try bytes(answer, "attestation_object"))
    let key = try #require(device["key"])
    return (Device(key: key, credentialID: try #require([UInt8](hex: device["credential_id"] ?? ""))), call)
  }

  /// The result of `navigator.credentials.get`, with some values forged.
  static func get(
    _ start: StartPasskeyLoginResponse, by device: Device, of userID: String, count: Int = 1,
    forging forged: Members = [:]
  ) throws -> LoginWithPasskeyRequest {
    let asked: Members = [
      "do": "get", "challenge": start.challenge.hex, "rp_id": start.relyingPartyID, "origin": origin, "count": count,
      "device": device.members,
    ]
    let answer = try ask(asked.merging(forged) { $1 })
    return LoginWithPasskeyRequest(
      credentialID: device.credentialID, clientDataJson: try bytes(answer, "client_data"),
      authenticatorData: try bytes(answer, "authenticator_data"), signature: try bytes(answer, "signature"),
      userHandle: Array(userID.utf8))
  }

  private static let running = Mutex<Running?>(nil)

  /// The process's pipes. It ends with the tests' process, which closes its input.
  private struct Running {
    let input: FileHandle
    let output: FileHandle
  }

  private static func ask(_ members: Members) throws -> [String: Any] {
    let line = try JSONSerialization.data(withJSONObject: members) + Data([0x0A])
    let answer = try running.withLock { running in
      let process = try running ?? start()
      running = process
      try process.input.write(contentsOf: line)
      var answer = Data()
      while answer.last != 0x0A {
        let more = process.output.availableData
        try #require(!more.isEmpty, "the authenticator has ended; .ci/install installs what it needs")
        answer += more
      }
      return answer
    }
    return try #require(try JSONSerialization.jsonObject(with: answer) as? [String: Any])
  }

  private static func start() throws -> Running {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let (input, output, process) = (Pipe(), Pipe(), Process())
    process.executableURL = folder.appendingPathComponent("../../../.venv/bin/python").standardized
    process.arguments = [folder.appendingPathComponent("authenticator.py").path]
    process.standardInput = input
    process.standardOutput = output
    try Children.start { try process.run() }
    return Running(input: input.fileHandleForWriting, output: output.fileHandleForReading)
  }

  private static func bytes(_ answer: [String: Any], _ name: String) throws -> [UInt8] {
    try #require([UInt8](hex: answer[name] as? String ?? ""))
  }
}

extension [UInt8] {
  fileprivate var hex: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

  fileprivate init?(hex: String) {
    let digits = Array(hex.utf8)
    self = []
    for start in stride(from: 0, to: digits.count - 1, by: 2) {
      guard let byte = UInt8(String(decoding: digits[start..<(start + 2)], as: UTF8.self), radix: 16) else {
        return nil
      }
      append(byte)
    }
  }
}
