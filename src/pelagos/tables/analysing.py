"""A process that analyses one finished game, at the lowest priority, a round whenever it may.

It reads from standard input a line with the record and, if there is one, an older analysis; then
for each further line it works for a round, and writes the analysis as a line. It ends with its
input, or when there is nothing more to find out.

Where browsers play the games (`answers`), it only adds up what came of them: a line each for the
analysis, if a round is complete, and what is to be played next.
"""

from __future__ import annotations

import sys
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import orjson

from pelagos.engine.processes import be_nice, end_with_parent

if TYPE_CHECKING:
    from pelagos.coach import Job
    from pelagos.engine.match import Match


def as_work(number: int, jobs: list[Job]) -> dict[str, Any]:
    """Jobs as a browser's thinker takes them: names stand for what lies in its memory."""
    states = list(dict.fromkeys(job.position.states.tobytes() for job in jobs))
    places = {state: place for place, state in enumerate(states)}
    return {
        "round": number,
        "pack": b64encode(jobs[0].position.pack.data.tobytes()).decode(),
        "states": [b64encode(state).decode() for state in states],
        "calls": [
            {
                "function": f"coach_{job.loop}",
                "given": ["state", "pack", *job.given, "stream", "room", "out", "sums"],
                "state": places[job.position.states.tobytes()],
                "stream": b64encode(job.stream.tobytes()).decode(),
                "weight": job.worlds * len(job.rows),
                "sums": job.sums.size,
            }
            for job in jobs
        ],
    }


def main() -> None:
    """Analyse what is asked for."""
    be_nice()
    end_with_parent()
    from pelagos.coach import analyse

    request = orjson.loads(sys.stdin.buffer.readline())
    if "answers" in request:
        add_up_each(request)
        return
    match, older = match_and_older(request)
    rounds = analyse(match, threads=request["threads"], resume=older)
    while sys.stdin.buffer.readline():
        analysis: dict[str, Any] | None = next(rounds, None)
        if analysis is None:
            return
        write(analysis)


def match_and_older(request: dict[str, Any]) -> tuple[Match, dict[str, Any] | None]:
    """The match that a record is of, and its older analysis, if that is of this version."""
    from pelagos.coach import check
    from pelagos.engine import record as records
    from pelagos.engine.errors import PelagosError

    match, older = records.replay(request["record"]), request["analysis"]
    if older is not None:
        try:
            check(older, match)
        except PelagosError:  # another version's: begin anew
            older = None
    return match, older


def add_up_each(request: dict[str, Any]) -> None:
    """Add up what browsers have played, line by line, for whichever game."""
    while True:
        write(add_up(request))
        line = sys.stdin.buffer.readline()
        if not line:
            return
        request = orjson.loads(line)


def add_up(request: dict[str, Any]) -> dict[str, Any]:
    """The analysis, if a round is complete, and what is to be played next."""
    from pelagos.coach import BadSums, share

    match, older = match_and_older(request)
    try:
        document, number, jobs = share(match, older, request["answers"])
    except (BadSums, StopIteration, TypeError, ValueError):
        return {"malformed": True}
    return {"document": document, "work": as_work(number, jobs) if jobs else None}


def write(answer: dict[str, Any]) -> None:
    """Say something, in a line."""
    sys.stdout.buffer.write(orjson.dumps(answer) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
