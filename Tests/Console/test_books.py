"""Books between two people, from adding one to giving it back."""

import conftest
import pytest


@pytest.fixture
def people(browsers, ada, hedy):
    for browser, person in zip(browsers, (ada, hedy)):
        browser.log_in(person)
    return browsers


def test_a_book_is_added_asked_for_lent_and_given_back(people, ada, hedy):
    owner, borrower = people
    # No record has the number.
    owner.expected = ["404"]
    number = conftest.isbn()
    title = f"The Salt Harbour {number[4:12]}"
    owner.open("books")
    owner.click("Add a book")
    owner.type("ISBN", number)
    owner.click("Look it up")
    owner.sees("fill in the rest yourself")
    owner.type("Title", title)
    owner.type("Authors", "Irene Calder; Otto Fenwick")
    # A reload loses nothing of what was typed.
    owner.driver.refresh()
    owner.until(lambda: owner.field("Title").get_property("value") == title, "the draft is back")
    owner.whole_shot("book-add")
    owner.click("Add to my books")
    owner.until(lambda: owner.run("return document.querySelector('h1')?.innerText") == title, "the book is shown")
    owner.type("Your comment", "Read it by the sea.")
    owner.click("Add the comment")
    owner.sees("just now")
    owner.whole_shot("book-own")

    borrower.open("books")
    borrower.type("Search books", title)
    borrower.click("Search books", "button")
    borrower.sees(ada["name"])
    borrower.whole_shot("books-search")
    borrower.click(title, "main a")
    borrower.click("Ask for this book")
    borrower.sees("You have asked for it.")
    borrower.sees("Withdraw the request")

    # Told live.
    owner.run("document.activeElement.blur()")
    owner.until(lambda: owner.run("return Number(document.querySelector('.bell .count').innerText) > 0"), "the bell counts")
    owner.open("books?tab=requests")
    owner.sees("1 request")
    owner.whole_shot("books-requests")
    owner.click(title, "main a")
    owner.click("Accept", "main button")
    owner.shot("loan-accept")
    owner.click("Accept the request")
    owner.click(title, "main a")
    owner.sees("Handover")

    borrower.sees("Handover")
    for person, button in ((owner, "I have handed it over"), (borrower, "I have received it")):
        person.type("ISBN on the book", number)
        person.click(button)
        person.sees("Confirmed.")
    borrower.sees("I have given it back")
    borrower.whole_shot("loan")
    borrower.open("books?tab=borrowed")
    borrower.sees("Due on")
    borrower.whole_shot("books-borrowed")
    borrower.click(title, "main a")

    for person, button in ((borrower, "I have given it back"), (owner, "I have it back")):
        person.driver.refresh()
        person.type("ISBN on the book", number)
        person.click(button)
        person.sees("Confirmed.")
    owner.sees("returned")
    owner.click("What happened", "summary")
    owner.sees("Given back")


def test_a_number_that_has_a_record_fills_in_the_rest(people):
    owner, _ = people
    owner.open("books/add")
    # Of the samples.
    owner.type("ISBN", "979-9-900000-01-2")
    owner.click("Look it up")
    owner.until(lambda: owner.field("Title").get_property("value") == "The Salt Harbour", "the title is filled in")
    assert owner.field("Authors").get_property("value") == "Irene Calder"
    owner.whole_shot("book-known")


def test_another_book_is_refused_at_the_handover(people, call, ada, hedy):
    owner, borrower = people
    number = conftest.isbn()
    book = call("tandem.catalog.v1.Books/AddBook", {"book": {"title": "One of Two", "authors": ["I. Calder"], "isbn": number}}, ada)
    loan = call("tandem.lending.v1.Loans/RequestBook", {"bookId": book["bookId"]}, hedy)
    call("tandem.lending.v1.Loans/AcceptRequest", {"loanId": loan["loanId"]}, ada)
    owner.expected = ["400"]
    owner.open(f"loans/{loan['loanId']}")
    owner.type("ISBN on the book", conftest.isbn())
    owner.click("I have handed it over")
    owner.until(lambda: owner.run("return [...document.querySelectorAll('.bad-field, .complaint')].some((one) => one.innerText)"), "why it is refused is said")
    assert owner.barriers() == []


def test_an_empty_search_says_what_to_do(people):
    owner, _ = people
    owner.open("books?q=zzzzxyzzzz")
    owner.sees("No book is found for")
    owner.sees("Try fewer words.")
    # The address has the view: it is the same after a reload.
    owner.driver.refresh()
    owner.sees("No book is found for")
