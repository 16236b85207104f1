"""Windows that one test after another uses: nothing of the last test is left in them."""

from typing import Any

from tests.pages.conftest import FONT_SIZE, Windows

VIEWPORT = {"width": 391, "height": 845}
SEEN = """() => ({
  stored: localStorage.length,
  history: history.length,
  width: innerWidth,
  font_size: getComputedStyle(document.documentElement).fontSize,
  dark: matchMedia("(prefers-color-scheme: dark)").matches,
  forced: matchMedia("(forced-colors: active)").matches,
  printed: matchMedia("print").matches,
  online: navigator.onLine,
})"""


def seen_at(page: Any, path: str) -> dict[str, Any]:
    page.goto(path)
    seen: dict[str, Any] = page.evaluate(SEEN)
    return seen


def test_a_used_window_is_like_a_new_one(windows: Windows, address: str) -> None:
    options = {"font_size": FONT_SIZE, "base_url": address, "color_scheme": "light", "viewport": VIEWPORT}
    page = windows.take(options)
    first = seen_at(page, "/score/palazzo")
    page.goto("/score/campanile")
    page.evaluate("() => localStorage.setItem('left', 'here')")
    page.set_viewport_size({"width": 800, "height": 600})
    page.emulate_media(media="print", color_scheme="dark", forced_colors="active")
    page.route("**/*", lambda route: route.abort())
    page.context.set_offline(True)
    page.evaluate("() => document.documentElement.style.setProperty('font-size', '200%')")
    assert all(page.evaluate(SEEN)[one] != first[one] for one in first)
    windows.give_back(options, page)
    larger = windows.take(options | {"font_size": 2 * FONT_SIZE})
    assert larger is not page
    assert seen_at(larger, "/score/palazzo") == first | {"font_size": "32px"}
    assert windows.take(options) is page
    assert seen_at(page, "/score/palazzo") == first
    page.context.close()
    larger.context.close()


def test_windows_in_use_are_nobody_elses(windows: Windows, address: str) -> None:
    options = {"font_size": FONT_SIZE, "base_url": address, "color_scheme": "dark", "viewport": VIEWPORT}
    page, other = windows.take(options), windows.take(options)
    assert page.context is not other.context
    windows.give_back(options, page)
    assert windows.take(options | {"color_scheme": "light"}) is not page
    assert windows.take(options) is page
