"""A robot that uses the pages in the tests: it taps, types, and counts its taps."""

import re
from typing import Any

SPACES = re.compile(r"\s+")
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RENDERED = ["color-contrast", "html-lang-valid", "link-in-text-block", "scrollable-region-focusable", "target-size"]
"""The rules of axe that depend on more than the structure of a page: colours, sizes, the language."""

STRUCTURE = """() => {
  const copy = document.documentElement.cloneNode(true);
  copy.removeAttribute("lang");
  copy.querySelectorAll("head, script").forEach((one) => one.remove());
  const walker = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (walker.currentNode.data.trim()) walker.currentNode.data = "text";
  for (const one of copy.querySelectorAll("[aria-label], [title], [alt], [placeholder]"))
    for (const name of ["aria-label", "title", "alt", "placeholder"])
      if (one.getAttribute(name)?.trim()) one.setAttribute(name, "text");
  return copy.outerHTML;
}"""
"""A page without its texts: only whether there is a text matters."""
VISIBLE = "() => [...document.querySelectorAll('body *')].map((one) => +one.checkVisibility()).join('')"
"""Which elements are shown: a narrow page may hide some."""
AXE = """async ({ only, rules, within }) => {
  const options = rules ? { type: "rule", values: rules } : { type: "tag", values: only };
  const all = [...document.querySelectorAll("*")];
  const linked = all.some((one) => one.shadowRoot?.querySelector("link[rel=stylesheet]"));
  const how = { runOnly: options, resultTypes: ["violations"], preload: !linked };
  return (await axe.run(within ?? document, how)).violations;
}"""
"""For a style sheet in a shadow tree axe would write a style into the page, which the policy of the page refuses."""
flawless = set[tuple[str, ...]]()
"""The structures in which axe has found nothing wrong."""

READY = """() => document.readyState === "complete" && [...document.querySelectorAll(":not(:defined)")].length === 0
  && (!document.querySelector("score-pad") || document.querySelector("form.setup, .pad-part, main.result"))
  && (!document.querySelector("evening-book") || document.querySelector("evening-book main > .notes"))
  && (!document.querySelector("replay-door") || document.querySelector(".opening form, .viewer"))
  && (!document.querySelector("game-table") || document.querySelector(".setup, .now, .playing .result"))
  && (!document.querySelector("rule-list") || document.querySelector("rule-list :is(article, [role=status])"))"""
"""Whether a page has loaded everything."""
PATIENT = "() => { const pad = document.querySelector('score-pad'); if (pad) pad.newsSeconds = 600; }"
"""Messages that disappear after a few seconds stay until a busy machine has read them."""

SMALL = """() => [...document.querySelectorAll("button, input, [role=tab], a[href]")]
  .filter((one) => one.checkVisibility() && !one.closest("p, li, td, .skip") && !one.matches(".unseen *"))
  .filter((one) => !document.querySelector("dialog[open]") || one.closest("dialog"))
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([one, box]) => box.height < 43.5 || box.width < 31.5)
  .map(([one, box]) => `${Math.round(box.width)} × ${Math.round(box.height)} ${one.outerHTML.slice(0, 160)}`)"""
CUT = """() => [...document.querySelectorAll("h1, h2, p, button, a, td, th, label, li, .where, .band, .plate, .label")]
  .filter((one) => one.checkVisibility() && !one.closest(".unseen, .palaces, .code") && one.getClientRects().length)
  .filter((one) => !one.matches("[title], [title] *"))
  .filter((one) => {
    const style = getComputedStyle(one);
    const hidden = style.overflowX !== "visible" || style.overflowY !== "visible";
    const wide = one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0;
    return (hidden && one.scrollHeight > one.clientHeight + 2) || (wide && style.display !== "inline");
  })
  .map((one) => one.outerHTML.replace(/<svg.*?<.svg>/g, "").slice(0, 200))"""


class Robot:
    """A user in front of a page, who finds everything by its accessible name, as with a screen reader."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.taps = 0
        self.may_lose_the_service = False

    def settle(self) -> None:
        """Waits until the page has loaded everything."""
        self.page.wait_for_function(READY)
        self.page.evaluate(PATIENT)

    def button(self, name: str, *, exact: bool = False) -> Any:
        return self.page.get_by_role("button", name=name, exact=exact)

    def press(self, place: Any) -> None:
        """Taps an element even if it is disabled: then the page says why."""
        place.wait_for()
        place.click(force=place.get_attribute("aria-disabled") == "true")
        self.taps += 1

    def tap(self, name: str, *, exact: bool = False, role: str = "button") -> None:
        """Taps the first element with that name."""
        self.press(self.page.get_by_role(role, name=name, exact=exact).first)

    def tap_in(self, group: str, name: str, *, exact: bool = True) -> None:
        """Taps the element with that name in the group with exactly that label."""
        inside = self.page.get_by_role("group", name=group, exact=True)
        self.press(inside.get_by_role("button", name=name, exact=exact).first)

    def tile(self, name: str) -> None:
        """Taps a tile of the grid, even if none is left."""
        self.press(self.page.locator(".tiles").get_by_role("button", name=name).first)

    def sit_down(self, *names: str) -> None:
        """Enters the players, and goes to the table."""
        while self.page.locator(".setup input").count() < len(names):
            self.page.locator(".setup .go button[type=button]").click()
        for index, name in enumerate(names):
            self.page.locator(".setup input").nth(index).fill(name)
        self.to_table()

    def to_table(self) -> None:
        """Goes from who plays to the table."""
        self.page.locator(".setup button[type=submit]").click()
        self.page.wait_for_selector(".pad-part")

    def close_dialog(self) -> None:
        """Presses Esc; a dialog disappears a moment after it is closed, also one from which this was opened."""
        self.page.keyboard.press("Escape")
        self.page.locator("dialog").first.wait_for(state="detached")

    def held_back(self, path: str, *, only_first: bool = False) -> list[Any]:
        """The requests to this path, or the first alone, which are not sent before somebody says so."""
        held = list[Any]()

        def hold(route: Any) -> None:
            if held and only_first:
                route.continue_()
            else:
                held.append(route)

        self.page.route(path, hold)
        return held

    def points(self) -> list[str]:
        """The points beside the players, once they are up to date."""
        self.scored()
        return self.shown()

    def shown(self) -> list[str]:
        """The points beside the players now, up to date or not."""
        return [
            text.strip() for text in self.page.locator(".players .points, .figures thead .points").all_inner_texts()
        ]

    def scored(self) -> None:
        """Waits until the service has answered the latest entries."""
        self.page.wait_for_function("() => document.querySelector('score-pad').scorer.fresh")

    def result(self, *, nothing_of: str = "") -> dict[str, int]:
        """Goes to the result: the totals by name, in the order of their places.

        If asked whether a player has nothing, it confirms that.
        """
        self.scored()
        self.press(self.page.locator("header .button"))
        if nothing_of:
            assert self.text("dialog p").startswith(f"Nothing has been entered for {nothing_of}.")
            self.tap("Score 0", exact=True)
        self.page.wait_for_selector("main.result .places")
        rows = self.page.locator(".places li").all()
        return {row.locator("[data-name]").inner_text(): number(row.locator(".points").inner_text()) for row in rows}

    def text(self, selector: str) -> str:
        text: str = self.page.locator(selector).first.inner_text()
        return text

    def stored(self) -> dict[str, Any]:
        """The latest saved table."""
        kept: dict[str, Any] = self.page.evaluate(
            "async () => { const files = document.querySelector('score-pad').getAttribute('files');"
            " return (await import(files + '/store.js')).tables()[0]; }"
        )
        return kept

    def complaints(self, axe: str, within: str | None = None) -> list[str]:
        """What axe finds wrong with the page, or with what a selector leads to.

        If it has found nothing wrong with the same structure before, with other texts or colours, it only checks the
        rules that depend on these.
        """
        shown = self.page.evaluate(VISIBLE)
        structure = (self.page.evaluate(STRUCTURE), shown, within or "")
        found = self.found_by(axe, RENDERED if structure in flawless else None, within)
        if not found:
            flawless.add(structure)
        return found

    def hard_to_read(self, axe: str) -> list[str]:
        """Letters that stand out too little from their ground, according to axe."""
        return self.found_by(axe, ["color-contrast"])

    def found_by(self, axe: str, rules: list[str] | None, within: str | None = None) -> list[str]:
        """What breaks these rules of axe; all that it has if there are none."""
        if not self.page.evaluate("() => 'axe' in window"):
            self.add_script(axe)
        found = self.page.evaluate(AXE, {"only": STANDARDS, "rules": rules, "within": within})
        return [
            f"{one['id']}: {node['target']} {SPACES.sub(' ', node['failureSummary'])[:240]}"
            for one in found
            for node in one["nodes"]
        ]

    def add_script(self, script: str) -> None:
        """Adds a long script to the page: `page.evaluate` would parse it three times, in Node too."""
        tools = self.page.context.new_cdp_session(self.page)
        tools.send("Runtime.evaluate", {"expression": script})
        tools.detach()

    def too_small(self) -> list[str]:
        """Tap targets less than 44 pixels high or wide; links within a sentence may be smaller."""
        found: list[str] = self.page.evaluate(SMALL)
        return [f"too small to tap: {one}" for one in found]

    def cut_off(self) -> list[str]:
        """Elements whose text is cut off. A name with an ellipsis must have its full text in a title or a label."""
        found: list[str] = self.page.evaluate(CUT)
        return [f"cut off: {one}" for one in found]

    def sideways(self) -> int:
        """By how many pixels the page is wider than the window."""
        over: int = self.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        return over


NEXT_KEY = """(to) => {
  const at = document.activeElement;
  if (at === to) return "here";
  const group = to.closest("[data-group]");
  if (!group?.contains(at)) {
    const before = at !== document.body && at.compareDocumentPosition(to) & Node.DOCUMENT_POSITION_PRECEDING;
    return before ? "Shift+Tab" : "Tab";
  }
  const [from, goal] = [at, to].map((one) => one.getBoundingClientRect());
  const across = goal.x + goal.width / 2 - from.x - from.width / 2;
  const down = goal.y + goal.height / 2 - from.y - from.height / 2;
  if (Math.abs(down) > 4 && Math.abs(down) * 2 > Math.abs(across)) return down > 0 ? "ArrowDown" : "ArrowUp";
  return across > 0 ? "ArrowRight" : "ArrowLeft";
}"""
"""The key that leads nearer to the target."""
MOST_KEYS = 150


class KeyboardRobot(Robot):
    """A user without a pointer: Tab goes from group to group, arrow keys move inside, Enter presses."""

    def press(self, place: Any) -> None:
        place.wait_for()
        for _ in range(MOST_KEYS):
            key = place.evaluate(NEXT_KEY)  # found again each time: an update may have replaced it
            if key == "here":
                self.page.keyboard.press("Enter")
                self.taps += 1
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"no keys lead to {place}")

    def sit_down(self, *names: str) -> None:
        for _ in names[2:]:
            self.press(self.page.locator(".setup .go button[type=button]"))
        for index, name in enumerate(names):
            field = self.page.locator(".setup input").nth(index)
            while not field.evaluate("(one) => one === document.activeElement"):
                self.page.keyboard.press("Tab" if index else "Shift+Tab")
            self.page.keyboard.type(name)
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector(".pad-part")


def number(text: str) -> int:
    """A number as the pages print it."""
    return int(text.replace("−", "-"))
