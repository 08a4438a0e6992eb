"""Check that nobody chose the cards of a finished game, without Pelagos: verify_game.py FILE."""

import hashlib
import hmac
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    record = json.load(file)
fairness = record["fairness"]
secret = bytes.fromhex(fairness["secret"])

# Before anyone sat down, the table had published the SHA-256 of its secret.
if hashlib.sha256(secret).hexdigest() != fairness["commitment"]:
    sys.exit("The secret isn't the one that was committed to.")

# The seed is the HMAC, under that secret, of what every seat's browser added.
seed = hmac.new(secret, "/".join(fairness["bytes"]).encode(), hashlib.sha256).hexdigest()
if seed != record["seed"]:
    sys.exit("The seed doesn't follow from the secret and the seats' bytes.")
print("Fair: commitment, secret and seed agree. Compare the commitment and your bytes.")
