#!/usr/bin/env python3
"""Drives a body of a running simulation from outside the engine, and is told of its collisions.

    rigor view scenes/fencing.json --port 8080 --no-open &
    examples/driver_client/driver_client.py 8080 --body "red weapon"

It needs Python 3 alone: the WebSocket protocol is the small part of RFC 6455 below. A body whose
driver has a grid is moved along a figure of eight of grid coordinates; another one along a circle
around where it was. Each message `driven` is printed, and the program draws back for a moment after
each blow. It ends after --seconds, or after --hits blows; the exit code is 1 when there were fewer.
"""
import argparse
import base64
import json
import math
import os
import socket
import struct
import sys
import time


class WebSocket:
    """A client connection that sends and receives JSON messages."""

    def __init__(self, host, port, path):
        self.socket = socket.create_connection((host, port), timeout=10)
        self.buffer = b""
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            (f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: Upgrade\r\n"
             f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
             ).encode())
        while b"\r\n\r\n" not in self.buffer:
            self.fill()
        header, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in header.split(b"\r\n")[0]:
            sys.exit("the server refuses: " + header.split(b"\r\n")[0].decode())

    def fill(self):
        data = self.socket.recv(65536)
        if not data:
            sys.exit("the server has closed the connection")
        self.buffer += data

    def take(self, count):
        while len(self.buffer) < count:
            self.fill()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def send_frame(self, opcode, payload):
        """Frames of clients are masked."""
        size = len(payload)
        head = bytes([0x80 | opcode, 0x80 | (size if size < 126 else 126 if size < 65536 else 127)])
        if size >= 126:
            head += struct.pack(">H" if size < 65536 else ">Q", size)
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))
        self.socket.sendall(head + mask + masked)

    def send(self, message):
        self.send_frame(1, json.dumps(message).encode())

    def receive(self):
        """The next JSON message; frames of poses, which are binary, are passed over."""
        while True:
            first, second = self.take(2)
            size = second & 127
            if size == 126:
                size = struct.unpack(">H", self.take(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.take(8))[0]
            payload = self.take(size)
            opcode = first & 15
            if opcode == 8:
                sys.exit("the server says good-bye")
            if opcode == 9:
                self.send_frame(10, payload)
            elif opcode == 1:
                return json.loads(payload)

    def has_message(self):
        """Whether something has arrived, without waiting."""
        if self.buffer:
            return True
        self.socket.settimeout(0.002)
        try:
            self.fill()
        except TimeoutError:
            return False
        finally:
            self.socket.settimeout(10)
        return True


def find_driver(scene, wanted):
    """The driver of the body with a name, or the first one."""
    world = scene["worlds"][0]
    names = {body["index"]: body["name"] for body in world["bodies"]}
    for driver in world.get("drivers", []):
        if wanted in (None, names[driver["body"]]):
            return driver
    sys.exit(f"no input driver on {wanted or 'any body'}: there are "
             f"{[names[d['body']] for d in world.get('drivers', [])]}")


def input_at(driver, start, seconds, is_hurt):
    """Where the driver wants its body after so many seconds."""
    message = {"type": "input", "body": driver["body"]}
    angle = 2 * seconds
    if driver["grid"]:
        back = {"x": 0, "y": -1}
        return message | (back if is_hurt else {"x": math.sin(angle), "y": math.sin(2 * angle)})
    x, y, z = start
    away = [x, y, z - 0.1]
    circle = [x + 0.1 * (math.cos(angle) - 1), y + 0.1 * math.sin(angle), z]
    return message | {"position": away if is_hurt else circle, "orientation": [1, 0, 0, 0]}


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("port", type=int)
    arguments.add_argument("--host", default="127.0.0.1")
    arguments.add_argument("--path", default="/ws", help="with the token, where one is needed")
    arguments.add_argument("--scene", help="opens this scene of the gallery first")
    arguments.add_argument("--body", help="its name; the first body with a driver by default")
    arguments.add_argument("--seconds", type=float, default=30)
    arguments.add_argument("--hits", type=int, default=0, help="ends after so many blows")
    options = arguments.parse_args()

    server = WebSocket(options.host, options.port, options.path)
    server.send({"type": "hello", "protocol": 1})
    if options.scene:
        server.send({"type": "open", "scene": options.scene})
    while True:
        message = server.receive()
        if message["type"] == "error":
            sys.exit(message["message"])
        if message["type"] == "scene" and options.scene in (None, message["file"]):
            break
    driver = find_driver(message, options.body)
    server.send({"type": "inspect", "body": driver["body"]})
    while (message := server.receive())["type"] != "body":
        pass
    start = message["position"]
    server.send({"type": "inspect", "body": None})

    begin, hits, hurt_until, next_input = time.monotonic(), 0, 0, 0
    while (now := time.monotonic() - begin) < options.seconds:
        if now >= next_input:
            server.send(input_at(driver, start, now, now < hurt_until))
            next_input = now + 1 / 60
        if not server.has_message():
            continue
        message = server.receive()
        if message["type"] == "error":
            sys.exit(message["message"])
        if message["type"] != "driven":
            continue
        for event in message["events"]:
            if event["body"] != driver["body"]:
                continue
            hits += 1
            hurt_until = now + 0.3
            print(f"step {event['step']}: impulse {event['impulse']} N s, "
                  f"velocity now {event['velocity']} m/s", flush=True)
        if options.hits and hits >= options.hits:
            break
    print(f"{hits} blows in {now:.1f} s")
    sys.exit(0 if hits >= options.hits else 1)


if __name__ == "__main__":
    main()
