// A goroutine for each connection, and one thread: `go_server`, `go_server keep`.
package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"runtime"
	"strconv"
)

func responseTo(request []byte, keep bool) []byte {
	message := "Received following request:\n\n" + string(request)
	end := "\r\nConnection: close\r\n\r\n"
	if keep {
		end = "\r\n\r\n"
	}
	return []byte("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
		strconv.Itoa(len(message)) + end + message)
}

func handleClient(client net.Conn, keep bool) {
	defer client.Close()
	reader := bufio.NewReader(client)
	for more := true; more; more = keep {
		var request []byte
		for !bytes.HasSuffix(request, []byte("\r\n\r\n")) {
			line, err := reader.ReadSlice('\n')
			if err != nil {
				return // the client has closed the connection
			}
			request = append(request, line...)
		}
		if _, err := client.Write(responseTo(request, keep)); err != nil {
			return
		}
	}
}

func main() {
	runtime.GOMAXPROCS(1)
	keep := len(os.Args) > 1
	config := net.ListenConfig{KeepAlive: -1} // Go alone would ask the kernel for it
	listener, err := config.Listen(context.Background(), "tcp4", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("Starting server at port %d...\n", listener.Addr().(*net.TCPAddr).Port)
	for {
		client, err := listener.Accept()
		if err != nil {
			panic(err)
		}
		go handleClient(client, keep)
	}
}
