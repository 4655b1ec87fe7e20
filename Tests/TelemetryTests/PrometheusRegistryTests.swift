import Foundation
import Metrics
import Testing

@testable import Telemetry

@Suite("The Prometheus registry")
struct PrometheusRegistryTests {
  let registry = PrometheusRegistry()

  /// The exposition without the process's own metrics.
  func lines() -> [String] {
    registry.exposition().split(separator: "\n").map(String.init).filter { !$0.contains("process_") }
  }

  @Test("a counter has its suffix, help, type and escaped labels")
  func counter() {
    registry.describe("rpc.calls", "Calls\nserved \\ all.")
    Counter(label: "rpc.calls", dimensions: [("method", "a\"b\\c\nd"), ("2code", "OK")], factory: registry).increment(
      by: 3)
    #expect(
      lines() == [
        "# HELP rpc_calls_total Calls\\nserved \\\\ all.", "# TYPE rpc_calls_total counter",
        #"rpc_calls_total{_2code="OK",method="a\"b\\c\nd"} 3"#,
      ])
  }

  @Test("two makers of one name and labels share a series, whatever the order of the labels")
  func shared() {
    let one = FloatingPointCounter(label: "c", dimensions: [("a", "1"), ("b", "2")], factory: registry)
    let two = FloatingPointCounter(label: "c", dimensions: [("b", "2"), ("a", "1")], factory: registry)
    one.increment(by: 0.5)
    two.increment(by: 0.25)
    #expect(lines().last == #"c_total{a="1",b="2"} 0.75"#)
    one.destroy()
    #expect(lines().last == #"c_total{a="1",b="2"} 0.75"#)
    two.destroy()
    #expect(lines().isEmpty)
  }

  @Test("a timer counts seconds in cumulative buckets with inclusive bounds")
  func timer() {
    registry.describe("wait", "Waiting.", buckets: Buckets([0.001, 0.01, 0.01]))
    let timer = Timer(label: "wait", dimensions: [("q", "x")], factory: registry)
    for nanoseconds in [-5, 1_000_000, 1_000_001, 2_000_000_000] as [Int64] { timer.recordNanoseconds(nanoseconds) }
    #expect(
      lines() == [
        "# HELP wait_seconds Waiting.", "# TYPE wait_seconds histogram", #"wait_seconds_bucket{q="x",le="0.001"} 2"#,
        #"wait_seconds_bucket{q="x",le="0.01"} 3"#, #"wait_seconds_bucket{q="x",le="+Inf"} 4"#,
        #"wait_seconds_sum{q="x"} 2.002000001"#, #"wait_seconds_count{q="x"} 4"#,
      ])
  }

  @Test("gauges, meters and recorders keep their kinds")
  func gauges() {
    Gauge(label: "depth", factory: registry).record(2.5)
    let meter = Meter(label: "open", factory: registry)
    meter.increment(by: 3.0)
    meter.decrement()
    Recorder(label: "size_bytes", factory: registry).record(100)
    let text = lines()
    #expect(text.contains("depth 2.5") && text.contains("open 2") && text.contains(#"size_bytes_bucket{le="64"} 0"#))
    #expect(text.contains(#"size_bytes_bucket{le="256"} 1"#) && text.contains("# TYPE depth gauge"))
  }

  @Test("a name of another kind is not shown twice and does not fail")
  func conflict() {
    Gauge(label: "x_total", factory: registry).record(1)
    Counter(label: "x", factory: registry).increment()
    #expect(lines().filter { !$0.hasPrefix("#") } == ["x_total 1"])
  }

  @Test("label sets beyond the limit are counted together")
  func cardinality() {
    let small = PrometheusRegistry(seriesLimit: 2)
    for number in 0..<10 { Counter(label: "n", dimensions: [("id", "\(number)")], factory: small).increment() }
    let samples = small.exposition().split(separator: "\n").filter { $0.hasPrefix("n_total") }
    #expect(samples == [#"n_total{id="0"} 1"#, #"n_total{id="1"} 1"#, #"n_total{id="_other"} 8"#])
  }

  @Test("counts from many tasks are all there")
  func concurrent() async {
    let counter = Counter(label: "many", factory: registry)
    let timer = Timer(label: "many", factory: registry)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<1000 { counter.increment(); timer.recordMilliseconds(1) } }
      }
    }
    #expect(lines().contains("many_total 8000") && lines().contains("many_seconds_count 8000"))
  }

  @Test("the process shows its memory, time and descriptors")
  func process() {
    let metrics = ProcessMetrics.read()
    #expect(metrics.residentBytes > 1e6 && metrics.openDescriptors >= 3 && metrics.threads >= 1)
    #expect(abs(metrics.startTime - Double(time(nil))) < 3600)
  }

  @Test(
    "promtool finds nothing to complain about",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/promtool")))
  func promtool() throws {
    Counter(label: "rpc_calls", dimensions: [("code", "OK")], factory: registry).increment()
    Timer(label: "rpc_duration", factory: registry).recordSeconds(0.01)
    Gauge(label: "loops", factory: registry).record(Double.infinity)
    let check = Process()
    let (input, output) = (Foundation.Pipe(), Foundation.Pipe())
    check.executableURL = URL(fileURLWithPath: "/usr/bin/promtool")
    check.arguments = ["check", "metrics"]
    check.standardInput = input
    check.standardOutput = output
    check.standardError = output
    try check.run()
    input.fileHandleForWriting.write(Data(registry.exposition().utf8))
    input.fileHandleForWriting.closeFile()
    let complaints = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    check.waitUntilExit()
    #expect(complaints == "" && check.terminationStatus == 0)
  }
}
