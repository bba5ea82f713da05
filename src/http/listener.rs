//! Listening: how many connections the system keeps until the program takes them, and what becomes of them at the end.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpSocket, TcpStream, ToSocketAddrs, lookup_host};

/// Most connections that the system keeps for us; a system may keep fewer. Of those that come while there are as many,
/// clients try again after a second.
const BACKLOG: u32 = 4096;

/// Listens at the first of the addresses that can be had.
///
/// # Errors
/// None of them can.
pub async fn listen(addresses: impl ToSocketAddrs) -> io::Result<TcpListener> {
    let mut failure = io::Error::new(ErrorKind::InvalidInput, "the name has no address");
    for address in lookup_host(addresses).await? {
        match listen_at(address) {
            Ok(listener) => return Ok(listener),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

fn listen_at(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // a process that has just ended leaves connections behind, which are no reason to wait
    #[cfg(not(windows))]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// The connections that the system has taken for a listener and the program has not, whose clients may have sent their
/// requests already: closing the listener would break them off. It is closed as soon as there are none left. The system
/// itself is asked, because what the runtime knows of it is as old as its last turn.
pub fn waiting_connections(listener: TcpListener) -> impl Iterator<Item = (TcpStream, SocketAddr)> {
    let listener = listener.into_std().ok();
    let next = move || {
        let listener = listener.as_ref()?;
        loop {
            match listener.accept() {
                Ok((stream, peer)) => {
                    let stream = stream.set_nonblocking(true).and_then(|()| TcpStream::from_std(stream));
                    if let Ok(stream) = stream {
                        return Some((stream, peer));
                    }
                }
                // that one has gone meanwhile
                Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::ConnectionAborted) => {}
                Err(_) => return None,
            }
        }
    };
    std::iter::from_fn(next).take(2 * BACKLOG as usize)
}
