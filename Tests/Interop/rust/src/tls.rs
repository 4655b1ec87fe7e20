//! A connection with TLS for a client that knows no TLS: the crate ttrpc takes any connected socket by its descriptor.

use libc::{pollfd, POLLIN, POLLOUT};
use openssl::ssl::{SslConnector, SslFiletype, SslMethod, SslStream, SslVersion};
use std::error::Error;
use std::io::{ErrorKind, Read, Result, Write};
use std::net::TcpStream;
use std::os::unix::io::{AsRawFd, IntoRawFd, RawFd};
use std::os::unix::net::UnixStream;
use std::thread;

/// What may wait for a server that reads slowly, in bytes.
const MAX_WAITING: usize = 1 << 20;

/// Files in PEM form: the authority of the servers, and the certificate and the key of a gateway.
pub struct Files {
    pub authority: String,
    pub certificate: String,
    pub key: String,
}

/// Connects to HOST:PORT; what is written to the socket that is returned goes there through TLS.
pub fn connect(address: &str, files: &Files) -> std::result::Result<RawFd, Box<dyn Error>> {
    let mut builder = SslConnector::builder(SslMethod::tls_client())?;
    builder.set_min_proto_version(Some(SslVersion::TLS1_3))?;
    builder.set_ca_file(&files.authority)?;
    builder.set_certificate_chain_file(&files.certificate)?;
    builder.set_private_key_file(&files.key, SslFiletype::PEM)?;
    let (host, _) = address.rsplit_once(':').ok_or("an address is HOST:PORT")?;
    let tls = builder.build().connect(host, TcpStream::connect(address)?)?;
    tls.get_ref().set_nonblocking(true)?;
    let (near, far) = UnixStream::pair()?;
    // It ends when either side closes.
    thread::spawn(move || relay(tls, far));
    Ok(near.into_raw_fd())
}

fn relay(mut tls: SslStream<TcpStream>, mut local: UnixStream) -> Result<()> {
    let mut buffer = [0; 1 << 16];
    let mut waiting = Vec::new();
    loop {
        let has_more = await_either(&tls, &local, &waiting)?;
        match tls.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => local.write_all(&buffer[..count])?,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
        if has_more {
            match local.read(&mut buffer)? {
                0 => return Ok(()),
                count => waiting.extend_from_slice(&buffer[..count]),
            }
        }
        while !waiting.is_empty() {
            match tls.write(&waiting) {
                Ok(count) => drop(waiting.drain(..count)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => return Err(error),
            }
        }
    }
}

/// Waits until there is something to do; returns whether the client has written.
fn await_either(tls: &SslStream<TcpStream>, local: &UnixStream, waiting: &[u8]) -> Result<bool> {
    let output = if waiting.is_empty() { 0 } else { POLLOUT };
    let input = if waiting.len() < MAX_WAITING { POLLIN } else { 0 };
    let mut both = [
        pollfd { fd: tls.get_ref().as_raw_fd(), events: POLLIN | output, revents: 0 },
        pollfd { fd: local.as_raw_fd(), events: input, revents: 0 },
    ];
    // What TLS has read already no socket tells of.
    let limit = if tls.ssl().pending() > 0 { 0 } else { -1 };
    // SAFETY: the array is that long, and both sockets are open.
    if unsafe { libc::poll(both.as_mut_ptr(), 2, limit) } < 0 {
        let error = std::io::Error::last_os_error();
        return if error.kind() == ErrorKind::Interrupted { Ok(false) } else { Err(error) };
    }
    Ok(both[1].revents & input != 0)
}
