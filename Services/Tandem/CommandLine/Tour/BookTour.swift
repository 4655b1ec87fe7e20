import Reflection
import TTRPC

/// A book that a user lends: from its ISBN to its photograph.
extension Tour {
  /// Adds a book with a photograph; returns its id.
  func addBook(of name: String, _ token: String) async throws -> String {
    say("\(name) has a book to lend. Its ISBN is understood as it is printed, and a search finds it though misspelt.")
    let book = try await call(Self.books, "AddBook", ["book": Self.book(of: name)], token: token)
    _ = try await call(
      Self.books, "SearchBooks", ["query": .string("herbret \(name)"), "pageSize": .integer(1)], token: token)
    _ = try await call(Self.books, "ListMyBooks", [:], token: token)

    say("The book gets a photograph; what is kept of the file are its pixels, in three sizes.")
    let bookID = try text("bookId", of: book)
    let uploaded = try await stream(
      "UploadBookPhoto", [.members(["bookId": .string(bookID)]), .members(["chunk": .string(Self.photograph)])], token)
    guard let photo = uploaded.first else { throw Complaint("UploadBookPhoto gave no answer") }
    let download = JSONValue.members([
      "bookId": .string(bookID), "photoId": .string(try text("photoId", of: photo)),
      "size": .string("PHOTO_SIZE_THUMBNAIL_64"),
    ])
    _ = try await stream("DownloadBookPhoto", [download], token)
    return bookID
  }

  /// The description contains the owner's name, so that the search finds this book.
  private static func book(of name: String) -> JSONValue {
    .members([
      "title": .string("Dune"), "authors": .array([.string("Frank Herbert")]), "isbn": isbn,
      "description": .string("The copy of \(name), read once."),
    ])
  }

  static let isbn = JSONValue.string("0-441-17271-7")

  /// A PNG file in base64: a cover of 48 by 64 pixels.
  private static let photograph = """
    iVBORw0KGgoAAAANSUhEUgAAADAAAABAAgMAAAAhThzVAAAADFBMVEXCeyxrOhD258jywU6z8oH2AAAAKElEQVR42mMIdWBAgOHOWQUBDTTgUO5QmGEEOMMh\
    Svj//6E/hyb+AQB/mWcbp6QBRAAAAABJRU5ErkJggg==
    """

  /// Calls a streaming method and shows the call with its responses.
  func stream(
    _ name: String, of service: String = Tour.books, _ requests: [JSONValue], _ token: String, isShown: Bool = true
  ) async throws -> [JSONValue] {
    let client = try client(of: service)
    let schema = try await client.schema(of: service, Self.options(nil))
    guard let type = schema.services[service]?.method(named: name) else {
      throw Complaint("\(client.target.address) has no \(service)/\(name)")
    }
    if isShown { for request in requests { show(service, name, request) } }
    do {
      let method = CalledMethod(type: type, service: service, schema: schema)
      let answers = try await answers(client, method, requests, token)
      if isShown {
        for answer in answers { show(answer: Shortening.shortened(answer).text(.oneLine), palette.good("OK")) }
      }
      return answers
    } catch let status as Status {
      if isShown { show(answer: status.message, palette.bad(status.code.name)) }
      throw Complaint("\(name) was refused: \(status.text(schema))", exitStatus: 1)
    }
  }

  private func answers(
    _ client: ReflectingClient, _ method: CalledMethod, _ requests: [JSONValue], _ token: String
  ) async throws -> [JSONValue] {
    let messages = try requests.map { request throws(Complaint) in try method.encode(request) }
    let only = method.type.clientStreams ? nil : messages.first
    return try await client.connection.streamSerialized(method.descriptor, only, Self.options(token)) {
      writer, stream in
      if only == nil {
        for message in messages { try await writer.send(message) }
        writer.finish()
      }
      var answers: [JSONValue] = []
      for try await answer in stream { answers.append(try method.json(answer)) }
      return answers
    }
  }
}
