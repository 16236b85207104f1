// What a robot does to play on; it uses only what is in sight in the page. `turns.py` evaluates it there.
(() => {
  const page = document.querySelector("game-table");
  const { board, dock } = page;
  const led = (key) => {
    let scrolls = 0;
    for (; !board.isInSight(key) && scrolls < 9; scrolls++) {
      const { top, height } = board.getBoundingClientRect();
      const [above, below] = ["up", "down"].map((side) => board.shadowRoot.querySelector(`.pill.${side}:not([hidden])`));
      const pill = board.pointOf(key).y < top + height / 2 ? (above ?? below) : (below ?? above);
      if (!pill) throw new Error(`nothing leads to ${key}`);
      pill.click();
    }
    return scrolls;
  };
  const isFree = (key) => {
    const { x, y } = board.pointOf(key);
    const there = board.shadowRoot.elementFromPoint(x, y);
    return document.elementFromPoint(x, y) === board && !!there && !there.closest(".pill");
  };
  const isSeen = (one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  };

  /**
   * Makes one move by tapping what is in sight, and counts. `most`, as in the table of what a typical turn takes: a tap for the
   * verb, if there are several; one for each value, where there is a choice; one to play, which quick play saves where nothing
   * can be added.
   */
  const play = async ([target, isQuick]) => {
    const { meanings, asked } = await import(page.files + "/play/choosing.js");
    const done = { type: target.type, taps: 0, most: 0, scrolls: 0, covered: 0, asked: 0 };
    const wait = async () => {
      for (let tries = 0; page.dock.isBusy || !(page.isIdle || page.acting === "steps"); tries++) {
        if (tries > 6000 || page.failed) throw new Error(`nothing is asked: ${page.failed}`);
        await new Promise((resolve) => setTimeout(resolve, 4));
      }
    };
    const ply = page.table.ply;
    const values = (member) => [target[member]].flat().map(String);
    const press = async (one) => {
      done.taps++;
      if (!isSeen(one)) done.covered++;
      done.from = performance.now();
      one.click();
      await new Promise((resolve) => setTimeout(resolve));
      await wait();
    };
    const actions = () => [...page.querySelectorAll(".actions button")];
    await wait();
    const verbs = dock.kind ? 0 : dock.menu.verbs.some(({ kinds }) => kinds.length > 1 && kinds.some(({ type }) => type === target.type)) ? 2 : 1;
    done.most = verbs;
    for (let count = 0; page.table.ply === ply && count < 40; count++) {
      const { kind, menu, group } = dock;
      if (!kind) {
        const verbs = group ? group.kinds.map((one) => ({ kinds: [one] })) : menu.verbs;
        const at = verbs.findIndex(({ kinds }) => kinds.some(({ type }) => type === target.type));
        await press(actions()[at + (group ? 1 : 0)]);
        continue;
      }
      const way = kind.type === target.type ? undefined : menu.ways.find(({ type }) => type === target.type);
      const meant = kind.type === target.type ? kind : way;
      if (!meant) throw new Error(`no way to ${target.type} from ${kind.type}`);
      if (count <= verbs) {
        const choices = asked(meant).filter(({ member, is_set }) => is_set || Object.keys(dock.base.open[member] ?? {}).length > 1);
        const isOpen = meant.parameters.some(({ is_set, least, most }) => is_set && least < most);
        const isPlayed = isQuick && !way && choices.length > 0 && !isOpen;
        done.most = verbs + choices.reduce((sum, { member }) => sum + values(member).length, 0) + (isPlayed ? 0 : 1);
      }
      const missing = asked(kind).filter(({ member }) => target[member] !== undefined).flatMap(({ member, type }) => {
        const left = values(member);
        for (const pick of dock.picks) if (pick.member === member && left.includes(pick.value)) left.splice(left.indexOf(pick.value), 1);
        return left.map((value) => ({ member, type, value }));
      })[0];
      if (!missing) {
        const plot = way && board.spots.find(({ move }) => move === way.type);
        const main = page.querySelector(".actions .main");
        const others = actions().filter((one) => one !== main);
        const buttons = way ? menu.ways.filter((one) => !board.spots.some(({ move }) => move === one.type)) : [];
        if (!plot) await press(way ? others.at(buttons.indexOf(way) - buttons.length) : main);
        else {
          done.taps++;
          done.scrolls += led(plot.key);
          await dock.tap(plot);
          await wait();
        }
        continue;
      }
      const { member, type, value } = missing;
      const isMeant = (spot) => meanings(kind, spot).some((pick) => pick.member === member && pick.value === value && Object.entries(pick.binds).every(([name, bound]) => String(target[name]) === bound));
      const { can, chosen, docked } = dock.marks;
      const spot = board.spots.find((one) => isMeant(one) && !chosen.has(one.key) && !dock.chosen.has(one.key) && (can.has(one.key) || page.querySelector(`.tray [data-key="${CSS.escape(one.key)}"]`)));
      const piece = spot && [...page.querySelectorAll(".tray button")].find((one) => one.querySelector("game-piece")?.dataset.key === spot.key);
      const pile = [...page.querySelectorAll(".tray button[data-many]")].find((one) => board.spots.some((each) => isMeant(each) && one.querySelector("game-piece").dataset.key.replace(/ \d+$/, "") === each.key.replace(/ \d+$/, "")));
      const segment = [...page.querySelectorAll(".segments button")].find((one) => one.textContent === value);
      if (!spot && !segment && !pile) throw new Error(`${value} for ${member} is not to be seen`);
      if (piece ?? pile ?? segment) await press(piece ?? pile ?? segment);
      else {
        const scrolls = led(spot.key);
        if (scrolls) done.far = spot.key;
        done.scrolls += scrolls;
        done.taps++;
        if (!isFree(spot.key)) done.covered++;
        const { x, y } = board.pointOf(spot.key);
        done.from = performance.now();
        board.shadowRoot.elementFromPoint(x, y).dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true, clientX: x, clientY: y }));
        await new Promise((resolve) => setTimeout(resolve));
        await wait();
      }
    }
    if (page.table.ply === ply) throw new Error(`${JSON.stringify(target)} could not be played`);
    done.milliseconds = Math.round(performance.now() - done.from);
    const first = performance.getEntriesByType("resource").filter(({ name, startTime }) => name.includes("/v1/") && startTime >= done.from);
    done.asked = first.length;
    done.hasOthers = page.table.record().moves.slice(ply + 1).some(({ seat }) => seat !== undefined && seat !== target.seat);
    return done;
  };

  /** What lies under something, of what can be tapped for any kind of move. */
  const look = async () => {
    const covered = [];
    const look = () => {
      for (const one of page.querySelectorAll(".actions button, .tray button")) if (!isSeen(one)) covered.push(one.textContent);
      const { can, docked } = dock.marks;
      for (const key of can) {
        if (docked.has(key)) continue;
        led(key);
        if (!isFree(key)) covered.push(key);
      }
    };
    look();
    for (const kind of dock.menu.leading ? [] : dock.kinds.filter(({ total, parameters }) => total && parameters.length)) {
      await dock.open(kind);
      page.show();
      board.frame(true);
      look();
    }
    return covered;
  };

  return { play, look };
})()
