"""Who uses the pages in the tests: taps, types, and counts its taps."""

import re
from typing import Any

SPACES = re.compile(r"\s+")
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

READY = """() => document.readyState === "complete" && [...document.querySelectorAll(":not(:defined)")].length === 0
  && (!document.querySelector("score-pad") || document.querySelector("form.setup, .pad-part, main.result"))
  && (!document.querySelector("rule-list") || document.querySelector("rule-list :is(article, [role=status])"))"""
"""Whether a page shows what it has to show."""
PATIENT = "() => { const pad = document.querySelector('score-pad'); if (pad) pad.newsSeconds = 600; }"
"""What is said for a few seconds only stays until a busy machine has read it."""


class Robot:
    """A reader in front of a page. Everything it taps it finds by what is said there, as a screen reader would."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.taps = 0
        self.may_lose_the_service = False

    def settle(self) -> None:
        """Waits until the page is there and has said all it knows."""
        self.page.wait_for_function(READY)
        self.page.evaluate(PATIENT)

    def button(self, name: str, *, exact: bool = False) -> Any:
        return self.page.get_by_role("button", name=name, exact=exact)

    def tap(self, name: str, *, exact: bool = False, role: str = "button") -> None:
        """Taps what has that name, the first if several have."""
        self.page.get_by_role(role, name=name, exact=exact).first.click()
        self.taps += 1

    def tap_in(self, group: str, name: str) -> None:
        """Taps what has exactly that name within a group that has that label."""
        self.page.get_by_role("group", name=group, exact=True).get_by_role("button", name=name, exact=True).click()
        self.taps += 1

    def tile(self, name: str) -> None:
        """Taps a tile of the grid, be there one left or not."""
        self.page.locator(".tiles").get_by_role("button", name=name).click(force=True)
        self.taps += 1

    def sit_down(self, *names: str) -> None:
        """Types who plays, and goes to the table."""
        while self.page.locator(".setup input").count() < len(names):
            self.page.locator(".setup .go button[type=button]").click()
        for index, name in enumerate(names):
            self.page.locator(".setup input").nth(index).fill(name)
        self.page.locator(".setup button[type=submit]").click()
        self.page.wait_for_selector(".pad-part")

    def close_dialog(self) -> None:
        """By Esc; a dialog is gone a moment after it is closed."""
        self.page.keyboard.press("Escape")
        self.page.locator("dialog").wait_for(state="detached")

    def points(self) -> list[str]:
        """What stands beside the players, once it is that of what is typed in."""
        self.scored()
        return [
            text.strip() for text in self.page.locator(".players .points, .figures thead .points").all_inner_texts()
        ]

    def scored(self) -> None:
        """Waits until the service has answered what is typed in."""
        self.page.wait_for_function("() => document.querySelector('score-pad').scorer.fresh")

    def result(self) -> dict[str, int]:
        """Goes to the result: the totals by name, in the order of their places."""
        self.scored()
        self.page.locator("header .button").click()
        self.taps += 1
        self.page.wait_for_selector("main.result .places")
        rows = self.page.locator(".places li").all()
        return {row.locator("[data-name]").inner_text(): number(row.locator(".points").inner_text()) for row in rows}

    def text(self, selector: str) -> str:
        said: str = self.page.locator(selector).first.inner_text()
        return said

    def stored(self) -> dict[str, Any]:
        """The latest table that is kept."""
        kept: dict[str, Any] = self.page.evaluate(
            "async () => { const files = document.querySelector('score-pad').getAttribute('files');"
            " return (await import(files + '/store.js')).tables()[0]; }"
        )
        return kept

    def complaints(self, axe: str) -> list[str]:
        """What axe finds wrong with the page as it stands."""
        self.page.evaluate(axe)
        found = self.page.evaluate("(tags) => axe.run(document, {runOnly: {type: 'tag', values: tags}})", STANDARDS)
        return [
            f"{one['id']}: {node['target']} {SPACES.sub(' ', node['failureSummary'])[:240]}"
            for one in found["violations"]
            for node in one["nodes"]
        ]

    def sideways(self) -> int:
        """By how many pixels the page is wider than the window."""
        over: int = self.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        return over


def number(text: str) -> int:
    """A number as the pages print it."""
    return int(text.replace("−", "-"))
