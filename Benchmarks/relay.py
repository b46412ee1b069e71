"""relay.py MILLISECONDS LISTEN:TARGET...: passes what arrives at each port of this machine on to another one, so many
milliseconds later in either direction: a distance between servers."""

import asyncio
import collections
import sys


async def carry(reader, writer, delay):
    loop = asyncio.get_running_loop()
    parts = collections.deque()
    arrived = asyncio.Event()

    async def send():
        while True:
            while not parts:
                arrived.clear()
                await arrived.wait()
            due, part = parts.popleft()
            wait = due - loop.time()
            if wait > 0:
                await asyncio.sleep(wait)
            if not part:
                writer.close()
                return
            writer.write(part)
            await writer.drain()

    sending = asyncio.create_task(send())
    part = b"?"
    while part:
        try:
            part = await reader.read(1 << 16)
        except ConnectionError:
            part = b""
        parts.append((loop.time() + delay, part))
        arrived.set()
    try:
        await sending
    except ConnectionError:
        writer.close()


def accept(target, delay):
    async def relay(reader, writer):
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", target)
        except OSError:
            writer.close()
            return
        await asyncio.gather(
            carry(reader, far_writer, delay), carry(far_reader, writer, delay))

    return relay


async def main():
    delay = float(sys.argv[1]) / 1000
    servers = []
    for pair in sys.argv[2:]:
        listen, target = pair.split(":")
        servers.append(
            await asyncio.start_server(accept(int(target), delay), "127.0.0.1", int(listen)))
    await asyncio.gather(*(server.serve_forever() for server in servers))


asyncio.run(main())
