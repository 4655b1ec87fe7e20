import Ambient
import Logging
import LoopExecutor
import Telemetry

/// What records a service's spans and sends them away.
struct SpanExport {
  let recorder: SpanRecorder
  let exporter: SpanExporter

  /// `nil` when the settings name no collector.
  init?(
    _ settings: Settings, service: ServiceDescription, ambient: Ambient, loops: LoopGroup, logger: Logger
  ) throws(StartRefusal) {
    guard let address = settings[RuntimeSettings.collector] else { return nil }
    let queue = SpanQueue()
    recorder = SpanRecorder(queue, ratio: settings[RuntimeSettings.traceRatio], randomness: ambient.randomness)
    let headers = settings[RuntimeSettings.collectorHeaders] ?? []
    let destination = SpanExporter.Destination(
      address: address, headers: headers.map { header in (header.name, header.value) },
      resource: [
        ("service.name", service.name), ("service.namespace", "tandem"), ("service.version", Release.version),
      ])
    do {
      exporter = try SpanExporter(queue, to: destination, group: loops.eventLoops, logger: logger)
    } catch {
      throw StartRefusal(failure: "the collector (otel-exporter-otlp-endpoint) \(address) cannot be used: \(error)")
    }
  }
}
