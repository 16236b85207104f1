"""Windows that one test after another uses: nothing of the last test is left in them."""

from typing import Any

import pytest

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


@pytest.mark.long
def test_a_used_window_is_like_a_new_one(windows: Windows, address: str) -> None:
    kept = {"font_size": FONT_SIZE, "base_url": address}

    def seen() -> dict[str, Any]:
        window.page.goto("/score/palazzo")
        found: dict[str, Any] = window.page.evaluate(SEEN)
        return found

    window = windows.take(kept, "it", dark=False, viewport=VIEWPORT)
    first, page = seen(), window.page
    assert page.evaluate("() => navigator.language") == "it"
    page.goto("/score/campanile")
    page.evaluate("() => localStorage.setItem('left', 'here')")
    page.set_viewport_size({"width": 800, "height": 600})
    page.emulate_media(media="print", color_scheme="dark", forced_colors="active")
    page.route("**/*", lambda route: route.abort())
    page.context.set_offline(True)
    page.evaluate("() => document.documentElement.style.setProperty('font-size', '200%')")
    assert all(page.evaluate(SEEN)[one] != first[one] for one in first)
    windows.give_back(window)
    window = windows.take(kept | {"font_size": 2 * FONT_SIZE}, "it", dark=False, viewport=VIEWPORT)
    assert window.page is not page
    assert seen() == first | {"font_size": "32px"}
    window.page.context.close()
    window = windows.take(kept, "it", dark=False, viewport=VIEWPORT)
    assert window.page is page
    assert seen() == first
    page.context.close()
