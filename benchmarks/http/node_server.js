// Node's own HTTP server: `node_server.js close`, `node_server.js keep`.
const http = require("http");

const keep = process.argv[2] === "keep";
const body = "Received following request:\n\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
const headers = { "Content-Type": "text/plain", "Content-Length": body.length };
if (!keep) headers.Connection = "close";

const server = http.createServer((request, response) => {
  response.sendDate = false;
  response.writeHead(200, headers);
  response.end(body);
});
server.listen({ host: "127.0.0.1", port: 0, backlog: 4096 }, () => {
  console.log(`Starting server at port ${server.address().port}...`);
});
