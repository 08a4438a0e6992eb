"""People at real pages: whole games in Chromium, by mouse, by keyboard, by ear; and what breaks."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import TimeoutError

from browser import SOAK, Party, Person, Site, decisions, lay, need_browser, read_all
from pelagos.engine.game import find_game, games
from pelagos.engine.words import words

GAMES = tuple(games())
"""A foreign one among them."""
LIGHTEST = 300_000
"""Bytes of a table page, all told, as they come over the wire."""


GRID_AS_HEARD = """grid => {
  const by = (grid.getAttribute('aria-labelledby') || '').split(' ');
  const name = grid.ariaLabel ||
    by.map(id => document.getElementById(id)?.textContent.trim()).join(' ');
  const words = cell => [...cell.querySelectorAll('*')]
    .filter(element => !element.closest('[aria-hidden]') && !element.children.length)
    .map(element => element.textContent.trim()).join(' ');
  const cells = [...grid.querySelectorAll('[role=gridcell]')].filter(c => c.checkVisibility());
  return { name, cells: cells.map(cell => (cell.ariaLabel ||
    cell.querySelector('[aria-label]')?.ariaLabel || words(cell) ||
    cell.textContent).replace(/\\s+/g, ' ').trim()) };
}"""


# --- whole games ----------------------------------------------------------------------------------


@pytest.mark.parametrize("which", GAMES)
def test_two_people_and_a_bot_play_a_whole_game(which: str, site: Site, browser: Any) -> None:
    """One in French on a phone, one in English by keyboard alone; nothing serious on the way."""
    game = find_game(which)
    most = game.players[-1]
    moves = {"motion": SOAK or which == "minnows"}
    phone = {"width": 390, "height": 844, "has_touch": True}
    mira = Person(browser, site, language="fr", settings=moves, **phone)
    bo = Person(browser, site, language="en", settings=moves, keyboard=True)
    lay(mira, which, ["me", "open"] + ["puffin"] * (min(3, most) - 2))
    link = mira.page.locator("#link").input_value()
    bo.go(link.removeprefix(site.url))
    bo.page.locator("#sit-name").fill("Bo")
    bo.page.locator("#sit button.main").click()
    for person in (mira, bo):
        person.page.locator("main.table").wait_for()
    for person, _ in decisions({0: mira, 1: bo}):
        person.move()
    for person in (mira, bo):
        assert person.page.locator("#end").is_visible()
        assert person.serious() == []
        assert person.wrong == []
    assert mira.page.locator("html").get_attribute("lang") == "fr"
    assert totals(mira) == totals(bo)
    bo.page.locator("#again").click()
    mira.page.locator("#again").click()
    bo.page.locator("main[data-over='0']").wait_for()
    mira.context.close()
    bo.context.close()


def totals(person: Person) -> list[str]:
    """The points on the podium."""
    return sorted(person.page.locator(".podium.reveal b").all_text_contents())


SAID = "before => document.getElementById('live').innerText !== before"
GO_IF_IT_WAITS = """() => {
  const go = document.querySelector("#go:enabled");
  if (go?.checkVisibility()) go.click();
}"""
"""One of several ways waits for it; else the choice is made, and it may be gone at any moment."""


@pytest.mark.parametrize("which", GAMES)
def test_a_whole_game_by_ear(which: str, site: Site, browser: Any) -> None:
    """Only roles, names and the live region: enough to play, and to rebuild the own tableau."""
    listener = Person(browser, site, settings={"onetap": True})
    players = find_game(which).default_players
    lay(listener, which, ["me"] + ["puffin"] * (players - 1))
    page = listener.page
    heard: list[str] = []
    whole = SOAK or which == "minnows"  # the shortest
    for _, message in decisions({0: listener}, whole):
        before, said_before = message["own"]["decision"], page.locator("#live").inner_text()
        choices = (
            page.get_by_role("form", name="Your choices").get_by_role("button").filter(visible=True)
        )
        named = [button for button in choices.all() if button.get_attribute("name") == "action"]
        assert named
        pick = named[listener.chance.randrange(len(named))]
        assert pick.aria_snapshot().strip()
        pick.press("Enter")
        page.evaluate(GO_IF_IT_WAITS)
        page.locator(f"main:not([data-decision='{before}']), main[data-over='1']").first.wait_for(
            state="attached"
        )
        compare_tableau(listener, which)
        with suppress(TimeoutError):  # it is said when all of the view is there, or nothing is new
            page.wait_for_function(SAID, arg=said_before, timeout=1000)
        heard.append(page.get_by_role("status").first.inner_text())
    compare_tableau(listener, which)
    assert len(heard) > 3
    assert len(set(heard)) > len(heard) / 2, heard  # something new is said at most decisions
    assert listener.wrong == []
    listener.context.close()


def compare_tableau(listener: Person, which: str) -> None:
    """What the grids' roles and names tell is what the view says."""
    said = words(find_game(which), "en")
    main = listener.page.locator("main")
    while True:  # until the table waits for the listener, or is over
        shown = main.get_attribute("data-number")
        grids = heard_grids(listener.page)
        answer = listener.ask(listener.table, 0)
        if str(answer["number"]) == shown == main.get_attribute("data-number"):
            break
    view = answer["view"]
    names = [seat["name"] for seat in answer["table"]["seats"]]
    for place in view["places"]:
        label = said.say(place["label"], names, you=0)
        pieces = [
            piece
            for piece in view["pieces"]
            if piece["place"] == place["key"] and piece["at"] is not None
        ]
        if place["seat"] != 0 or not pieces:
            continue
        called = next((name for name in grids if name.startswith(label)), "")
        assert called, (label, list(grids))
        wanted = sorted(said.noun(piece["face"]) for piece in pieces)
        cells = list(grids[called])
        for noun in wanted:
            match = next((cell for cell in cells if noun in cell), None)
            assert match is not None, (label, noun, grids[called])
            cells.remove(match)


def heard_grids(page: Any) -> dict[str, list[str]]:
    """Every grid's name with its cells' names, as a screen reader has them at one moment."""
    grids = read_all(page.get_by_role("grid"), f"all => all.map({GRID_AS_HEARD})")
    return {grid["name"]: grid["cells"] for grid in grids}


# --- what breaks ----------------------------------------------------------------------------------


def test_the_page_goes_on_after_a_restart_in_the_middle_of_a_choice(
    tmp_path: Any, browser: Any
) -> None:
    need_browser()
    site = Site(tmp_path).start().wait()
    mira = Person(browser, site)
    mira.context.add_cookies([{"name": "pelagos-plain", "value": "1", "url": site.url}])
    lay(mira, "oceanos", ["me", "puffin", "puffin"])
    assert mira.wait()
    mira.page.locator("#choices > summary").click()
    mira.page.locator("#why-0 > summary, #choices > summary").first.focus()
    before = mira.decision
    lit = mira.page.locator("#act button.choice:not(.listed):visible").first
    lit.click()
    chosen = mira.page.locator("#go-say").inner_text()
    lit.focus()
    focused = mira.page.evaluate("document.activeElement.id")
    site.kill()
    mira.page.locator("#net:not([hidden])").wait_for()
    site.start().wait()
    mira.page.locator("#net[hidden]").wait_for(state="attached")
    assert mira.page.locator("#choices").get_attribute("open") is not None
    assert mira.page.locator("#go-say").inner_text() == chosen
    assert mira.page.evaluate("document.activeElement.id") == focused
    mira.page.locator("#go").click()
    mira.page.locator(f"main:not([data-decision='{before}'])").wait_for(state="attached")
    assert mira.page.locator("#choices").count() == 0 or mira.wait()
    site.stop()
    mira.context.close()


def test_what_is_sent_while_the_line_is_cut_arrives_once(site: Site, browser: Any) -> None:
    mira = Person(browser, site)
    Party(site, "ecosystem", 2).seat(mira)
    before = mira.decision
    mira.page.locator("#act button.choice:not(.listed):visible").first.click()
    mira.context.set_offline(True)
    mira.page.locator("#go").click()
    mira.page.locator("#net:not([hidden])").wait_for()
    mira.context.set_offline(False)
    mira.page.locator(f"main:not([data-decision='{before}'])").wait_for(state="attached")
    mira.page.locator("#net[hidden]").wait_for(state="attached")
    after = mira.decision
    mira.page.reload()
    assert mira.decision == after
    mira.context.close()


def test_a_tab_that_slept_shows_the_newest_view(site: Site, browser: Any) -> None:
    mira, bo = Person(browser, site), Person(browser, site, language="fr")
    lay(mira, "ozeanien", ["me", "open"])
    bo.go(mira.page.url.removeprefix(site.url))
    bo.page.locator("#sit-name").fill("Bo")
    bo.page.locator("#sit button.main").click()
    for person in (mira, bo):
        person.page.locator("main.table").wait_for()
    sleeper, mover = (bo, mira) if mira.page.locator("main[data-owes='1']").count() else (mira, bo)
    mover.page.locator("main[data-owes='1']").wait_for(state="attached")
    tab = sleeper.context.new_cdp_session(sleeper.page)
    tab.send("Page.setWebLifecycleState", {"state": "frozen"})
    while mover.page.locator("main[data-owes='1']").count():
        mover.move()
    tab.send("Page.setWebLifecycleState", {"state": "active"})
    sleeper.page.locator("main[data-owes='1']").wait_for(state="attached")
    mira.context.close()
    bo.context.close()


def test_open_panels_stay_open_and_alive_through_updates(site: Site, browser: Any) -> None:
    mira = Person(browser, site)
    mira.context.add_cookies([{"name": "pelagos-plain", "value": "1", "url": site.url}])
    lay(mira, "oceanos", ["me", "puffin", "puffin"])
    for _ in range(4):
        assert mira.wait()
        mira.move()
    assert mira.wait()
    closed = mira.page.locator("#view details:not([open]) > summary")
    while closed.count():
        closed.first.click()
    names = read_all(mira.page.locator("#view details"), "all => all.map(panel => panel.id)")
    mira.move()
    assert mira.wait()
    for name in names:
        panel = mira.page.locator(f"#{name}")
        if panel.count():
            assert panel.get_attribute("open") is not None
            panel.locator("> summary").click()
            assert panel.get_attribute("open") is None
            panel.locator("> summary").click()
    assert mira.wrong == []
    mira.context.close()


def test_a_tap_before_the_script_is_there_is_not_lost(site: Site, browser: Any) -> None:
    mira = Person(browser, site)
    held: list[Any] = []
    mira.page.route("**/app.js*", lambda route: held.append(route))
    Party(site, "ecosystem", 3).seat(mira, until="commit")
    lit = mira.page.locator("#act button.choice:not(.listed):visible").first
    lit.click()
    assert mira.page.locator("html[data-ready]").count() == 0
    assert mira.page.locator("#commit").is_hidden()
    held[0].continue_()
    mira.page.locator("#go").wait_for()
    assert mira.page.locator("#act .is-chosen").count()
    mira.context.close()


def test_without_script_a_table_is_laid_and_played(site: Site, browser: Any) -> None:
    """Forms alone: their posts have an origin, and each choice is a button of one form."""
    mira = Person(browser, site, java_script_enabled=False)
    mira.go("/new/ozeanien?players=2")
    mira.page.locator("form[method='post'][action^='/new'] button.main").click()
    while not mira.page.locator("main[data-owes='1']").count():  # the bot may begin
        mira.page.goto(mira.page.url)
    before = mira.decision
    mira.page.locator("#act button.choice:visible").first.click()
    mira.page.locator(f"main:not([data-decision='{before}'])").wait_for(state="attached")
    mira.context.close()


HEARD = """
window.heard = [];
for (const kind of ['createOscillator', 'createBufferSource']) {
  const made = AudioContext.prototype[kind];
  AudioContext.prototype[kind] = function () { heard.push(kind); return made.call(this); };
}
navigator.vibrate = pattern => heard.push('vibrate');
"""


@pytest.mark.parametrize("on", [True, False])
def test_sounds_and_vibration_only_for_those_who_asked(on: bool, site: Site, browser: Any) -> None:
    mira = Person(browser, site, settings={"sound": on, "vibrate": on})
    mira.context.add_init_script(HEARD)
    party = Party(site, "ecosystem", 3)
    party.seat(mira)
    mira.move()
    mira.page.locator("main[data-owes='0']").wait_for(state="attached")
    for _ in range(2):
        for seat in party.look(0)["table"]["waiting"]:
            if seat:
                party.move(seat)
    mira.wait()
    wanted = ["createBufferSource", "createOscillator", "vibrate"] if on else []
    mira.page.wait_for_function("wanted => new Set(heard).size >= wanted", arg=len(wanted))
    assert mira.page.evaluate("[...new Set(heard)].sort()") == wanted
    assert "●" in mira.page.title()
    assert "turn" in mira.page.locator("#favicon").get_attribute("href")
    assert mira.wrong == []
    mira.context.close()


def test_a_decision_of_several_steps_can_be_stepped_back(site: Site, browser: Any) -> None:
    """On the plain table: what was chosen so far stands there; undo takes back the last step."""
    party = Party(site, "oceanos", 3)
    for phase in party.phases():
        if "extra" in phase:
            break
    mira = Person(browser, site)
    mira.context.add_cookies([{"name": "pelagos-plain", "value": "1", "url": site.url}])
    party.seat(mira)
    steps = mira.page.locator(".so-far li")
    assert "You keep" in steps.first.inner_text()
    before = mira.decision
    mira.page.locator("#undo").click()
    mira.page.locator(f"main:not([data-decision='{before}'])").wait_for(state="attached")
    assert steps.count() == 0
    assert mira.page.locator("#act button.choice:not(.listed):visible").count() > 1
    mira.context.close()


# --- the end -------------------------------------------------------------------------------------


def near_the_end(site: Site, which: str, players: int) -> Party:
    """A game with one move of seat 0 left in it, as the same deal played before tells."""
    length = len(list(Party(site, which, players, 1).phases()))
    party = Party(site, which, players, 1)
    steps = party.phases()
    for _ in range(length - 1):
        next(steps)
    party.rest = steps
    return party


WINNER_WHILE_COUNTING = """() => {
  const sheet = document.getElementById("sheets");
  if (!sheet?.matches(":has(.is-uncounted):has([data-line]:not(.is-uncounted))")) return null;
  return document.querySelector(".podium.reveal").checkVisibility() ? "seen" : "hidden";
}"""


@pytest.mark.parametrize("which", GAMES)
def test_the_sheet_is_counted_line_by_line(which: str, site: Site, browser: Any) -> None:
    mira = Person(browser, site, settings={"motion": True})
    party = near_the_end(site, which, 2)
    party.seat(mira)
    page = mira.page
    page.locator("html[data-ready]").wait_for()
    list(party.rest)
    page.locator("html.is-counting").wait_for(state="attached")
    lines = read_all(
        page.locator("#sheets [data-line][data-seat]"),
        "all => new Set(all.map(cell => cell.dataset.line)).size",
    )
    assert lines > 1
    while_counting = page.wait_for_function(WINNER_WHILE_COUNTING).json_value()
    assert while_counting == "hidden"
    page.mouse.click(4, 4)
    assert page.locator("html.is-counting").count() == 0
    assert page.locator(".is-uncounted").count() == 0
    shown = page.locator("#sheets [data-total]").all_inner_texts()
    totals = read_all(
        page.locator("#sheets [data-total]"), "all => all.map(total => total.dataset.total)"
    )
    assert [text.replace("−", "-") for text in shown] == totals
    sums = read_all(
        page.locator("#sheets [data-line][data-seat='0']"),
        "all => all.reduce((sum, cell) => sum + Number(cell.dataset.points), 0)",
    )
    assert page.locator(f"#sheets [data-total='{sums}'][data-seat='0']").count()
    assert mira.wrong == []
    mira.context.close()


# --- what it weighs, what moves ------------------------------------------------------------------


@pytest.mark.parametrize("which", GAMES)
def test_a_table_page_is_light(which: str, site: Site, browser: Any) -> None:
    """Everything that a first visit loads, as it comes over the wire, its first view included."""
    mira = Person(browser, site)
    lay(mira, which, ["me"] + ["puffin"] * (find_game(which).default_players - 1))
    address = mira.page.url
    session = mira.context.new_cdp_session(mira.page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    sizes: list[float] = []
    session.on("Network.dataReceived", lambda event: sizes.append(event["encodedDataLength"]))
    session.on("Network.loadingFinished", lambda event: None)
    with mira.page.expect_response(lambda got: "sprite.svg?" in got.url) as art:
        mira.page.goto(address, wait_until="load")
    assert "immutable" in art.value.headers["cache-control"]
    mira.page.wait_for_timeout(1500)
    assert 0 < sum(sizes) < LIGHTEST
    mira.context.close()


def test_only_translate_transform_and_opacity_move(site: Site, browser: Any) -> None:
    mira = Person(browser, site, settings={"motion": True})
    lay(mira, "ecosystem", ["me", "puffin", "puffin"])
    seen: set[str] = set()
    for _ in range(12):
        if not mira.wait():
            break
        mira.move()
        seen |= set(
            mira.page.evaluate(
                "document.getAnimations().flatMap(a => a.effect.getKeyframes().flatMap("
                "k => Object.keys(k))).filter(k => !['offset', 'easing', 'composite',"
                "'computedOffset'].includes(k))"
            )
        )
    assert seen <= {"translate", "transform", "opacity"}
    mira.context.close()


FLIGHTS = """async () => {
  const { fly, measure } = await import('/static/app/motion.js');
  const things = [...document.querySelectorAll('#view [data-fly][id]')]
    .filter(element => !element.parentElement.closest('[data-fly]'))
    .filter(element => {
      const box = element.getBoundingClientRect();
      return box.width && box.top < innerHeight && box.bottom > 0;
    });
  const rests = new Map(things.map(element => [element, element.getBoundingClientRect()]));
  const before = measure();
  for (const [element, rest] of rests) {
    const box = new DOMRect(rest.x + 100, rest.y + 40, rest.width, rest.height);
    before.set(element.id, { box, face: element.dataset.face ?? null });
  }
  fly(before);
  const flights = document.getAnimations();
  for (const flight of flights) flight.pause();
  const away = part => {
    for (const flight of flights) flight.currentTime = part * flight.effect.getTiming().duration;
    return [...rests].map(([element, rest]) => {
      const box = element.getBoundingClientRect();
      return [element.id, Math.round(box.x - rest.x), Math.round(box.y - rest.y)];
    });
  };
  return { count: things.length, start: away(0), end: away(0.999) };
}"""
"""How far from its resting place each thing is as its flight begins, and as it ends."""


@pytest.mark.parametrize("which", GAMES)
def test_things_fly_from_where_they_were_to_where_they_rest(
    which: str, site: Site, browser: Any
) -> None:
    party = Party(site, which, find_game(which).players[-1], 1)
    phases = party.phases()
    for _ in range(20):
        next(phases)
    mira = Person(browser, site, settings={"motion": True})
    party.seat(mira)
    mira.page.locator("html[data-ready]").wait_for()
    flown = mira.page.evaluate(FLIGHTS)
    assert flown["count"]
    assert [flight for flight in flown["start"] if flight[1:] != [100, 40]] == []
    assert [flight for flight in flown["end"] if flight[1:] != [0, 0]] == []
    assert mira.wrong == []
    mira.context.close()


def test_reduced_motion_moves_nothing(site: Site, browser: Any) -> None:
    mira = Person(browser, site, settings={"motion": True}, reduced_motion="reduce")
    lay(mira, "oceanos", ["me", "puffin", "puffin"])
    for _ in range(3):
        assert mira.wait()
        mira.move()
        assert mira.page.evaluate("document.getAnimations().length") == 0
    mira.context.close()
