extension AccessTable {
  /// Books, their photographs and comments; `tandem.catalog.v1.Books`.
  static let books = """
    fields edition = isbn isbn10 title authors year language
    fields book = book_id owner_id owner_username title authors isbn description year language status etag create_time update_time photo_ids?
    # Who has it is the owner's to know.
    fields borrower = borrower_id borrower_username
    # What lending keeps of a book; where it is, lending knows itself.
    fields listing = book_id owner_id owner_username title authors isbn description year language etag create_time update_time photo_ids?
    fields photo = photo_id book_id renditions.size renditions.media_type renditions.width renditions.height renditions.byte_count upload_time
    fields comment = comment_id author_id author_username text create_time edit_time?
    fields rating = isbn title stars rate_time
    # A link as it is listed: without its secret.
    fields share = share_id book_id create_time
    tandem.catalog.v1.Books at catalog
                              nobody   stranger member   owner    blocked  revoked  service  operator
      LookUpIsbn              token    ok       ok       ok       ok       session  token    token
        before  edition
        request {"isbn": "9780441172719"}
        answer  $edition
      AddBook                 token    ok       ok       ok       ok       session  token    token
        request {"book": {"title": "Dune", "authors": ["Frank Herbert"], "isbn": "9780441172719", "description": "A copy.", "year": 1965, "language": "en"}, "titleConfirmed": true}
        answer  $book
      GetBook                 token    ok       ok       ok       book     session  token    token
        request {"bookId": "{lentBook}"}
        answer  $book
        answer to owner: $book $borrower
      LookUpBook              suite    service  service  service  service  service  caller   caller
        callers lending
        request {"bookId": "{lentBook}"}
        answer  $listing
      ListMyBooks             token    ok       ok       ok       ok       session  token    token
        before  lentBook
        request {}
        answer  books.$book books.$borrower next_page_token?
      ListMyBookChanges       token    ok       ok       ok       ok       session  token    token
        before  lentBook
        request {"pageSize": 1}
        answer  changes.book_id changes.book.$book? changes.book.$borrower? changes.delete_time? next_since more?
      UpdateBook              token    owner    owner    ok       book     session  token    token
        request {"book": {"bookId": "{lentBook}", "description": "Another word."}, "updateMask": "description"}
        answer  $book $borrower
      DeleteBook              token    owner    owner    ok       book     session  token    token
        request {"bookId": "{book}"}
        answer  delete_time
      SearchBooks             token    ok       ok       ok       ok       session  token    token
        request {"query": "{wordOfLentBook}", "scope": "SEARCH_SCOPE_UNAVAILABLE"}
        answer  books.$book match
        answer to owner: books.$book books.$borrower match
        answer to blocked: notice
      CreateComment           token    ok       ok       ok       book     session  token    token
        request {"bookId": "{book}", "comment": {"text": "Worth it."}}
        answer  $comment
      UpdateComment           token    author   author   ok       comment  session  token    token
        request {"comment": {"commentId": "{ownComment}", "text": "Worth it, twice."}}
        answer  $comment
      # Its author is the member; the owner of the book may remove it too.
      DeleteComment           token    author   ok       ok       comment  session  token    token
        request {"commentId": "{comment}"}
        answer  nothing
      ListComments            token    ok       ok       ok       book     session  token    token
        request {"bookId": "{bookWithComment}"}
        answer  comments.$comment
      # What is recommended is the owner's: nobody is recommended their own books, nor those of whom they keep away.
      RecommendBooks          token    ok       ok       ok       ok       session  token    token
        before  pastLoan
        request {}
        answer  recommendations.book.$book recommendations.because.isbn recommendations.because.title
        answer to owner blocked: nothing
      UploadBookPhoto         token    owner    owner    ok       book     session  token    token
        request {"bookId": "{book}", "chunk": "{picture}"}
        answer  $photo
      ListBookPhotos          token    ok       ok       ok       book     session  token    token
        request {"bookId": "{bookWithPhoto}"}
        answer  photos.$photo
      DownloadBookPhoto       token    ok       ok       ok       book     session  token    token
        request {"bookId": "{bookWithPhoto}", "photoId": "{photo}"}
        answers 2
        answer  photo.$photo chunk
      DeleteBookPhoto         token    owner    owner    ok       book     session  token    token
        request {"bookId": "{bookWithPhoto}", "photoId": "{photo}"}
        answer  nothing
      ShareBook               token    owner    owner    ok       book     session  token    token
        request {"bookId": "{book}"}
        answer  share.$share token
      ListBookShares          token    owner    owner    ok       book     session  token    token
        request {"bookId": "{sharedBook}"}
        answer  shares.$share
      RevokeBookShare         token    share    share    ok       share    session  token    token
        request {"shareId": "{bookShare}"}
        answer  nothing
      # Neither whose it is nor who has it.
      GetSharedBook           ok       ok       ok       ok       ok       ok       ok       ok
        request {"token": "{bookShareToken}"}
        answer  book_id title authors isbn year language photo photo_media_type preview.title preview.text preview.picture
      RateBook                token    ok       ok       ok       ok       session  token    token
        before  edition
        request {"isbn": "9780441172719", "stars": 4}
        answer  $rating
      GetStorage              token    ok       ok       ok       ok       session  token    token
        request {}
        answer  used? used.books? used.comments? used.ratings? used.workouts? used.workout_logs? limits.books limits.comments limits.ratings limits.workouts limits.workout_logs
      ListMyRatings           token    ok       ok       ok       ok       session  token    token
        before  rating
        request {}
        answer  ratings.$rating
      DeleteRating            token    ok       ok       ok       ok       session  token    token
        before  rating
        request {"isbn": "9780441172719"}
        answer  nothing

    """
}
