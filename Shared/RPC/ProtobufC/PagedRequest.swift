/// A request for one page of a list (AIP-158). Generated code conforms every message with fields `int32 page_size` and `string page_token`.
public protocol PagedRequest: ProtobufMessage {
  /// How many rows to return at most; 0 leaves it to the service.
  var pageSize: Int32 { get set }
  /// Empty for the first page, else the `next_page_token` of the page before.
  var pageToken: String { get set }
}
