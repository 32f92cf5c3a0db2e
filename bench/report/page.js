// What a script adds to a page that is whole without it: the switch of colours, legends that show and hide, and values on
// hovering, touching and by the arrow keys.
"use strict";
(() => {
  const root = document.documentElement;

  // Colours: the system's, or a choice that is remembered where the browser lets a page remember.
  const memory = {
    get() { try { return localStorage.getItem("siftdb-theme") || ""; } catch { return ""; } },
    set(choice) { try { localStorage.setItem("siftdb-theme", choice); } catch { /* a choice for this visit, then */ } },
  };
  const themeButtons = document.querySelectorAll("[data-theme-choice]");
  const applyTheme = (choice) => {
    if (choice) root.dataset.theme = choice; else delete root.dataset.theme;
    for (const b of themeButtons) b.setAttribute("aria-pressed", String(b.dataset.themeChoice === choice));
  };
  for (const b of themeButtons) {
    b.addEventListener("click", () => { applyTheme(b.dataset.themeChoice); memory.set(b.dataset.themeChoice); });
    b.parentElement.hidden = false;
  }
  applyTheme(memory.get());

  const tip = document.querySelector(".tip");
  let shown = null;
  const hide = () => {
    if (shown) shown.classList.remove("at");
    shown = null;
    tip.hidden = true;
  };
  const show = (point) => {
    if (point === shown) return;
    hide();
    shown = point;
    point.classList.add("at");
    tip.textContent = point.dataset.tip;
    tip.hidden = false;
    const p = point.getBoundingClientRect(), t = tip.getBoundingClientRect(), gap = 10;
    const left = Math.min(Math.max((p.left + p.right - t.width) / 2, gap), root.clientWidth - t.width - gap);
    const top = p.top - t.height - gap;
    tip.style.transform = `translate(${left}px, ${top > gap ? top : p.bottom + gap}px)`;
  };

  const reach = 40; // pixels about the pointer in which a point is found
  const nearest = (points, x, y) => {
    let best = null, least = reach;
    for (const point of points) {
      const r = point.getBoundingClientRect();
      if (!r.width && !r.height) continue;
      const distance = Math.hypot(Math.max(r.left - x, 0, x - r.right), Math.max(r.top - y, 0, y - r.bottom));
      if (distance < least) { best = point; least = distance; }
    }
    return best;
  };

  for (const figure of document.querySelectorAll("figure")) {
    for (const button of figure.querySelectorAll("[data-toggle]")) {
      button.addEventListener("click", () => {
        const on = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(on));
        for (const g of figure.querySelectorAll(`.drawing > [data-series="${button.dataset.toggle}"]`)) g.classList.toggle("away", !on);
        hide();
      });
    }
    for (const drawing of figure.querySelectorAll(".drawing")) {
      // A browser shows titles by itself, slowly; here they are shown at once.
      const title = drawing.querySelector(":scope > title");
      drawing.setAttribute("aria-label", title.textContent);
      drawing.removeAttribute("aria-labelledby");
      drawing.setAttribute("aria-describedby", drawing.querySelector(":scope > desc").id);
      title.remove();
      for (const point of drawing.querySelectorAll(".point")) {
        const own = point.querySelector("title");
        point.dataset.tip = own.textContent;
        own.remove();
      }
      const visible = () => [...drawing.querySelectorAll(":scope > [data-series]:not(.away) .point")];
      const follow = (event) => {
        const point = nearest(visible(), event.clientX, event.clientY);
        if (point) show(point); else hide();
      };
      drawing.addEventListener("pointermove", follow);
      drawing.addEventListener("pointerdown", follow);
      drawing.addEventListener("pointerleave", hide);
      drawing.addEventListener("blur", hide);
      drawing.tabIndex = 0;
      drawing.addEventListener("keydown", (event) => {
        if (event.key === "Escape") hide();
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        const points = visible();
        if (!step || !points.length) return;
        event.preventDefault();
        const at = points.indexOf(shown);
        show(points[at < 0 ? (step > 0 ? 0 : points.length - 1) : (at + step + points.length) % points.length]);
      });
    }
  }
  addEventListener("scroll", hide, { passive: true });
})();
