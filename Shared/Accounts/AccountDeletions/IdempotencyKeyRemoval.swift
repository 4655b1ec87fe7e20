extension DeleteIdempotencyKeysOfUser: AccountDeletionStatement {
  /// The callers that are users. The form of the id is checked first, whatever the query adds.
  public static let users = """
    select case when caller ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then caller::uuid end as user_id
    from replays
    """
}
