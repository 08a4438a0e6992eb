"""Learning curves: a file of numbers, and a picture of it."""

from __future__ import annotations

import csv
from pathlib import Path

WIDTH, HEIGHT = 720, 360
LEFT, RIGHT, TOP, BOTTOM = 56, 20, 20, 44
INK, GRID, SEA = "#6b7b8a", "#9aa8b455", "#1380b8"
MINUTES = (1, 2, 5, 10, 20, 60, 120)
MOST_MARKS = 12


def drawn(rows: list[dict[str, float]], title: str) -> str:
    """The share of the wins by minutes of learning, with its interval as a band."""
    longest = max(1.0, *(row["seconds"] for row in rows))
    every = next((step for step in MINUTES if longest / 60 / step <= MOST_MARKS), MINUTES[-1])

    def place(seconds: float, share: float) -> str:
        across = LEFT + (WIDTH - LEFT - RIGHT) * seconds / longest
        return f"{across:.1f},{TOP + (HEIGHT - TOP - BOTTOM) * (1 - min(max(share, 0), 1)):.1f}"

    def line(share: float, colour: str, text: str) -> str:
        first, last = place(0, share).split(","), place(longest, share).split(",")
        return (
            f'<line x1="{first[0]}" y1="{first[1]}" x2="{last[0]}" y2="{last[1]}" '
            f'stroke="{colour}"/><text x="{LEFT - 8}" y="{float(first[1]) + 4}" '
            f'text-anchor="end">{text}</text>'
        )

    upper = [(row["seconds"], 2 * row["share"] - row["lower"]) for row in rows]
    lower = [(row["seconds"], row["lower"]) for row in reversed(rows)]
    band = " ".join(place(*point) for point in [*upper, *lower])
    curve = " ".join(place(row["seconds"], row["share"]) for row in rows)
    minutes = "".join(
        f'<text x="{place(60 * minute, 0).split(",")[0]}" y="{HEIGHT - BOTTOM + 18}" '
        f'text-anchor="middle">{minute}</text>'
        for minute in range(0, int(longest // 60) + 1, every)
    )
    grid = "".join(line(share / 4, GRID, f"{25 * share} %") for share in range(5))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="13" fill="{INK}">'
        f"<title>{title}</title>"
        f'{grid}{minutes}<text x="{WIDTH - RIGHT}" y="{HEIGHT - 8}" text-anchor="end">'
        f'minutes of learning</text><polygon points="{band}" fill="{SEA}" opacity="0.2"/>'
        f'<polyline points="{curve}" fill="none" stroke="{SEA}" stroke-width="2.5"/></svg>\n'
    )


def read_rows(file: Path) -> list[dict[str, float]]:
    """A file's rows; none if there is no file."""
    if not file.is_file():
        return []
    with file.open(newline="") as lines:
        return [{name: float(text) for name, text in row.items()} for row in csv.DictReader(lines)]


def write_rows(file: Path, rows: list[dict[str, float]], title: str) -> None:
    """Write the numbers, and beside them the picture."""
    with file.open("w", newline="") as lines:
        writer = csv.DictWriter(lines, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    file.with_suffix(".svg").write_text(drawn(rows, title))
