import Events
import Jobs
import Live
import Postgres
import TTRPC
import Telemetry

extension PrometheusRegistry {
  /// Adds the descriptions of all metrics of `service`.
  func describeEverything(of service: ServiceDescription) {
    let own = [
      "tls_certificate_not_after_seconds": "When the RPC port's certificate ends, in seconds since 1970.",
      "event_loop_longest_turn_seconds": "The longest piece of work of an event loop in the last minute.",
    ]
    for descriptions in [
      RPCMetrics.descriptions, PostgresMetrics.descriptions, EventMetrics.descriptions, LiveMetrics.descriptions,
      JobMetrics.descriptions,
      SpanMetrics.descriptions, own,
      service.metrics,
    ] {
      for (label, help) in descriptions { describe(label, help) }
    }
  }
}
