import BenchV1
import GatewayTranscoder
import SwiftProtobuf
import WorkerPool

/// The person of 189 bytes as JSON and as protobuf, turned into one another: what a proxy does with each message. SwiftProtobuf does it by way of its value.
final class JSONPair {
  private let contract: Contract
  private let person: Contract.MessageReference
  private let bytes: [UInt8]
  private let text: [UInt8]

  init(_ pair: Pair) throws {
    contract = try Contract(descriptorSets: [FileDescriptors.serialized], types: ["bench.v1.Person"])
    guard let person = contract.message(named: "bench.v1.Person") else { throw Difference() }
    self.person = person
    bytes = pair.bytes
    text = try bytes.withUnsafeBufferPointer { [contract] in try contract.json(fromProtobuf: $0, person, in: .assumed())
    }
    guard try Bench_V1_Person(jsonUTF8Bytes: text) == pair.peers.people[0], try readOurs() == bytes else {
      throw Difference()
    }
  }

  func readOurs() throws -> [UInt8] {
    try text.withUnsafeBufferPointer { try contract.protobuf(fromJSON: $0, person, in: .assumed()) }
  }

  func readPeers() throws -> [UInt8] { try Bench_V1_Person(jsonUTF8Bytes: text).serializedBytes() }

  func writeOurs() throws -> [UInt8] {
    try bytes.withUnsafeBufferPointer { try contract.json(fromProtobuf: $0, person, in: .assumed()) }
  }

  func writePeers() throws -> [UInt8] { try Bench_V1_Person(serializedBytes: bytes).jsonUTF8Bytes() }
}
