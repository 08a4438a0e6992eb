"""Check that nobody chose the cards of a finished game, without Pelagos: verify_game.py FILE."""

import hashlib
import hmac
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    record = json.load(file)
fairness = record["fairness"]
secret = bytes.fromhex(fairness["secret"])
beacon = fairness.get("beacon")

# Before anyone sat down, the table had published the SHA-256 of its secret.
if hashlib.sha256(secret).hexdigest() != fairness["commitment"]:
    sys.exit("The secret isn't the one that was committed to.")

# A beacon's randomness is the SHA-256 of its signature.
if (
    beacon
    and hashlib.sha256(bytes.fromhex(beacon["signature"])).hexdigest() != beacon["randomness"]
):
    sys.exit("The beacon's randomness doesn't follow from its signature.")

# The seed is the HMAC, under that secret, of what every seat's browser added, and the beacon.
parts = fairness["bytes"] + ([beacon["randomness"]] if beacon else [])
seed = hmac.new(secret, "/".join(parts).encode(), hashlib.sha256).hexdigest()
if seed != record["seed"]:
    sys.exit("The seed doesn't follow from the secret, the seats' bytes and the beacon.")
print("Fair: commitment, secret and seed agree. Compare the commitment and your bytes.")
if beacon:
    print(f"Compare the beacon's round too: {beacon['address']}/public/{beacon['round']}")
