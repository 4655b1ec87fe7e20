import ActivityFiles
import FileContents
import Identifiers
import ImporterDomain
import ProviderAdapters
import ProviderDocuments
import WorkerPool

/// An answer of a provider. The first byte chooses what it answers; then follow header fields, up to an empty line, and the body.
enum ProviderFuzzing {
  private static let window = SyncWindow(
    since: Instant(microseconds: 1_750_000_000_000_000), until: Instant(microseconds: 1_760_000_000_000_000))

  static func run(_ adapter: some ProviderAdapter, _ bytes: UnsafeRawBufferPointer) {
    guard let choice = bytes.first else { return }
    let answer = answer(bytes.dropFirst())
    _ = adapter.verdict(of: answer) ?? adapter.verdict(ofBody: answer, on: .assumed())
    _ = adapter.allowance(in: answer.headers, at: window.until)
    _ = adapter.subject(in: answer.body)
    webhook(adapter, answer)
    let stream = adapter.streams[Int(choice) % adapter.streams.count]
    let page: DataPage
    do throws(PageFault) { page = try adapter.page(of: stream, window, at: nil, answer, on: .assumed()) } catch {
      return
    }
    check(page)
    for detail in page.details {
      precondition(page.records.activities.indices.contains(detail.activity), "a request is about no activity")
      precondition(detail.request.path.hasPrefix("/"), "a request leaves the provider's endpoints")
    }
    if let next = page.next {
      precondition((1...1_000).contains(next.text.utf8.count), "a place cannot be stored")
      _ = adapter.request(for: stream, window, at: next)
      do throws(PageFault) { _ = try adapter.page(of: stream, window, at: next, answer, on: .assumed()) } catch {}
    }
    guard var activity = page.records.activities.first else { return }
    adapter.add(answer, to: &activity, on: .assumed())
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

/// A JSON document of an archive: however it arrives, and wherever it is cut, the elements are the same.
enum ArchiveFuzzing {
  private struct Drip: ByteSource {
    var rest: ArraySlice<UInt8>
    let most: Int

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
      let part = rest.prefix(min(most, buffer.count))
      buffer.copyBytes(from: part)
      rest = rest.dropFirst(part.count)
      return part.count
    }
  }

  static func run(_ bytes: UnsafeRawBufferPointer) {
    let bytes = Array(bytes)
    let whole = elements(bytes[...], at: 1 << 16)
    precondition(whole == elements(bytes[...], at: 1), "a document that arrives slowly has other elements")
    // The last one of a cut document may itself be cut, where it is a number.
    let cut = elements(bytes.prefix(bytes.count / 2), at: 7)
    precondition(whole.starts(with: cut.dropLast()), "a cut document has other elements")
    for element in whole {
      guard let bytes = element.bytes else { continue }
      do throws(JSONValue.Refusal) {
        let value = try JSONValue(bytes)
        let again = try JSONValue(Array(value.json.utf8))
        precondition(again == value, "a value is written otherwise than it was read")
      } catch {}
    }
    for document in ["", "exercise-0.json", "sleep-0.json", "steps-0.json"] {
      let content = ActivityFile.document(MemorySource(bytes), named: document, zone: "UTC")
      precondition(
        ContentCodec.decode(ContentCodec.encode(content), on: .assumed()) == content, "the content is decoded otherwise"
      )
      var page = DataPage()
      for batch in [content.batch, content.local] {
        page.records = batch
        ProviderFuzzing.check(page)
      }
    }
  }

  private static func elements(_ bytes: ArraySlice<UInt8>, at most: Int) -> [JSONElements<Drip>.Element] {
    var (reader, found) = (
      JSONElements(Drip(rest: bytes, most: most), lists: ["activities", "sleep"], maxElement: 1_000),
      [JSONElements<Drip>.Element]()
    )
    do throws(ActivityFileFault) { while let element = try reader.next() { found.append(element) } } catch {}
    precondition(found.count <= bytes.count, "there are more elements than bytes")
    return found
  }
}
