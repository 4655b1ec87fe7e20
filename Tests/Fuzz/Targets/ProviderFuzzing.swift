import Identifiers
import ImporterDomain
import ProviderAdapters

/// An answer of a provider. The first byte chooses what it answers; then follow header fields, up to an empty line, and the body.
enum ProviderFuzzing {
  private static let window = SyncWindow(
    since: Instant(microseconds: 1_750_000_000_000_000), until: Instant(microseconds: 1_760_000_000_000_000))

  static func run(_ adapter: some ProviderAdapter, _ bytes: UnsafeRawBufferPointer) {
    guard let choice = bytes.first else { return }
    let answer = answer(bytes.dropFirst())
    _ = adapter.verdict(on: answer)
    _ = adapter.allowance(in: answer.headers, at: window.until)
    _ = adapter.subject(in: answer.body)
    webhook(adapter, answer)
    let stream = adapter.streams[Int(choice) % adapter.streams.count]
    let page: DataPage
    do throws(PageFault) { page = try adapter.page(of: stream, window, at: nil, answer) } catch { return }
    check(page)
    for detail in page.details {
      precondition(page.records.activities.indices.contains(detail.activity), "a request is about no activity")
      precondition(detail.request.path.hasPrefix("/"), "a request leaves the provider's endpoints")
    }
    if let next = page.next {
      precondition((1...1_000).contains(next.text.utf8.count), "a place cannot be stored")
      _ = adapter.request(for: stream, window, at: next)
      do throws(PageFault) { _ = try adapter.page(of: stream, window, at: next, answer) } catch {}
    }
    guard var activity = page.records.activities.first else { return }
    adapter.add(answer, to: &activity)
    _ = activity.cleaned
  }

  /// What is stored of any page can be stored.
  static func check(_ page: DataPage) {
    let clean = page.records.cleaned
    precondition(clean.activities.allSatisfy { $0.durationSeconds >= 0 && Plausible.times.contains($0.startedAt) })
    precondition(clean.sleeps.allSatisfy { $0.startedAt <= $0.endedAt && $0.asleepSeconds >= 0 })
    precondition(clean.weights.allSatisfy { $0.kilograms > 0 } && clean.steps.allSatisfy { $0.steps >= 0 })
  }

  private static func answer(_ bytes: Slice<UnsafeRawBufferPointer>) -> DataAnswer {
    let bytes = Array(bytes)
    var (headers, start): ([String: String], Int) = ([:], 0)
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")), headers.count < 20 {
      let line = String(decoding: bytes[start..<end], as: UTF8.self)
      guard let colon = line.firstIndex(of: ":"), line.first != "{", line.first != "[" else { break }
      headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
      start = end + 1
    }
    return DataAnswer(status: 200, body: Array(bytes[start...]), headers: headers)
  }

  /// The same as a call of the webhook, by who knows the secret and by who does not.
  private static func webhook(_ adapter: some ProviderAdapter, _ answer: DataAnswer) {
    guard let webhook = adapter.webhook else { return }
    for method in ["GET", "POST"] {
      for secret in ["secret", ""] {
        let call = WebhookCall(
          method: method, query: ["token": secret, "hub.verify_token": secret], headers: answer.headers,
          body: answer.body)
        do throws(WebhookRefusal) { _ = try webhook.read(call, secret: "secret") } catch {}
      }
    }
  }
}

/// A document of an archive.
enum ArchiveFuzzing {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    do throws(PageFault) { ProviderFuzzing.check(try FitbitArchive(offsetSeconds: 3_600).page(Array(bytes))) } catch {}
  }
}
