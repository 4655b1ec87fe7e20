//! What a gateway in Rust does with a suite for tests: logs a user in, lists her sessions, reads a refusal, and follows her notifications.
//!
//!     tandem test run --users ada -- target/debug/interop

mod contract {
    include!(concat!(env!("OUT_DIR"), "/mod.rs"));
}
mod stream;
mod tls;
mod wire;

use contract::accounts::{ListSessionsRequest, ListSessionsResponse, LoginRequest, LoginResponse};
use contract::error_details::ErrorInfo;
use contract::notifications::{NotificationKind, StreamNotificationsRequest, StreamNotificationsResponse};
use std::env;
use std::error::Error;
use stream::Stream;
use ttrpc::{Client, Status};
use wire::{call, decoded};

const ACCOUNTS: &str = "tandem.identity.v1.Accounts";
const NOTIFICATIONS: &str = "tandem.notification.v1.Notifications";

fn main() -> Result<(), Box<dyn Error>> {
    let identity = env::var("TANDEM_TEST_IDENTITY")?;
    let files = tls::Files {
        authority: env::var("TANDEM_CA")?,
        certificate: env::var("TANDEM_TEST_GATEWAY_CERT")?,
        key: env::var("TANDEM_TEST_GATEWAY_KEY")?,
    };
    let client = Client::new(tls::connect(&identity, &files)?);

    let login = log_in(&client, &env::var("TANDEM_TEST_ADA_PASSWORD")?)?;
    assert_eq!(login.get_user_id(), env::var("TANDEM_TEST_ADA_ID")?);
    let token = login.get_access_token();

    let sessions: ListSessionsResponse =
        call(&client, (ACCOUNTS, "ListSessions"), &ListSessionsRequest::new(), Some(token))?;
    assert!(sessions.get_sessions().iter().any(|session| session.get_device_label() == "Rust"));
    println!("rust: logged in, {} sessions", sessions.get_sessions().len());

    match log_in(&client, "not the password") {
        Err(ttrpc::Error::RpcStatus(status)) => assert_eq!(reason(&status).as_deref(), Some("CREDENTIALS_INCORRECT")),
        other => panic!("a wrong password: {other:?}"),
    }
    println!("rust: a wrong password is refused, with its reason");

    let mut question = StreamNotificationsRequest::new();
    question.set_after(0);
    let socket = tls::connect(&identity, &files)?;
    let mut inbox = Stream::open(socket, (NOTIFICATIONS, "StreamNotifications"), &question, token)?;
    // The first message has the position alone.
    let welcome = loop {
        let one: StreamNotificationsResponse = inbox.next()?.ok_or("the stream has ended")?;
        if one.has_notification() {
            break one;
        }
    };
    assert_eq!(welcome.get_notification().get_kind(), NotificationKind::NOTIFICATION_KIND_WELCOME);
    println!("rust: notifications are followed, up to position {}", welcome.get_position());
    Ok(())
}

fn log_in(client: &Client, password: &str) -> ttrpc::Result<LoginResponse> {
    let mut question = LoginRequest::new();
    question.set_email_or_username("ada".to_string());
    question.set_password(password.to_string());
    question.set_device_label("Rust".to_string());
    call(client, (ACCOUNTS, "Login"), &question, None)
}

/// The reason of a refusal, of which the reasons of the contract are the list.
fn reason(status: &Status) -> Option<String> {
    let detail = status.get_details().iter().find(|detail| detail.get_type_url().ends_with("/google.rpc.ErrorInfo"))?;
    decoded::<ErrorInfo>(detail.get_value()).ok().map(|info| info.get_reason().to_string())
}
