#pragma once

/// Gives the main() of a server program another name, because libFuzzer has its own main().
int main(int count, char** words) __asm__("server_main");
