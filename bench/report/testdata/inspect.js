// Goes through a report's page as a reader would: looks at each picture, points at each value, presses each name in a legend.
(async () => {
  const seen = (element) => {
    const r = element.getBoundingClientRect();
    return r.width > 0 && r.height > 0;
  };
  const tip = document.querySelector(".tip");
  const saw = { Figures: [], Empty: [], Points: 0, Silent: 0, Outside: 0, Toggles: 0, Stuck: 0 };
  for (const figure of document.querySelectorAll("figure")) {
    saw.Figures.push(figure.id);
    const drawings = [...figure.querySelectorAll(".drawing")].filter(seen);
    const points = drawings.flatMap((d) => [...d.querySelectorAll(".point")]).filter(seen);
    const words = drawings.flatMap((d) => [...d.querySelectorAll("text")]).filter(seen);
    if (drawings.length !== 1 || !points.length || words.length < 4) {
      saw.Empty.push(figure.id);
      continue;
    }
    figure.scrollIntoView({ block: "center", behavior: "instant" });
    await new Promise(requestAnimationFrame);
    for (const point of points) {
      saw.Points++;
      const r = point.getBoundingClientRect();
      const at = { clientX: (r.left + r.right) / 2, clientY: (r.top + r.bottom) / 2, bubbles: true };
      point.dispatchEvent(new PointerEvent("pointermove", at));
      const t = tip.getBoundingClientRect();
      if (tip.hidden || tip.textContent.split("\n").length < 2) saw.Silent++;
      else if (t.left < 0 || t.top < 0 || t.right > innerWidth || t.bottom > innerHeight) saw.Outside++;
    }
    drawings[0].dispatchEvent(new PointerEvent("pointerleave"));
    const visible = () => points.filter(seen).length;
    for (const button of figure.querySelectorAll("[data-toggle]")) {
      saw.Toggles++;
      const before = visible(), own = drawings[0].querySelector(`[data-series="${button.dataset.toggle}"]`);
      button.click();
      const hidden = !seen(own);
      button.click();
      if (!hidden || !seen(own) || visible() !== before) saw.Stuck++;
    }
  }
  saw.Overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  saw.Background = getComputedStyle(document.body).backgroundColor;
  scrollTo(0, 0);
  return saw;
})()
