#pragma once

#include <string_view>

/// The request of the client, and the responses of the servers, byte by byte. Node and nginx add
/// headers.
constexpr std::string_view request_text = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
constexpr std::string_view body =
    "Received following request:\n\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
constexpr std::string_view close_answer =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 64\r\nConnection: close\r\n\r\n"
    "Received following request:\n\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
constexpr std::string_view keep_answer =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 64\r\n\r\n"
    "Received following request:\n\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
