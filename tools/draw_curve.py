"""A learning curve as a picture, beside its file: `tools/draw_curve.py docs/pictures/ppo.csv`.

The file is what `examples/ppo.py` writes: seconds, decisions, the share of the wins, and the lower
end of its interval.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pelagos.train.curve import drawn, read_rows

TITLE = "Share of the wins against greedy, by minutes of learning"


def main() -> None:
    """Draw the file that is named."""
    file = Path(sys.argv[1])
    file.with_suffix(".svg").write_text(drawn(read_rows(file), TITLE))


if __name__ == "__main__":
    main()
