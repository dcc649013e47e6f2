# asyncio with a protocol, its fastest interface: `asyncio_server.py`, `asyncio_server.py keep`.
import asyncio
import sys

keep = len(sys.argv) > 1


def response_to(request):
    body = b"Received following request:\n\n" + request
    return (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n" % len(body)
        + (b"" if keep else b"Connection: close\r\n")
        + b"\r\n"
        + body
    )


class Client(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport
        self.received = b""

    def data_received(self, data):
        self.received += data
        while b"\r\n\r\n" in self.received:
            request, end, self.received = self.received.partition(b"\r\n\r\n")
            self.transport.write(response_to(request + end))
            if not keep:
                self.transport.close()


async def main():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Client, "127.0.0.1", 0, backlog=4096)
    port = server.sockets[0].getsockname()[1]
    print(f"Starting server at port {port}...", flush=True)
    await server.serve_forever()


asyncio.run(main())
