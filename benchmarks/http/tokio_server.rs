// Tokio with a task for each connection, and one thread: `tokio_server`, `tokio_server keep`.
use std::io;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpSocket, TcpStream};

fn response_to(request: &str, keep: bool) -> String {
    let message = format!("Received following request:\n\n{request}");
    let end = if keep { "" } else { "Connection: close\r\n" };
    let size = message.len();
    format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {size}\r\n{end}\r\n{message}")
}

async fn handle_client(client: TcpStream, keep: bool) -> io::Result<()> {
    let mut client = BufReader::new(client);
    loop {
        let mut request = String::new();
        while !request.ends_with("\r\n\r\n") {
            if client.read_line(&mut request).await? == 0 {
                return Ok(()); // the client has closed the connection
            }
        }
        client
            .get_mut()
            .write_all(response_to(&request, keep).as_bytes())
            .await?;
        if !keep {
            return Ok(());
        }
    }
}

async fn accept_all(keep: bool) -> io::Result<()> {
    let socket = TcpSocket::new_v4()?;
    socket.bind("127.0.0.1:0".parse().unwrap())?;
    let listener = socket.listen(4096)?;
    println!(
        "Starting server at port {}...",
        listener.local_addr()?.port()
    );
    loop {
        let (client, _) = listener.accept().await?;
        tokio::spawn(handle_client(client, keep));
    }
}

fn main() -> io::Result<()> {
    let keep = std::env::args().len() > 1;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    runtime.block_on(accept_all(keep))
}
