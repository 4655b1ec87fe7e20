import CatalogDomain
import CatalogStore
import FieldViolations
import TTRPC
import TandemCatalog

extension Books {
  /// The loaded bibliographic record of an ISBN ([CA-21]).
  package func lookUpIsbn(_ call: LookUpIsbnRequest, _ context: CallContext) async throws -> Edition {
    guard let isbn = ISBN(call.isbn) else { throw BadFields("isbn", ISBN.refusal, CatalogReason.invalidIsbn) }
    if let edition = try await database.first(EditionByISBN(isbn: isbn)) { return Edition(edition) }
    throw BookRefusal.noSuchEdition(amongRecords: try await database.first(HasRecords()) ?? false)
  }
}
