//! An HTTP server on the loopback interface that answers with prepared bytes and counts the requests.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

pub struct Server {
    address: String,
    requests: Arc<AtomicUsize>,
}

impl Server {
    /// `routes`: path → the raw bytes of the whole answer. Other paths are 404.
    pub fn start(routes: HashMap<&'static str, Vec<u8>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { continue };
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let mut request = String::new();
                let _ = reader.read_line(&mut request);
                let mut header = String::new();
                while reader.read_line(&mut header).is_ok_and(|bytes| bytes > 2) {
                    header.clear();
                }
                count.fetch_add(1, Ordering::SeqCst);
                let path = request.split(' ').nth(1).unwrap_or_default();
                let missing = b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec();
                let _ = stream.write_all(routes.get(path).unwrap_or(&missing));
            }
        });
        Self { address, requests }
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

/// An answer that carries `body` and announces `announced` bytes.
pub fn answer(body: &[u8], announced: usize) -> Vec<u8> {
    let mut bytes = format!("HTTP/1.1 200 OK\r\ncontent-length: {announced}\r\nconnection: close\r\n\r\n").into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

/// A redirection to another path.
pub fn redirect(to: &str) -> Vec<u8> {
    format!("HTTP/1.1 302 Found\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").into_bytes()
}
