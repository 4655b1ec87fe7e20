import Postgres
import TTRPC
import Telemetry

extension PrometheusRegistry {
  /// Says what the metrics of every service mean.
  func describeEverything() {
    let own = [
      "tls_certificate_not_after_seconds": "When the RPC port's certificate ends, in seconds since 1970."
    ]
    for descriptions in [RPCMetrics.descriptions, PostgresMetrics.descriptions, SpanMetrics.descriptions, own] {
      for (label, help) in descriptions { describe(label, help) }
    }
  }
}
