import CatalogStore
import Identifiers
import Images
import TTRPC
import TandemCatalog
import TestServices
import TestSupport
import Testing

@testable import catalog

@Suite("photographs of books", .ownThreads, .timeLimit(.minutes(5)))
struct PhotoTests {
  @Test("[CA-26] a book has several photographs, which anyone who is logged in reads in three sizes")
  func uploadsAndDownloads() async throws {
    let (jpeg, png) = (try TestPictures.bytes("plain.jpg"), try TestPictures.bytes("noise.png"))
    try await RunningCatalog.with { catalog in
      let book = try await catalog.add("Dune")
      let first = try await catalog.books.upload(jpeg, of: book, .ada)
      catalog.clock.advance(by: .milliseconds(1))
      let second = try await catalog.books.upload(png, of: book, .ada)

      #expect(first.renditions.map(\.width) == [640, 256, 64] && first.bookID == book.bookID)
      #expect(first.renditions.map(\.size) == [.full, .thumbnail256, .thumbnail64])
      let listed = try await catalog.books.listBookPhotos(
        ListBookPhotosRequest(bookID: book.bookID), TestUser.grace.options)
      #expect(listed.photos == [first, second])
      for (photo, format) in [(first, ImageFormat.jpeg), (second, .png)] {
        for rendition in photo.renditions {
          let read = try await catalog.books.download(photo, rendition.size, .grace)
          #expect(read.photo == photo && read.bytes.count == Int(rendition.byteCount))
          #expect(ImageFormat(content: read.bytes) == format && read.longest <= 65_536)
        }
      }
      let found = try await catalog.books.searchBooks(SearchBooksRequest(query: "dune"), TestUser.grace.options)
      #expect(found.books.map(\.photoIds) == [[first.photoID, second.photoID]], "rows show them too")
    }
  }

  @Test("[CA-26] only the owner adds and deletes photographs")
  func ownerOnly() async throws {
    let file = try TestPictures.bytes("tiny.png")
    try await RunningCatalog.with { catalog in
      let book = try await catalog.add("Dune")
      let photo = try await catalog.books.upload(file, of: book, .ada)
      let delete = DeleteBookPhotoRequest(bookID: book.bookID, photoID: photo.photoID)

      let added = try await refusal { try await catalog.books.upload(file, of: book, .grace) }
      let deleted = try await refusal { try await catalog.books.deleteBookPhoto(delete, TestUser.grace.options) }
      let unknown = try await refusal { try await catalog.books.upload(file, of: Book(bookID: photo.photoID), .ada) }
      let unnamed = try await refusal { try await catalog.books.upload(file, of: Book(), .ada) }
      let stranger = try await refusal {
        try await catalog.books.listBookPhotos(ListBookPhotosRequest(bookID: book.bookID))
      }

      #expect(added.code == .permissionDenied && deleted.reason == "NOT_THE_OWNER")
      #expect(unknown.reason == "BOOK_NOT_FOUND" && unnamed.fieldReasons == ["BOOK_ID_INVALID"])
      #expect(stranger.code == .unauthenticated)
      #expect(try await catalog.value("select count(*) from pictures") == "1")
    }
  }

  @Test(
    "[CA-26] anything but a picture is INVALID_ARGUMENT UNSUPPORTED_IMAGE, and nothing is stored",
    arguments: ["named.jpg", "svg.png", "truncated.png", "bomb.png"])
  func unsupported(name: String) async throws {
    let file = try TestPictures.bytes(name)
    try await RunningCatalog.with { catalog in
      let book = try await catalog.add("Dune")
      let refused = try await refusal { try await catalog.books.upload(file, of: book, .ada) }
      #expect(refused.code == .invalidArgument && refused.reason == "UNSUPPORTED_IMAGE")
      #expect(try await catalog.value("select count(*) from pictures") == "0")
      #expect(try await catalog.value("select photos from books") == "0")
    }
  }

  @Test("[CA-26] a photograph is deleted in every size, once, and a change of the book tells of it")
  func deletes() async throws {
    let file = try TestPictures.bytes("plain.jpg")
    try await RunningCatalog.with { catalog in
      let book = try await catalog.add("Dune")
      let before = try await catalog.changes("")
      let photo = try await catalog.books.upload(file, of: book, .ada)
      let added = try await catalog.changes(before.nextSince)
      let call = DeleteBookPhotoRequest(
        bookID: book.bookID, photoID: photo.photoID, requestID: "0197a5a0-0000-4000-8000-000000000009")
      for _ in 0..<2 { _ = try await catalog.books.deleteBookPhoto(call, TestUser.ada.options) }
      let removed = try await catalog.changes(added.nextSince)

      #expect(added.changes.map { $0.book?.photoIds } == [[photo.photoID]])
      #expect(removed.changes.map { $0.book?.photoIds } == [[]])
      #expect(added.changes.first?.book?.etag != book.etag, "[C-11]")
      for table in ["pictures", "picture_renditions", "picture_chunks"] {
        #expect(try await catalog.value("select count(*) from \(table)") == "0", "\(table)")
      }
      let again = try await refusal {
        let call = DeleteBookPhotoRequest(bookID: book.bookID, photoID: photo.photoID)
        return try await catalog.books.deleteBookPhoto(call, TestUser.ada.options)
      }
      let missing = try await refusal { try await catalog.books.download(photo, .full, .ada) }
      #expect(again.reason == "PHOTO_NOT_FOUND" && missing.reason == "PHOTO_NOT_FOUND")
    }
  }

  @Test("[CA-26] of 24 uploads at once of different files a book takes 10, and of the same file one")
  func race() async throws {
    let file = try TestPictures.bytes("tiny.png")
    try await RunningCatalog.with { catalog in
      let (many, one) = (try await catalog.add("Many"), try await catalog.add("One"))
      // Bytes after the end of an image do not belong to it, but make the files differ.
      let results = await catalog.race(24) { books, number in
        try await books.upload(file + [UInt8(number)], of: many, .ada)
      }
      #expect(results.successes().count == 10)
      #expect(results.refusals().allSatisfy { $0.reason == "TOO_MANY_PHOTOS" })
      #expect(try await catalog.value("select photos from books where title = 'Many'") == "10")
      #expect(try await catalog.value("select count(*) from pictures") == "10")

      // Uploads are counted by the hour.
      catalog.clock.advance(by: .seconds(3_600))
      let same = await catalog.race(24) { books, _ in try await books.upload(file, of: one, .ada) }
      #expect(Set(same.successes().map(\.photoID)).count == 1 && same.successes().count == 24, "\(same.refusals())")
      #expect(try await catalog.value("select photos from books where title = 'One'") == "1")
    }
  }

  @Test("[CA-24] [CA-26] a deleted book's photographs go with it, also those that are uploaded meanwhile")
  func deletedBook() async throws {
    let file = try TestPictures.bytes("tiny.png")
    try await RunningCatalog.with { catalog in
      let book = try await catalog.add("Dune")
      let photo = try await catalog.books.upload(file, of: book, .ada)
      async let uploading = catalog.race(12) { books, number in
        try await books.upload(file + [UInt8(number)], of: book, .ada)
      }
      _ = try await catalog.books.deleteBook(DeleteBookRequest(bookID: book.bookID), TestUser.ada.options)
      let refused = await uploading.refusals()

      #expect(refused.allSatisfy { ["BOOK_NOT_FOUND", "TOO_MANY_PHOTOS"].contains($0.reason) })
      #expect(try await catalog.value("select count(*) from pictures") == "0")
      let missing = try await refusal { try await catalog.books.download(photo, .full, .grace) }
      #expect(missing.reason == "BOOK_NOT_FOUND")
    }
  }

  @Test("[C-9] the photographs of who leaves go with their books, and what was counted of their uploads")
  func departure() async throws {
    let file = try TestPictures.bytes("tiny.png")
    try await RunningCatalog.with { catalog in
      _ = try await catalog.books.upload(file, of: catalog.add("Dune"), .ada)
      try await catalog.forget(.ada)
      for table in ["pictures", "picture_renditions", "picture_chunks", "picture_quotas"] {
        #expect(try await catalog.value("select count(*) from \(table)") == "0", "\(table)")
      }
    }
  }
}

/// What came of reading a photograph.
private struct ReadPhoto {
  let photo: BookPhoto
  let bytes: [UInt8]
  let longest: Int
}

extension BooksClient {
  func upload(_ file: [UInt8], of book: Book, _ someone: TestUser) async throws -> BookPhoto {
    try await uploadBookPhoto(someone.options) { writer in
      try await writer.send(UploadBookPhotoRequest(bookID: book.bookID))
      for start in stride(from: 0, to: file.count, by: 65_536) {
        try await writer.send(UploadBookPhotoRequest(chunk: Array(file[start..<min(start + 65_536, file.count)])))
      }
    }
  }

  fileprivate func download(_ photo: BookPhoto, _ size: PhotoSize, _ someone: TestUser) async throws -> ReadPhoto {
    let call = DownloadBookPhotoRequest(bookID: photo.bookID, photoID: photo.photoID, size: size)
    return try await downloadBookPhoto(call, someone.options) { responses in
      var (found, bytes, longest): (BookPhoto?, [UInt8], Int) = (nil, [], 0)
      for try await response in responses {
        found = found ?? response.photo
        bytes += response.chunk
        longest = max(longest, response.chunk.count)
      }
      return ReadPhoto(photo: try #require(found), bytes: bytes, longest: longest)
    }
  }
}

extension RunningCatalog {
  fileprivate func changes(_ since: String) async throws -> ListMyBookChangesResponse {
    try await books.listMyBookChanges(ListMyBookChangesRequest(since: since), TestUser.ada.options)
  }
}
