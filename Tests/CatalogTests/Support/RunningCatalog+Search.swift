import TandemCatalog
import TestServices

extension RunningCatalog {
  /// Searches as Grace.
  func search(
    _ query: String, _ scope: TandemCatalog.SearchScope = .unspecified, size: Int32 = 0,
    token: String = ""
  ) async throws -> SearchBooksResponse {
    try await books.searchBooks(
      SearchBooksRequest(query: query, scope: scope, pageSize: size, pageToken: token), TestUser.grace.options)
  }

  /// Three books for searches.
  func addShelf() async throws {
    try await add("The Hobbit", by: ["J.R.R. Tolkien"], isbn: "9780547928227", description: "With maps")
    try await add("The Lord of the Rings", by: ["J.R.R. Tolkien"], isbn: "9780618640157", description: "Heavy")
    try await add("Les Misérables", by: ["Victor Hugo"], isbn: "9780451419439", description: "No hobbit in it")
  }

  /// Books of which other searches list wrong ones first: those that have the words more often, or in shorter texts.
  func addCrowd() async throws {
    try await add("The Lord of the Rings (The Lord of the Rings, #1-3)", by: ["J.R.R. Tolkien"])
    try await add("The Lord of the Rings: Weapons and Warfare", by: ["Chris Smith"])
    try await add("Rings", by: ["A Lord"], description: "of the lord of the rings")
    try await add("The Secret (The Secret, #1)", by: ["Rhonda Byrne"])
    try await add("The Secret Garden", by: ["Frances Hodgson Burnett"], description: "the secret")
    try await add("Night (The Night Trilogy #1)", by: ["Elie Wiesel"])
    try await add("Night Night", by: ["Sandra Boynton"])
    try await add("Nightmare", by: ["Stephen Knight"])
    try await add("1984", by: ["George Orwell"])
    try await add("Animal Farm / 1984", by: ["George Orwell"])
    try await add("The Hunger Games (The Hunger Games, #1)", by: ["Suzanne Collins"])
    try await add("The Hunger Games Companion", by: ["Lois Gresh"])
    try await add("The Jane Austen Book Club", by: ["Karen Joy Fowler"])
    try await add("Emma", by: ["Jane Austen"])
    try await add("Green Rider", by: ["Kristen Britain"])
    try await add("Paper Towns", by: ["John Green"])
  }
}
