"""Receives webhooks of the sandbox, as in `python webhooks.py .local/credentials.json` beside `npm start`."""

import asyncio
import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

from countersign import AsyncClient, WebhookRefusedError, verify_webhook

secret = ""
received: list[str] = []


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = verify_webhook(body, self.headers, secret=secret)
        except WebhookRefusedError:
            self.send_response(401)
        else:
            received.append(event["type"])
            self.send_response(204)
        self.end_headers()


async def main(credentials: dict[str, str]) -> None:
    global secret
    server = HTTPServer(("127.0.0.1", 0), Receiver)
    Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/"
    async with AsyncClient(credentials["base_url"], credentials["api_key"], credentials["api_secret"]) as client:
        webhook = await client.create_webhook({"url": url, "events": ["wallet.created"]})
        secret = webhook.get("secret", "")
        await client.ping_webhook(webhook["id"])
        while "webhook.ping" not in received:
            await asyncio.sleep(0.1)
        await client.delete_webhook(webhook["id"])
    print("received", received)


asyncio.run(main(json.loads(Path(sys.argv[1]).read_text())))
