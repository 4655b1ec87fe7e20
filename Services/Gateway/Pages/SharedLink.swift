import GatewayProtocols
import HTTPTypes
import TTRPC
import TTRPCClient
import TandemCatalog
import TandemImporter
import TandemMatching
import TandemTracking

/// What a share link leads to, as its service shows it to anyone who has the link.
struct SharedThing: Sendable {
  /// A line of the page.
  struct Fact: Sendable {
    let label: String
    let value: String
    /// What the value says, for a map.
    var point: Point?
  }

  /// A place on the map of the page.
  struct Point: Sendable {
    enum Kind: String, Sendable { case destination, position }
    let kind: Kind
    let latitude: Double
    let longitude: Double

    var fact: Fact {
      let label = kind == .destination ? "Destination" : "Last position"
      return Fact(label: label, value: "\(Self.text(latitude)), \(Self.text(longitude))", point: self)
    }

    /// A metre apart is told apart.
    private static func text(_ degrees: Double) -> String { "\((degrees * 100_000).rounded() / 100_000)" }
  }

  let title: String
  let text: String
  var facts: [Fact] = []
  var picture: [UInt8] = []
  /// Empty without a picture.
  var pictureType = ""
  /// Whether it changes while the page is looked at.
  var isLive = false
}

/// A kind of share link, by its name in the path: `/share/book/…`.
enum SharedLink: String, CaseIterable, Sendable {
  case book, workout, activity, session, journey

  /// The service that answers.
  var service: String {
    switch self {
    case .book, .workout: "catalog"
    case .activity: "importer"
    case .session: "matching"
    case .journey: "tracking"
    }
  }

  func thing(_ token: String, _ client: RPCClient, _ options: CallOptions) async throws -> SharedThing {
    switch self {
    case .book: try await Self.book(token, client, options)
    case .workout: try await Self.workout(token, client, options)
    case .activity: try await Self.activity(token, client, options)
    case .session: try await Self.session(token, client, options)
    case .journey: try await Self.journey(token, client, options)
    }
  }

  private static func book(
    _ token: String, _ client: RPCClient, _ options: CallOptions
  ) async throws -> SharedThing {
    var request = GetSharedBookRequest()
    request.token = token
    let book = try await BooksClient(client).getSharedBook(request, options)
    var thing = SharedThing(title: book.preview?.title ?? book.title, text: book.preview?.text ?? "")
    thing.facts = [
      .init(label: "Authors", value: book.authors.joined(separator: ", ")), .init(label: "ISBN", value: book.isbn),
      .init(label: "Year", value: book.year == 0 ? "" : "\(book.year)"),
    ]
    (thing.picture, thing.pictureType) = (book.photo, book.photoMediaType)
    return thing
  }

  private static func workout(
    _ token: String, _ client: RPCClient, _ options: CallOptions
  ) async throws -> SharedThing {
    var request = GetSharedWorkoutRequest()
    request.token = token
    let workout = try await WorkoutsClient(client).getSharedWorkout(request, options)
    var thing = SharedThing(title: workout.preview?.title ?? workout.name, text: workout.preview?.text ?? "")
    thing.facts = [.init(label: "Description", value: workout.description)]
    thing.facts += workout.entries.map { entry in
      let dose = entry.reps > 0 ? "\(entry.sets) × \(entry.reps)" : "\(entry.sets) × \(entry.durationS) s"
      return .init(label: entry.exerciseName, value: dose)
    }
    return thing
  }

  private static func activity(
    _ token: String, _ client: RPCClient, _ options: CallOptions
  ) async throws -> SharedThing {
    var request = GetSharedActivityRequest()
    request.token = token
    let activity = try await ActivitiesClient(client).getSharedActivity(request, options)
    return SharedThing(title: activity.preview?.title ?? "Activity", text: activity.preview?.text ?? "")
  }

  private static func session(
    _ token: String, _ client: RPCClient, _ options: CallOptions
  ) async throws -> SharedThing {
    var request = GetSharedSessionRequest()
    request.token = token
    let session = try await SessionsClient(client).getSharedSession(request, options)
    var thing = SharedThing(title: session.preview?.title ?? "Training session", text: session.preview?.text ?? "")
    thing.facts = [
      .init(label: "Gym", value: session.gymName), .init(label: "Length", value: "\(session.lengthS / 60) min"),
    ]
    return thing
  }

  private static func journey(
    _ token: String, _ client: RPCClient, _ options: CallOptions
  ) async throws -> SharedThing {
    var request = GetSharedJourneyRequest()
    request.token = token
    let journey = try await JourneySharesClient(client).getSharedJourney(request, options)
    var thing = SharedThing(title: journey.preview?.title ?? "Journey", text: journey.preview?.text ?? "")
    thing.facts = [.init(label: "Traveller", value: journey.username)]
    if let place = journey.destination {
      let point = SharedThing.Point(kind: .destination, latitude: place.latitude, longitude: place.longitude)
      thing.facts.append(point.fact)
    }
    if let position = journey.position {
      let point = SharedThing.Point(kind: .position, latitude: position.latitude, longitude: position.longitude)
      thing.facts.append(point.fact)
    }
    thing.isLive = journey.endTime == nil
    return thing
  }
}

extension SharedLink {
  /// The page of a link, with what previews of the link show.
  ///
  /// - Parameter map: `nil` where there is no console, whose maps pages have.
  func page(_ token: String, _ calls: SuiteCalls, map: Console.Map?) -> Page {
    Page([.get]) { request in
      do {
        let thing = try await self.thing(
          token, try calls.client(of: self.service, for: request), calls.options(for: request))
        let origin = "\(request.head.scheme ?? "https")://\(request.head.authority ?? "")"
        let map = thing.facts.contains { $0.point != nil } ? map : nil
        let html = Self.html(
          of: thing, origin: origin, path: "/share/\(self.rawValue)/\(token)", map: map, card: Card(of: self))
        return PageAnswer.html(200, html, map?.fields ?? [])
      } catch {
        return PageAnswer.failure(SuiteCalls.status(of: error))
      }
    }
  }

  /// The picture of a link, for its page and for previews.
  func picture(_ token: String, _ calls: SuiteCalls) -> Page {
    Page([.get]) { request in
      do {
        let thing = try await self.thing(
          token, try calls.client(of: self.service, for: request), calls.options(for: request))
        guard Self.pictureTypes.contains(thing.pictureType), !thing.picture.isEmpty else {
          return PageAnswer.failure(Status(.notFound, "The link has no picture"))
        }
        return TaggedAnswer.answer(
          thing.pictureType, thing.picture, tag: EntityTag.tag(of: thing.picture), to: request.head)
      } catch {
        return PageAnswer.failure(SuiteCalls.status(of: error))
      }
    }
  }

  private static let pictureTypes: Set<String> = ["image/jpeg", "image/png", "image/webp"]

  /// - Parameters:
  ///   - origin: scheme, host and port as the client wrote them: previews want whole addresses.
  ///   - card: what previews show of a thing without a picture.
  static func html(
    of thing: SharedThing, origin: String, path: String, map: Console.Map? = nil, card: Card? = nil
  ) -> [UInt8] {
    func meta(_ name: String, _ value: String) -> String {
      "<meta property=\"\(name)\" content=\"\(HTMLText.escaped(value))\">\n"
    }
    var head = meta("og:title", thing.title) + meta("og:description", thing.text) + meta("og:site_name", "Tandem")
    head += meta("og:type", "website") + meta("og:url", origin + path)
    head += "<meta name=\"robots\" content=\"noindex\">\n"
    if thing.isLive {
      // Seconds: about as often as a phone reports where it is. The map has a script, which looks by itself.
      let refresh = "<meta http-equiv=\"refresh\" content=\"30\">"
      head += map == nil ? "\(refresh)\n" : "<noscript>\(refresh)</noscript>\n"
    }
    head += map?.head ?? ""
    var body = "<h1>\(HTMLText.escaped(thing.title))</h1>\n<p>\(HTMLText.escaped(thing.text))</p>\n"
    if thing.pictureType.isEmpty {
      head += card.map { Self.preview(of: $0, origin, meta) } ?? ""
    } else {
      head += meta("og:image", "\(origin)\(path)/picture")
      body += "<p><img src=\"\(HTMLText.escaped(path))/picture\" alt=\"\"></p>\n"
    }
    let facts = thing.facts.filter { !$0.value.isEmpty }
    if !facts.isEmpty {
      body += "<dl\(thing.isLive ? " data-live" : "")>\n"
      for fact in facts {
        body += "<dt>\(HTMLText.escaped(fact.label))</dt>"
        body += "<dd\(attributes(of: fact.point))>\(HTMLText.escaped(fact.value))</dd>\n"
      }
      body += "</dl>\n"
    }
    return HTMLText.page(title: thing.title, head: head, body: body)
  }

  /// What a preview is told of a card: its size, so that it is shown large, and shown when it is first asked for.
  private static func preview(of card: Card, _ origin: String, _ meta: (String, String) -> String) -> String {
    meta("og:image", origin + card.path) + meta("og:image:type", "image/png")
      + meta("og:image:width", "\(Cards.width)") + meta("og:image:height", "\(Cards.height)")
      + "<meta name=\"twitter:card\" content=\"summary_large_image\">\n"
  }

  private static func attributes(of point: SharedThing.Point?) -> String {
    guard let point else { return "" }
    return " data-point=\"\(point.kind.rawValue)\" data-latitude=\"\(point.latitude)\" "
      + "data-longitude=\"\(point.longitude)\""
  }
}
