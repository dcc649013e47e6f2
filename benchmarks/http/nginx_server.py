# nginx with one process, without the configuration of the system: `nginx_server.py close`,
# `nginx_server.py keep`. nginx doesn't support port 0, so this script chooses a free port.
import os
import shutil
import socket
import sys

keep = sys.argv[1] == "keep"
program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
if not program:
    sys.exit(77)

with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]

prefix = os.path.abspath("nginx")
os.makedirs(prefix, exist_ok=True)
with open(f"{prefix}/nginx.conf", "w") as file:
    file.write(rf"""
daemon off;
master_process off;
pid {prefix}/nginx.pid;
error_log stderr notice;
events {{ worker_connections 12000; multi_accept on; }}
http {{
  access_log off;
  server_tokens off;
  default_type text/plain;
  keepalive_timeout {600 if keep else 0};
  keepalive_requests 1000000;
  client_body_temp_path {prefix}/body;
  proxy_temp_path {prefix}/proxy;
  fastcgi_temp_path {prefix}/fastcgi;
  uwsgi_temp_path {prefix}/uwsgi;
  scgi_temp_path {prefix}/scgi;
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    location / {{
      return 200 "Received following request:\n\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }}
  }}
}}
""")
# This process becomes nginx, so that its CPU time is measured. Another process prints the port when
# nginx logs its version, because nginx listens from then on.
log_out, log_in = os.pipe()
if os.fork() == 0:
    os.close(log_in)
    with open(log_out) as log:
        if any("nginx/" in line for line in log):
            print(f"Starting server at port {port}...", flush=True)
    os._exit(0)
os.dup2(log_in, sys.stderr.fileno())
os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
os.execv(program, [program, "-e", "stderr", "-p", prefix, "-c", f"{prefix}/nginx.conf"])
