import ProviderAdapters

/// A part of the program that parses untrusted bytes, to be run with arbitrary input.
///
/// Each checks invariants that hold for any input, and ends the process if one does not.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// The frame decoder: however the bytes are cut, the same frames come out.
  case frames
  /// The Request envelope, read in place: it says what the generated decoder says.
  case envelope
  /// A server's whole connection, from bytes to bytes: what it sends is well-formed, and every call ends once.
  case connection
  /// The generated decoders: what they accept survives being encoded and decoded again.
  case messages
  /// The gateway's JSON: what it writes it reads as the same.
  case transcoder
  /// The gateway's protocols: however a request is cut, it has the same messages or the same refusal.
  case web
  /// Requests to tracking: positions, journeys, places and views of groups, as its handlers read them.
  case tracking
  /// Requests to the chat, the messages of its streams among them.
  case chat
  /// Parsers of authenticator data: a value does not depend on what follows it.
  case passkeys
  /// The decoding of events by consumers: any event is decoded or refused.
  case events
  /// The decoder of FIT files: a cut file has the same messages up to the cut.
  case fit
  /// Files of trackers of every format: what is read of any bytes is passed on whole.
  case files
  /// The Google Health API's answers, header fields and calls of its webhook: any are read or refused.
  case googleHealth = "google-health"
  /// Strava's.
  case strava
  /// Withings'.
  case withings
  /// Polar's.
  case polar
  /// Documents of archives in JSON.
  case archives

  /// Runs the part on the bytes.
  public func run(_ bytes: UnsafeRawBufferPointer) {
    switch self {
    case .frames: FrameFuzzing.run(bytes)
    case .envelope: EnvelopeFuzzing.run(bytes)
    case .connection: ConnectionFuzzing.run(bytes)
    case .messages: MessageFuzzing.run(bytes)
    case .transcoder: TranscoderFuzzing.run(bytes)
    case .web: WebFuzzing.run(bytes)
    case .tracking: TrackingFuzzing.run(bytes)
    case .chat: ChatFuzzing.run(bytes)
    case .passkeys: PasskeyFuzzing.run(bytes)
    case .events: EventFuzzing.run(bytes)
    case .fit: FITFuzzing.run(bytes)
    case .files: ActivityFileFuzzing.run(bytes)
    case .googleHealth: ProviderFuzzing.run(GoogleHealth(), bytes)
    case .strava: ProviderFuzzing.run(Strava(), bytes)
    case .withings: ProviderFuzzing.run(Withings(), bytes)
    case .polar: ProviderFuzzing.run(Polar(), bytes)
    case .archives: ArchiveFuzzing.run(bytes)
    }
  }
}
