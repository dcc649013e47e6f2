// Node's own HTTP server: `node_server.js close`, `node_server.js keep`.
const http = require("http");

const keep = process.argv[2] === "keep";

const server = http.createServer((request, response) => {
  const { method, url, httpVersion, rawHeaders } = request;
  let body = `Received following request:\n\n${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let n = 0; n < rawHeaders.length; n += 2) body += `${rawHeaders[n]}: ${rawHeaders[n + 1]}\r\n`;
  body += "\r\n";
  const headers = { "Content-Type": "text/plain", "Content-Length": body.length };
  if (!keep) headers.Connection = "close";
  response.sendDate = false;
  response.writeHead(200, headers);
  response.end(body);
});
server.listen({ host: "127.0.0.1", port: 0, backlog: 4096 }, () => {
  console.log(`Starting server at port ${server.address().port}...`);
});
