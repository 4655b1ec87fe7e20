import ArgumentParser
import BenchV1
import Foundation
import Measure
import ProtobufC
import SwiftProtobuf

/// Encodes and decodes the same people with ours and with SwiftProtobuf, in turn, as protobuf and, by the gateway's transcoder, as JSON; prints messages a
/// second as JSON:
/// `{"list.decode": {"ours": [a round each], "peer": […]}, …}`.
@main
struct Codec: ParsableCommand {
  @Option var rounds = 5
  @Option(help: "Seconds for each figure.") var seconds = 0.5

  func run() throws {
    let list = try Pair(count: 100)
    let single = try Pair(count: 1)
    let text = try JSONPair(single)
    var figures: [String: Figures] = [:]
    for _ in 0..<rounds {
      figures["list.decode", default: Figures()].add(
        ours: try rate(100) { consume(try list.decodeOurs(PersonList.self)) },
        peer: try rate(100) { consume(try list.decodePeers(Bench_V1_PersonList.self)) })
      figures["list.encode", default: Figures()].add(
        ours: rate(100) { consume(list.encode(list.ours)) },
        peer: try rate(100) { consume(try list.encode(list.peers)) })
      figures["single.decode", default: Figures()].add(
        ours: try rate(1) { consume(try single.decodeOurs(Person.self)) },
        peer: try rate(1) { consume(try single.decodePeers(Bench_V1_Person.self)) })
      figures["single.encode", default: Figures()].add(
        ours: rate(1) { consume(single.encode(single.ours.people[0])) },
        peer: try rate(1) { consume(try single.encode(single.peers.people[0])) })
      figures["json.read", default: Figures()].add(
        ours: try rate(1) { consume(try text.readOurs()) }, peer: try rate(1) { consume(try text.readPeers()) })
      figures["json.write", default: Figures()].add(
        ours: try rate(1) { consume(try text.writeOurs()) }, peer: try rate(1) { consume(try text.writePeers()) })
    }
    print(String(decoding: try JSONEncoder().encode(figures), as: UTF8.self))
  }

  /// Messages a second when each `work` does `messages` of them.
  private func rate(_ messages: Int, _ work: () throws -> Void) rethrows -> Double {
    let begun = monotonicNanoseconds()
    let end = begun + UInt64(seconds * 1e9)
    var done = 0
    var now = begun
    while now < end {
      // The clock is asked seldom, so that it does not count.
      for _ in 0..<max(1, 1_000 / messages) {
        try work()
        done += messages
      }
      now = monotonicNanoseconds()
    }
    return Double(done) / (Double(now - begun) / 1e9)
  }
}

/// Rates of both sides, a round each.
private struct Figures: Encodable {
  var ours: [Double] = []
  var peer: [Double] = []

  mutating func add(ours: Double, peer: Double) {
    self.ours.append(ours)
    self.peer.append(peer)
  }
}

/// Prevents the compiler from removing work whose result is not read.
@inline(never)
private func consume<Value>(_ value: Value) {}
