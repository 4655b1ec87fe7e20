//! Streams, which the crate ttrpc has from version 0.6 on: frames by its own functions, on a connection that is the stream's.

use crate::wire::{decoded, encoded, request};
use protobuf::Message;
use std::os::unix::io::RawFd;
use ttrpc::sync::channel::{read_message, write_message};
use ttrpc::{Code, Error, MessageHeader, Response, Result};

const REQUEST: u8 = 1;
const RESPONSE: u8 = 2;
const DATA: u8 = 3;
/// Of a request: nothing follows it. Of data: none follow them.
const CLOSED: u8 = 1;
/// Of data: there are none.
const NO_DATA: u8 = 4;

/// The answers of a method that streams them, until its status.
pub struct Stream {
    socket: RawFd,
}

impl Stream {
    pub fn open(socket: RawFd, method: (&str, &str), question: &dyn Message, token: &str) -> Result<Stream> {
        let body = encoded(&request(method, question, Some(token), 0)?)?;
        let header = MessageHeader { length: body.len() as u32, stream_id: 1, type_: REQUEST, flags: CLOSED };
        write_message(socket, header, body)?;
        Ok(Stream { socket })
    }

    /// The next answer; `None` after the last one.
    pub fn next<A: Message>(&mut self) -> Result<Option<A>> {
        loop {
            let (header, body) = read_message(self.socket)?;
            match header.type_ {
                DATA if header.flags & NO_DATA == 0 => return Ok(Some(decoded(&body)?)),
                RESPONSE => {
                    let mut last: Response = decoded(&body)?;
                    let status = last.take_status();
                    return if status.get_code() == Code::OK { Ok(None) } else { Err(Error::RpcStatus(status)) };
                }
                _ => {}
            }
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: the stream is what has the socket.
        unsafe { libc::close(self.socket) };
    }
}
