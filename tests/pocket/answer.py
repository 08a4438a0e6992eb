"""Run by Pyodide (`run.mjs`): the views of records, the coach, and whole games by bots."""

import hashlib
import json
import sys
from pathlib import Path

sys.modules["numpy"] = sys.modules["numba"] = None  # whoever asks for them is refused

import orjson  # noqa: E402

from pelagos.bots import Budget, Player, decide  # noqa: E402
from pelagos.coach import analyse  # noqa: E402
from pelagos.engine.browser import module_of  # noqa: E402
from pelagos.engine.match import Match  # noqa: E402
from pelagos.tables import fairness  # noqa: E402

plan = json.loads(asked)  # noqa: F821
answers = {"views": [], "coached": [], "games": []}
for views in plan["views"]:
    match = Match.replay(views["record"])
    for step in views["steps"]:
        then = match.at(step)
        seen = [orjson.dumps(then.view(viewer)) for viewer in range(-1, match.players)]
        answers["views"].append([hashlib.sha256(view).hexdigest() for view in seen])
for record in plan["coached"]:
    document = next(analyse(Match.replay(record).at(plan["coached_steps"])))
    answers["coached"].append(hashlib.sha256(orjson.dumps(document)).hexdigest())
for wanted in plan["games"]:
    assert module_of(wanted["game"]) is not None
    parts = [""] * wanted["players"]
    secret = fairness.public_secret(wanted["game"])
    seed = fairness.seed(secret, parts)
    match = Match.new(wanted["game"], players=wanted["players"], seed=seed)
    players = [Player(wanted["bots"][seat % len(wanted["bots"])]) for seat in range(match.players)]
    failures = []
    while not match.over:
        for seat in match.pending:
            made = decide(match, seat, players[seat], Budget(simulations=wanted["simulations"]))
            failures += [made.failure] if made.failure else []
            match.play(seat, made.action)
    proof = {"commitment": fairness.commitment(secret), "secret": secret, "bytes": parts}
    answers["games"].append({"record": {**match.record(), "fairness": proof}, "failures": failures})
Path(plan["answers"]).write_text(json.dumps(answers))
