import json
import secrets
import sys

from websockets.sync.client import connect

url, secret = sys.argv[1:]
with connect(url) as socket:

    def send(**message):
        socket.send(json.dumps(message))

    send(type="hello", protocol=1, name="Robin", secret=secret)
    settings = {"options": {"rows": 2, "cols": 2}}
    send(type="create_room", id=1, token=secrets.token_hex(8), settings=settings)
    send(type="seat_bot", id=2, bot="greedy")
    send(type="start", id=3)
    free, ply, ended = [f"{way}{number}" for way in "hv" for number in range(6)], 0, False
    while not ended:
        for event in json.loads(socket.recv()).get("events", []):
            if event["type"] == "played":
                free.remove(event["move"])
                ply += 1
            if event["type"] == "started" or event.get("to_move") == 0:
                send(type="play", id=4 + ply, seat=0, move=free[0], ply=ply)
            if ended := event["type"] == "ended":
                print("boxes:", event["scores"])
