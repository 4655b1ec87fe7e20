import Environment
import Logging
import LoopExecutor
import Telemetry

/// Records a service's spans and exports them.
struct SpanExport {
  let recorder: SpanRecorder
  let exporter: SpanExporter

  /// `nil` when the settings name no collector.
  init?(
    _ settings: Settings, service: ServiceDescription, environment: Environment, loops: LoopGroup, logger: Logger
  ) throws(StartupError) {
    guard let address = settings[RuntimeSettings.collector] else { return nil }
    let queue = SpanQueue()
    recorder = SpanRecorder(queue, ratio: settings[RuntimeSettings.traceRatio], randomness: environment.randomness)
    let headers = settings[RuntimeSettings.collectorHeaders] ?? []
    let destination = SpanExporter.Destination(
      address: address, headers: headers.map { header in (header.name, header.value) },
      resource: [
        ("service.name", service.name), ("service.namespace", "tandem"), ("service.version", Release.version),
      ])
    do {
      exporter = try SpanExporter(queue, to: destination, group: loops.eventLoops, logger: logger)
    } catch {
      throw StartupError(failure: "the collector (otel-exporter-otlp-endpoint) \(address) cannot be used: \(error)")
    }
  }
}
