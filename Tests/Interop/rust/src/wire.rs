//! Calls by the crate ttrpc, without generated stubs: Debian has no generator for them.

use protobuf::Message;
use std::collections::HashMap;
use std::time::Duration;
use ttrpc::{context, Client, Error, Request, Result};

const TIMEOUT: Duration = Duration::from_secs(20);

/// A call with one question and one answer.
///
/// `method` is the full name of the service and that of the method; `token` the access token of the user for whom it is.
pub fn call<A: Message>(
    client: &Client, method: (&str, &str), question: &dyn Message, token: Option<&str>,
) -> Result<A> {
    decoded(client.request(request(method, question, token, TIMEOUT.as_nanos() as i64)?)?.get_payload())
}

/// `timeout` is in nanoseconds; 0 is none.
pub fn request(
    (service, method): (&str, &str), question: &dyn Message, token: Option<&str>, timeout: i64,
) -> Result<Request> {
    let mut request = Request::new();
    request.set_service(service.to_string());
    request.set_method(method.to_string());
    request.set_payload(encoded(question)?);
    request.set_timeout_nano(timeout);
    if let Some(token) = token {
        let authorization = vec![format!("Bearer {token}")];
        request.set_metadata(context::to_pb(HashMap::from([("authorization".to_string(), authorization)])));
    }
    Ok(request)
}

pub fn encoded(message: &dyn Message) -> Result<Vec<u8>> {
    message.write_to_bytes().map_err(|error| Error::Others(error.to_string()))
}

pub fn decoded<M: Message>(bytes: &[u8]) -> Result<M> {
    M::parse_from_bytes(bytes).map_err(|error| Error::Others(error.to_string()))
}
