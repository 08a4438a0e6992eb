"""Océanide's own table in a real browser: taking two, confirming always, hearing every showcase."""

from __future__ import annotations

from typing import Any

from test_web_play import heard_grids

from browser import Party, Person, Site, box, read, read_all, resize
from fit import unfit_anywhere
from pelagos.engine.game import find_game
from pelagos.engine.words import words


def until(party: Party, wanted: str, least: int = 0) -> dict[str, Any]:
    """Play on until seat 0 is asked this, with so many choices; its message."""
    for _ in party.phases():
        message = party.look(0)
        view = message["view"]
        if view["prompt"]["key"] == wanted and 0 in message["table"]["waiting"]:
            labels = [choice["label"]["key"] for choice in view["choices"]]
            if labels.count("label.take_two") >= least:
                return message
    raise AssertionError(f"Nobody was asked {wanted}.")


def test_two_are_taken_one_after_the_other(site: Site, browser: Any) -> None:
    for keyboard in (False, True):
        party = Party(site, "oceanide", 3, 5)
        message = until(party, "prompt.take", 3)
        mira = Person(browser, site, width=390, height=844)
        party.seat(mira)
        page = mira.page
        page.locator("html[data-ready]").wait_for()
        picks = page.locator("button.pick")
        assert picks.count() >= 3
        counter = page.locator("[data-counter]")

        def take(number: int, page: Any = page, picks: Any = picks, keys: bool = keyboard) -> None:
            if keys:
                picks.nth(number).focus()
                page.keyboard.press("Enter")
            else:
                picks.nth(number).click()

        take(0)
        assert counter.inner_text() == "1 of 2"
        assert page.locator("#go").is_disabled()
        assert page.locator("#commit-receipt li").count() == 1
        take(0)
        assert counter.inner_text() == "0 of 2"
        take(0)
        take(1)
        take(2)  # the oldest goes
        assert counter.inner_text() == "2 of 2"
        pressed = page.locator("button.pick[aria-pressed='true']")
        kinds = read_all(pressed, "all => all.map(button => button.dataset.pick)")
        assert len(kinds) == 2
        said = words(find_game("oceanide"), "en")
        assert {said.noun(kind) in page.locator("#go-say").inner_text() for kind in kinds} == {True}
        asked = page.locator("#commit-receipt li")
        assert asked.count() == 3
        page.locator("#go").click()
        page.locator(
            "main[data-owes='0'], main:not([data-decision='{}'])".format(message["own"]["decision"])
        ).first.wait_for(state="attached")
        log = party.look(0)["view"]["events"]
        named = [event["params"] for event in log if event["key"] == "event.take_two"][-1]
        assert {named["card"]["noun"], named["other"]["noun"]} == set(kinds)
        assert mira.wrong == []
        mira.context.close()


def test_the_prompt_keeps_its_width_beside_what_can_be_taken_back(site: Site, browser: Any) -> None:
    party = Party(site, "oceanide", 3, 5)
    for _ in party.phases():
        message = party.look(0)
        if message["own"]["undo"] and message["view"]["prompt"]["key"] == "prompt.act":
            break
    mira = Person(browser, site, language="fr", height=844)
    for width in (390, 768, 1024, 1366):
        resize(mira.page, width, 844)
        party.seat(mira)
        mira.page.locator("html[data-ready]").wait_for()
        assert mira.page.locator(".so-far li").count()
        prompt = box(mira.page.locator("#prompt"))
        assert prompt["width"] > 150, width
        assert prompt["height"] < 844 / 6, width
    assert mira.wrong == []
    mira.context.close()


def test_one_tap_never_plays_here(site: Site, browser: Any) -> None:
    party = Party(site, "oceanide", 3, 5)
    until(party, "prompt.act")
    mira = Person(browser, site, settings={"onetap": True})
    party.seat(mira)
    mira.page.locator("html[data-ready]").wait_for()
    before = mira.decision
    mira.page.locator("#act button.choice:not(.listed):visible").first.click()
    mira.page.locator("#go").wait_for()
    assert mira.decision == before
    mira.context.close()


def test_what_cannot_be_chosen_says_why_when_it_is_tapped(site: Site, browser: Any) -> None:
    party = Party(site, "oceanide", 3, 5)
    message = until(party, "prompt.act")
    said = words(find_game("oceanide"), "en")
    names = [seat["name"] for seat in message["table"]["seats"]]
    mira = Person(browser, site, width=390, height=844)
    party.seat(mira)
    page = mira.page
    page.locator("html[data-ready]").wait_for()
    why = page.locator(".why")
    assert why.is_hidden()
    key, reason = next(
        (key, reason)
        for key, reason in message["view"]["why"].items()
        if key.startswith("showcase0.")
    )
    kind = key.partition(".")[2]
    page.locator(f".mine .slot[data-kind='{kind}']").click()
    assert why.inner_text() == said.say(reason, names)
    assert page.locator("#live").inner_text().strip().endswith(said.say(reason, names))
    page.locator("#prompt").click()
    assert why.is_hidden()
    assert mira.wrong == []
    mira.context.close()


def test_every_showcase_and_the_own_hand_are_heard(site: Site, browser: Any) -> None:
    said = words(find_game("oceanide"), "en")
    listener = Person(browser, site)
    for step in (4, 30):
        party = Party(site, "oceanide", 4, 2)
        phases = party.phases()
        for _ in range(step):
            next(phases)
        party.seat(listener)
        listener.page.locator("html[data-ready]").wait_for()
        grids = heard_grids(listener.page)
        message = party.look(0)
        names = [seat["name"] for seat in message["table"]["seats"]]
        places = {place["key"]: place for place in message["view"]["places"]}
        pieces = {piece["key"]: piece for piece in message["view"]["pieces"]}
        for seat in range(4):
            cells = grids[said.say(places[f"showcase{seat}"]["label"], names, 0)]
            assert len(cells) == 13
            for kind, cell in zip(KINDS, cells, strict=True):
                assert cell.startswith(said.noun(kind))
                assert (": shown" in cell) == (f"showcase{seat}.{kind}" in pieces)
                held = pieces.get(f"hand{seat}.{kind}")
                known = "in hand" if seat == 0 else "seen in hand"
                assert (f"{held['count']} {known}" in cell) if held else known not in cell
    assert listener.wrong == []
    listener.context.close()


KINDS = (
    "trident", "button", "moon", "smoker", "key", "star", "fareye",
    "scales", "rum", "fang", "tear", "sun", "heart",
)  # fmt: skip


def test_collections_are_closed_unless_the_host_opens_them(site: Site, browser: Any) -> None:
    mira = Person(browser, site)
    for opens in (True, False):
        mira.go("/new/oceanide?players=3")
        mira.page.locator("#name").fill("Mira")
        if opens:
            mira.page.locator("input[name='table-closed']").uncheck()
        mira.page.locator("form[method='post'][action^='/new'] button.main").click()
        mira.page.locator("#prompt").wait_for()
        mira.page.locator("html[data-ready]").wait_for()
        assert mira.page.locator(".collections .shut").count() == (0 if opens else 2)
        assert " begins" in mira.page.locator("#log").inner_text()
    party = Party(site, "oceanide", 3, 5, closed=True)
    for _ in party.phases():
        pieces = {piece["key"]: piece for piece in party.look(0)["view"]["pieces"]}
        if pieces.get("collection1", {}).get("count", 0) > 3:
            break
    party.seat(mira)
    mira.page.locator("html[data-ready]").wait_for()
    assert mira.page.locator(".shut ~ .heaps").count() == 0
    assert mira.page.locator(".theirs .num").all_inner_texts() == ["?", "?"]
    assert mira.serious() == []
    mira.context.close()


# --- fit ------------------------------------------------------------------------------------------

FORMS = ((1366, 641), (1024, 700), (844, 390), (390, 664))
"""Windows in which the act is a panel, a bar, a low bar, and below a standing matrix."""
KEPT = """() => ['#seat-0', '#seats', '.specials', '#go'].map(query => {
  const box = document.querySelector(query).getBoundingClientRect();
  return [query, ...[box.x, box.y, box.width, box.height].map(Math.round)];
})"""


def stage_boxes(mira: Person, party: Party) -> dict[tuple[int, int], Any]:
    """Where in each form the own shelf, the matrix, the own thieves and the commit are."""
    party.seat(mira)
    mira.page.locator("html[data-ready]").wait_for()
    boxes = {}
    for width, height in FORMS:
        resize(mira.page, width, height)
        boxes[width, height] = mira.page.evaluate(KEPT)
    return boxes


def test_the_kings_question_takes_the_place_of_the_act(site: Site, browser: Any) -> None:
    party = Party(site, "oceanide", 3, 5)
    mira = Person(browser, site, settings={"motion": False})
    until(party, "prompt.act")
    before = stage_boxes(mira, party)
    message = until(party, "prompt.king_steal")
    assert "until" not in message["table"]  # the table has no pace: no clock runs
    after = stage_boxes(mira, party)
    for form in FORMS[:3]:
        assert after[form] == before[form], form
    # On a low phone rows come and go with what lies in them; matrix and commit stay.
    assert after[FORMS[3]][1] == before[FORMS[3]][1]
    assert after[FORMS[3]][3][1:3] == before[FORMS[3]][3][1:3]
    assert mira.page.locator("dialog[open], :popover-open").count() == 0
    assert mira.page.locator(".mine .wanted").count() == 1
    assert mira.page.locator("#commit-receipt li").count() >= 1  # what either answer costs
    mira.page.locator("#loose .choice").last.click()
    mira.page.locator("#go").click()
    decision = message["own"]["decision"]
    mira.page.locator(f"main:not([data-decision='{decision}'])").wait_for(state="attached")
    assert mira.wrong == []
    mira.context.close()


def test_what_either_answer_costs_is_read_whole(site: Site, browser: Any) -> None:
    """In French, which takes four lines on a phone."""
    for players in (2, 5):
        party = Party(site, "oceanide", players, 5)
        until(party, "prompt.king_steal")
        mira = Person(browser, site, language="fr", settings={"motion": False})
        party.seat(mira)
        mira.page.locator("html[data-ready]").wait_for()
        for width, height in FORMS:
            mira.page.set_viewport_size({"width": width, "height": height})
            cut = mira.page.locator("#commit-receipt").evaluate(
                "costs => Math.max(...[...costs.children].map(line =>"
                " line.getBoundingClientRect().bottom)) - costs.getBoundingClientRect().bottom"
            )
            assert cut <= 1.5, (players, width, height)
        mira.context.close()


TICK = "call => getComputedStyle(call, '::after').content"


def test_a_chosen_call_keeps_its_words_and_its_place(site: Site, browser: Any) -> None:
    """A tick in its corner tells it from the large button, which says the same."""
    party = Party(site, "oceanide", 3, 5)
    while len(until(party, "prompt.act")["view"]["choices"]) < 3:
        party.move(0)
    mira = Person(browser, site, width=390, height=664, settings={"motion": False})
    party.seat(mira)
    mira.page.locator("html[data-ready]").wait_for()
    call = mira.page.locator("#loose .call", has_text="End the turn")
    before = call.bounding_box()
    call.click()
    assert mira.page.locator("#go-say").inner_text() == "End the turn"
    assert call.bounding_box() == before
    assert call.inner_text() == "End the turn"
    assert "✓" in read(call, TICK)
    call.click()
    assert "✓" not in read(call, TICK)
    assert mira.wrong == []
    mira.context.close()


def test_the_sheet_of_five_has_room_for_all_at_the_end(site: Site, browser: Any) -> None:
    party = Party(site, "oceanide", 5, 5)
    for _ in party.phases():
        pass
    for language in ("en", "fr"):
        mira = Person(browser, site, language=language, settings={"motion": False})
        party.seat(mira)
        mira.page.locator("#end").wait_for()
        for width, height in FORMS:
            mira.page.set_viewport_size({"width": width, "height": height})
            cut = mira.page.evaluate(
                "[...document.querySelectorAll('#sheets, #sheets .scroll')]"
                ".map(sheet => sheet.scrollWidth - sheet.clientWidth)"
            )
            assert max(cut) <= 0, (language, width, height)
        mira.context.close()


def test_a_pace_gives_the_kings_question_its_clock(site: Site, browser: Any) -> None:
    party = Party(site, "oceanide", 3, 5, pace="quick")
    until(party, "prompt.king_steal")
    mira = Person(browser, site, width=390, height=664, settings={"motion": False})
    party.seat(mira)
    mira.page.locator("html[data-ready]").wait_for()
    assert 0 < int(mira.page.locator(".grace").get_attribute("data-seconds") or 0) <= 60
    assert mira.page.locator("[data-clock-say]").inner_text()
    assert unfit_anywhere(mira.page, FORMS) == []
    mira.context.close()


def test_five_shelves_leave_the_own_one_in_the_window(site: Site, browser: Any) -> None:
    party = Party(site, "oceanide", 5, 5)
    until(party, "prompt.act")
    mira = Person(browser, site, width=1024, height=700)
    party.seat(mira)
    mira.page.locator("html[data-ready]").wait_for()
    shelves = [box(mira.page.locator(f"#seat-{seat}")) for seat in range(5)]
    tops = [shelf["top"] for shelf in shelves]
    ends = [shelf["bottom"] for shelf in shelves]
    assert min(tops) >= 0
    assert max(ends) <= 700
    assert tops[0] == max(tops)  # the own one is the lowest
    mira.context.close()


def test_late_collections_can_be_read(site: Site, browser: Any) -> None:
    party = Party(site, "oceanide", 5, 5)
    for phase in party.phases():
        if phase == "over":
            break
        collections = [
            piece for piece in party.look(0)["view"]["pieces"] if "collection" in piece["place"]
        ]
    mira = Person(browser, site, settings={"motion": False})
    party.seat(mira)
    mira.page.locator("html[data-ready]").wait_for()
    for width, height in FORMS:
        resize(mira.page, width, height)
        mira.page.evaluate("document.getElementById('collections').showPopover()")
        heaps = mira.page.locator("#collections .heap")
        assert heaps.count() >= len(collections)
        for heap in heaps.all():
            heap.scroll_into_view_if_needed()
            picture, words = box(heap.locator("svg")), box(heap.locator("span"))
            assert picture["width"] >= 32
            assert words["x"] >= picture["x"] + picture["width"]
            assert words["x"] + words["width"] <= width
        mira.page.evaluate("document.getElementById('collections').hidePopover()")
    assert mira.wrong == []
    mira.context.close()


def test_names_of_forty_letters_fit(site: Site, browser: Any) -> None:
    names = [
        f"{name}{'abcdefghijklmnopqrstuvwxyz' * 2}"[:40] for name in ("Mi", "Bo", "Thé", "E", "N")
    ]
    for players in (2, 5):
        party = Party(site, "oceanide", players, 5, names=names)
        mira = Person(browser, site, language="fr", settings={"motion": False})
        for wanted in ("prompt.act", "prompt.king_steal"):
            until(party, wanted)
            party.seat(mira)
            mira.page.locator("html[data-ready]").wait_for()
            assert unfit_anywhere(mira.page, FORMS) == [], (players, wanted)
            for width, height in FORMS:
                resize(mira.page, width, height)
                for whose in mira.page.locator(".whose").all():
                    assert box(whose)["height"] <= 44, (width, height)
        assert mira.wrong == []
        mira.context.close()


def test_a_replay_gives_the_matrix_the_acts_room(site: Site, browser: Any) -> None:
    party = Party(site, "oceanide", 3, 5)
    for _ in party.phases():
        pass
    mira = Person(browser, site, settings={"motion": False})
    party.seat(mira)
    mira.go(f"/t/{party.table}/replay?at=60&eyes=0")
    mira.page.locator("html[data-ready]").wait_for()
    for width, height in FORMS:
        resize(mira.page, width, height)
        matrix, steps = box(mira.page.locator("#seats")), box(mira.page.locator("#replay"))
        assert matrix["height"] > height * 0.58, (width, height)
        assert matrix["y"] + matrix["height"] <= steps["y"] + 1, (width, height)
        assert steps["y"] + steps["height"] <= height + 1, (width, height)
    assert mira.wrong == []
    mira.context.close()
