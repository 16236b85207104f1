"""`python -m tools.offline`: writes the site to build/site."""

from shutil import rmtree

from tools.offline.engine import make_engine
from tools.offline.packages import TOP
from tools.offline.site import write_site

SITE = TOP / "build" / "site"


def main() -> None:
    rmtree(SITE, ignore_errors=True)
    make_engine(SITE / "engine")
    write_site(SITE)


main()
