"""A book goes to whom it was lent, and comes back."""

from tandem.api import catalog, lending
from tandem.api.blocking.catalog import Books
from tandem.api.blocking.lending import Loans
from tandem_client.testing import eventually

ISBN = "9780060850524"


def test_a_loan_goes_round(tandem_users):
    ada, hedy = tandem_users["ada"], tandem_users["hedy"]
    books, owner, borrower = Books(ada.client("catalog")), Loans(ada.client("lending")), Loans(hedy.client("lending"))
    novel = {"title": "Brave New World", "authors": ["Aldous Huxley"], "isbn": ISBN, "description": "Read once."}
    book = books.add_book(catalog.AddBookRequest(book=novel))
    loan = borrower.request_book(lending.RequestBookRequest(book_id=book.book_id))
    owner.accept_request(lending.AcceptRequestRequest(loan_id=loan.loan_id))
    scan = {"loan_id": loan.loan_id, "isbn": ISBN}
    for who in [owner, borrower]:
        who.confirm_handover(lending.ConfirmHandoverRequest(**scan))
    for who in [borrower, owner]:
        loan = who.confirm_return(lending.ConfirmReturnRequest(**scan))
    assert loan.state == lending.LoanState.LOAN_STATE_RETURNED
    wanted = catalog.GetBookRequest(book_id=book.book_id)
    assert eventually(lambda: books.get_book(wanted).status == catalog.BookStatus.BOOK_STATUS_AVAILABLE)
