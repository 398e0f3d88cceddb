"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const rows = data.rows.map((row, index) => ({ ...row, index }));
  const byId = (id) => document.getElementById(id);
  const colour = new Map(data.providers.map((provider, index) => [provider.id, `var(--p${index})`]));
  const look = new Map(data.providers.map((provider) => [provider.id, provider]));
  const place = new Map(data.providers.map((provider, index) => [provider.id, index]));
  const isNull = (id) => id === "null" || id.startsWith("null@");
  const FIRST_GROUPS = 12;
  const FIRST_LINES = 4;
  const LINEAR_UP_TO = 25;

  // Numbers: the same units and digits as in the tables.
  const UNITS = {
    time: [["ns", 1], ["µs", 1e3], ["ms", 1e6], ["s", 1e9]],
    rate: [["B/s", 1], ["kB/s", 1e3], ["MB/s", 1e6], ["GB/s", 1e9], ["TB/s", 1e12]],
  };
  const unitOf = (kind, value) => [...UNITS[kind]].reverse().find(([, base]) => value >= base * 0.9995) || UNITS[kind][0];
  const digits = (value, wanted) => {
    if (!value) return "0";
    const places = wanted - 1 - Math.floor(Math.log10(Math.abs(Number(value.toPrecision(wanted)))));
    return value.toFixed(Math.min(Math.max(places, 0), 12));
  };
  const show = (kind, value, wanted = 4) => {
    const [symbol, base] = unitOf(kind, value);
    return `${digits(value / base, wanted)} ${symbol}`;
  };
  const bytes = (size) =>
    size >= 1048576 && size % 1048576 === 0 ? `${size / 1048576} MiB`
      : size >= 1024 && size % 1024 === 0 ? `${size / 1024} KiB` : `${size} B`;

  // Elements. Text always goes in as text, never as markup.
  const SVG = "http://www.w3.org/2000/svg";
  // Controls, and characters that reorder text, are shown as a replacement character.
  const clean = (text) => String(text).replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, "\ufffd");
  const add = (parent, name, attributes = {}, text) => {
    const inSvg = name === "svg" || parent.namespaceURI === SVG;
    const element = inSvg ? document.createElementNS(SVG, name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = clean(text);
    return parent.appendChild(element);
  };
  // A text that is too long for its room ends in an ellipsis; the tooltip has all of it.
  const fitted = (parent, attributes, text, room) => {
    const element = add(parent, "text", attributes, text);
    const letters = [...element.textContent];
    while (letters.length > 1 && element.getComputedTextLength() > room) {
      letters.length = Math.max(1, Math.min(letters.length - 1, Math.floor(letters.length * room / element.getComputedTextLength())));
      element.textContent = `${letters.join("")}…`;
    }
  };
  const MARKS = {
    circle: "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0", square: "M-4 -4h8v8h-8z", triangle: "M0 -5.5L5 4H-5z",
    down: "M0 5.5L5 -4H-5z", diamond: "M0 -5.8L5.8 0L0 5.8L-5.8 0z",
    cross: "M-5 -1.7h3.3v-3.3h3.4v3.3h3.3v3.4h-3.3v3.3h-3.4v-3.3h-3.3z",
  };
  const mark = (svg, x, y, id, hollow = false) => {
    const ink = hollow ? { fill: "var(--ground)", stroke: colour.get(id), "stroke-width": 1.8 } : { fill: colour.get(id) };
    return add(svg, "path", { d: MARKS[look.get(id)?.marker] || MARKS.circle, transform: `translate(${x} ${y})`, ...ink });
  };

  // Filters.
  const names = { family: "Family", algorithm: "Algorithm", operation: "Operation", provider: "Provider", mode: "Mode" };
  const chosen = {};
  let scale = "auto";
  let allGroups = false;
  let allLines = false;
  const form = byId("filters");
  for (const key of Object.keys(names)) {
    const values = [...new Set(rows.map((row) => row[key]))];
    if (key === "provider") values.sort((a, b) => (place.get(a) ?? 99) - (place.get(b) ?? 99));
    chosen[key] = new Set(values);
    if (values.length < 2) continue;
    // A long list is folded away, so that the charts stay in sight.
    const folded = values.length > 8 ? add(form, "details") : null;
    const summary = folded && add(folded, "summary", {}, names[key]);
    const field = add(folded || form, "fieldset", { "data-filter": key });
    add(field, "legend", folded ? { class: "unseen" } : {}, names[key]);
    const count = () => { if (summary) summary.textContent = `${names[key]}: ${chosen[key].size} of ${values.length}`; };
    count();
    const boxes = values.map((value) => {
      const chip = add(field, "label", { class: "chip" });
      const box = add(chip, "input", { type: "checkbox", name: key });
      box.value = value;
      box.checked = true;
      if (key === "provider") add(chip, "span", { class: "swatch", style: `background:${colour.get(value)}` });
      add(chip, "span", {}, value);
      box.addEventListener("change", () => {
        if (box.checked) chosen[key].add(value); else chosen[key].delete(value);
        count();
        draw();
      });
      return box;
    });
    for (const [word, on] of [["all", true], ["none", false]]) {
      const button = add(field, "button", { type: "button", "aria-label": `${names[key]}: ${word}` }, word);
      button.addEventListener("click", () => {
        chosen[key] = new Set(on ? values : []);
        boxes.forEach((box) => { box.checked = on; });
        count();
        draw();
      });
    }
  }
  const scales = add(form, "fieldset", { "data-filter": "scale" });
  add(scales, "legend", {}, "Axis");
  for (const [value, word] of [["auto", "automatic"], ["log", "logarithmic"], ["linear", "linear"]]) {
    const chip = add(scales, "label", { class: "chip" });
    const box = add(chip, "input", { type: "radio", name: "scale", value });
    box.checked = value === scale;
    add(chip, "span", {}, word);
    box.addEventListener("change", () => { scale = value; draw(); });
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  const shown = (row) => Object.keys(chosen).every((key) => chosen[key].has(row[key]));

  // Axes.
  const nice = (value) => {
    const decade = 10 ** Math.floor(Math.log10(value));
    return [1, 2, 5, 10].map((step) => step * decade).find((step) => step >= value * 0.999999);
  };
  const axis = (kind, values, fromZero, start, end, preferLog = false) => {
    let low = Math.min(...values);
    let high = Math.max(...values);
    const log = scale === "log" || (scale === "auto" && (preferLog || high / low > LINEAR_UP_TO));
    let ticks = [];
    if (log) {
      low = low * (fromZero ? 0.72 : 0.97);
      high = high * 1.03;
      const steps = Math.log10(high / low) <= 2 ? [1, 2, 5] : [1];
      for (let decade = Math.floor(Math.log10(low)); decade <= Math.log10(high) + 1; decade += 1) {
        ticks.push(...steps.map((step) => step * 10 ** decade));
      }
      ticks = ticks.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
    } else {
      if (fromZero) low = 0;
      const step = nice((high - low || high) / Math.max(2, Math.min(7, Math.floor(Math.abs(end - start) / 95))));
      low = Math.floor(low / step + 1e-9) * step;
      high = Math.ceil(high / step - 1e-9) * step;
      for (let tick = low; tick <= high * 1.0001; tick += step) ticks.push(tick);
    }
    const at = (value) => {
      const share = log ? Math.log(Math.max(value, low) / low) / Math.log(high / low) : (value - low) / (high - low);
      return start + Math.min(Math.max(share, 0), 1) * (end - start);
    };
    const [symbol, base] = unitOf(kind, high);
    const label = (tick) => (log ? show(kind, tick, 3).replace(/\.0+(?= )|(\.\d*?)0+(?= )/, "$1")
      : `${Number((tick / base).toPrecision(6))} ${symbol}`);
    return { at, log, ticks: ticks.map((tick) => ({ place: at(tick), label: label(tick) })) };
  };
  const thin = (ticks, room) => {
    let before = -Infinity;
    return ticks.filter(({ place: x, label }) => {
      const half = room(label) / 2;
      if (x - half < before) return false;
      before = x + half;
      return true;
    });
  };
  const widthOf = (label) => label.length * 7.6 + 10;

  // Tooltip.
  const tip = byId("tip");
  const describe = (row) => {
    const lines = [`${row.algorithm} ${row.operation}${row.size === null ? "" : `, ${bytes(row.size)}`}`, row.provider];
    if (row.median === null) return [...lines, `${row.status}: ${row.reason || "no reason recorded"}`].join("\n");
    lines.push(`median ${show("time", row.median)}${row.ci ? `, 95 % interval ${show("time", row.ci[0])} to ${show("time", row.ci[1])}` : ""}`);
    if (row.p95 !== null) lines.push(`p95 ${show("time", row.p95)}${row.p99 === null ? "" : `, p99 ${show("time", row.p99)}`}`);
    if (row.ratio !== null) lines.push(`${digits(row.ratio, 3)}× the fastest${row.standing === "tied" ? " (tied)" : ""}`);
    lines.push(`${row.n} samples${row.disturbed === null ? "" : `, ${digits(row.disturbed, 3)} % disturbed`}`);
    if (row.status !== "ok") lines.push(`${row.status}: ${row.reason || ""}`);
    return lines.join("\n");
  };
  const point = (element, row) => {
    add(element, "title", {}, describe(row));
    element.addEventListener("pointermove", (event) => {
      tip.textContent = clean(describe(row));
      tip.hidden = false;
      const right = Math.max(4, Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8));
      const below = event.clientY + 18 + tip.offsetHeight > window.innerHeight ? event.clientY - tip.offsetHeight - 12 : event.clientY + 18;
      tip.style.left = `${right}px`;
      tip.style.top = `${Math.max(4, below)}px`;
    });
    element.addEventListener("pointerleave", () => { tip.hidden = true; });
  };
  const canvas = (parent, width, height, label) =>
    add(parent, "svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label });
  const empty = (parent, text) => add(parent, "p", { class: "note" }, text);
  const more = (parent, text, action) => add(parent, "button", { type: "button", class: "more" }, text).addEventListener("click", action);

  const grouped = (list, keyOf) => {
    const groups = new Map();
    for (const row of list) {
      const key = keyOf(row);
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(row);
    }
    for (const members of groups.values()) members.sort((a, b) => (place.get(a.provider) ?? 99) - (place.get(b.provider) ?? 99));
    return groups;
  };

  const drawTimes = (visible) => {
    const box = byId("times");
    box.replaceChildren();
    const keyOf = (row) => `${row.algorithm} ${row.operation}${row.size === null ? "" : ` ${bytes(row.size)}`}${row.mode === "latency" ? " (latency)" : ""}`;
    const all = [...grouped(visible.filter((row) => !isNull(row.provider)), keyOf)].filter(([, list]) => list.some((row) => row.median > 0));
    const groups = allGroups ? all : all.slice(0, FIRST_GROUPS);
    const values = groups.flatMap(([, list]) => list).filter((row) => row.median > 0).flatMap((row) => [row.median, ...(row.ci || [])]).filter((v) => v > 0);
    if (!values.length) return empty(box, "No row with a number passes the filters.");
    const width = box.clientWidth || 360;
    const narrow = width < 620;
    const widest = Math.max(...groups.flatMap(([, list]) => list.map((row) => widthOf(row.provider))));
    const left = narrow ? 4 : Math.min(widest + 6, 280);
    const right = narrow ? width - 8 : width - 118;
    const step = narrow ? 40 : 24;
    const height = 46 + groups.reduce((sum, [, list]) => sum + 34 + step * list.length, 0) + 24;
    const ruler = axis("time", values, true, left, right);
    const svg = canvas(box, width, height, "Time per operation by provider");
    svg.dataset.scale = ruler.log ? "log" : "linear";
    for (const { place: x, label } of thin(ruler.ticks, widthOf)) {
      add(svg, "line", { class: "grid", x1: x, x2: x, y1: 24, y2: height - 24 });
      const half = widthOf(label) / 2;
      for (const y of [16, height - 6]) add(svg, "text", { class: "soft", x: Math.min(Math.max(x, half), width - half), y, "text-anchor": "middle" }, label);
    }
    let y = 32;
    for (const [title, list] of groups) {
      add(svg, "rect", { x: 0, y, width: Math.min(widthOf(title) + 14, width), height: 26, fill: "var(--ground)" });
      fitted(svg, { class: "head", x: 2, y: y + 18 }, title, width - 8);
      y += 28;
      for (const row of list) {
        const top = narrow ? y + 18 : y + 3;
        const value = row.median > 0 ? `${show("time", row.median)} ${row.signs}` : row.status;
        const room = narrow ? width - widthOf(value) - 16 : left - 10;
        fitted(svg, { x: narrow ? 4 : left - 8, y: y + (narrow ? 13 : 16), "text-anchor": narrow ? "start" : "end" }, row.provider, room);
        add(svg, "text", { class: row.median > 0 ? "" : "soft", x: narrow ? width - 6 : right + 10, y: y + (narrow ? 13 : 16), "text-anchor": narrow ? "end" : "start" }, value);
        if (row.median > 0) {
          const end = ruler.at(row.median);
          add(svg, "rect", { class: "bar", x: left, y: top, width: Math.max(end - left, 1.5), height: 16, rx: 2, fill: colour.get(row.provider) });
          if (row.ci) {
            const [low, high] = row.ci.map(ruler.at);
            add(svg, "path", { class: "whisker", d: `M${low} ${top + 4}v8M${low} ${top + 8}H${high}M${high} ${top + 4}v8` });
          }
        }
        point(add(svg, "rect", { class: "hit", x: 0, y, width, height: step }), row);
        y += step;
      }
      y += 6;
    }
    if (all.length > FIRST_GROUPS) {
      more(box, allGroups ? `Show the first ${FIRST_GROUPS}` : `Show all ${all.length} comparisons (now ${groups.length})`, () => { allGroups = !allGroups; draw(); });
    }
    return undefined;
  };

  const legend = (parent, ids) => {
    const list = add(parent, "p", { class: "legend" });
    for (const id of [...new Set(ids)].sort((a, b) => (place.get(a) ?? 99) - (place.get(b) ?? 99))) {
      const item = add(list, "span");
      mark(add(item, "svg", { viewBox: "-7 -7 14 14", width: 14, height: 14, "aria-hidden": "true" }), 0, 0, id);
      add(item, "span", {}, id);
    }
  };
  const drawLines = (parent, label, series, kindX, kindY, stepped) => {
    const width = Math.max(parent.clientWidth || 360, 280);
    const height = 300;
    const [left, right, top, bottom] = [78, width - 14, 10, height - 30];
    const xs = series.flatMap(({ points }) => points.map(([x]) => x));
    const ys = series.flatMap(({ points }) => points.flatMap(([, y, ends]) => [y, ...(ends || [])]));
    const sizes = [...new Set(xs)].sort((a, b) => a - b);
    const span = Math.log(sizes[sizes.length - 1] / sizes[0]) || 1;
    const sizeAt = (x) => left + (Math.log(x / sizes[0]) / span) * (right - left);
    const x = kindX === "size" ? { at: sizeAt, log: true, ticks: sizes.map((size) => ({ place: sizeAt(size), label: bytes(size) })) }
      : axis(kindX, xs, false, left, right);
    const shareAt = (share) => bottom + share * (top - bottom);
    const y = kindY === "share" ? { at: shareAt, log: false, ticks: [0, 0.25, 0.5, 0.75, 1].map((share) => ({ place: shareAt(share), label: `${share * 100} %` })) }
      : axis(kindY, ys, scale === "linear", bottom, top, true);
    const svg = canvas(parent, width, height, label);
    svg.dataset.scale = (kindX === "size" ? y : x).log ? "log" : "linear";
    for (const tick of thin(x.ticks, widthOf)) {
      add(svg, "line", { class: "grid", x1: tick.place, x2: tick.place, y1: top, y2: bottom });
      const half = widthOf(tick.label) / 2;
      add(svg, "text", { class: "soft", x: Math.min(tick.place, width - half + 4), y: height - 10, "text-anchor": "middle" }, tick.label);
    }
    for (const tick of thin([...y.ticks].sort((a, b) => a.place - b.place), () => 22)) {
      add(svg, "line", { class: "grid", x1: left, x2: right, y1: tick.place, y2: tick.place });
      add(svg, "text", { class: "soft", x: left - 8, y: tick.place + 4, "text-anchor": "end" }, tick.label);
    }
    for (const { row, points } of series) {
      const stroke = colour.get(row.provider);
      const path = points.map(([px, py], index) => `${index ? (stepped ? `H${x.at(px)}V` : `L${x.at(px)} `) : `M${x.at(px)} `}${y.at(py)}`).join("");
      add(svg, "path", { d: path, fill: "none", stroke, "stroke-width": 2, "stroke-dasharray": look.get(row.provider)?.dash || "none" });
      const marked = stepped ? [points[Math.floor(points.length / 2)]] : points;
      for (const [px, py, ends, own] of marked) {
        if (ends) {
          const [low, high] = ends.map(y.at);
          add(svg, "path", { class: "whisker", d: `M${x.at(px) - 4} ${low}h8M${x.at(px)} ${low}V${high}M${x.at(px) - 4} ${high}h8` });
        }
        const signed = !stepped && (own || row).signs.includes("!");
        mark(svg, x.at(px), y.at(py), row.provider, signed);
        if (signed) {
          const edge = x.at(px) > width - 22;
          add(svg, "text", { class: "disturbed", x: x.at(px) + (edge ? -8 : 8), y: y.at(py) + 4, "text-anchor": edge ? "end" : "start" }, "!");
        }
        point(add(svg, "circle", { class: "hit", cx: x.at(px), cy: y.at(py), r: 12 }), own || row);
      }
    }
  };

  const drawSizes = (visible) => {
    const box = byId("sizes-charts");
    box.replaceChildren();
    const usable = visible.filter((row) => row.sized && row.size > 0 && row.median > 0 && row.mode === "throughput" && !isNull(row.provider));
    const charts = [...grouped(usable, (row) => `${row.algorithm} ${row.operation}`)].filter(([, list]) => new Set(list.map((row) => row.size)).size > 1);
    if (!charts.length) return empty(box, "No operation measured at several sizes passes the filters.");
    legend(box, usable.map((row) => row.provider));
    if (usable.some((row) => row.signs.includes("!"))) add(box, "p", { class: "note" }, "Hollow with !: many samples were disturbed.");
    const grid = add(box, "div", { class: "many" });
    const cells = (allLines ? charts : charts.slice(0, FIRST_LINES)).map(([title, list]) => {
      const cell = add(grid, "div");
      add(cell, "h4", {}, title);
      return [cell, title, list];
    });
    for (const [cell, title, list] of cells) {
      const series = [...grouped(list, (row) => row.provider).values()].map((own) => ({
        row: own[0],
        points: own.sort((a, b) => a.size - b.size).map((row) => {
          const rate = (ns) => (row.size * 1e9) / ns;
          return [row.size, rate(row.median), row.ci && row.ci[0] > 0 ? [rate(row.ci[1]), rate(row.ci[0])] : null, row];
        }),
      }));
      drawLines(cell, `${title}: throughput by input size`, series, "size", "rate", false);
    }
    if (charts.length > FIRST_LINES) {
      more(box, allLines ? `Show the first ${FIRST_LINES}` : `Show all ${charts.length} operations (now ${cells.length})`, () => { allLines = !allLines; draw(); });
    }
    return undefined;
  };

  let subject = null;
  const drawDistribution = (visible) => {
    const box = byId("distribution");
    const hadFocus = box.contains(document.activeElement);
    box.replaceChildren();
    const keyOf = (row) => `${row.algorithm} ${row.operation}${row.size === null ? "" : ` ${bytes(row.size)}`}, ${row.mode === "latency" ? "single operations" : "means of epochs"}`;
    const groups = grouped(visible.filter((row) => row.quantiles && !isNull(row.provider)), keyOf);
    if (!groups.size) return empty(box, rows.some((row) => row.quantiles) ? "No row with samples passes the filters." : "This page was made without the raw samples.");
    if (!groups.has(subject)) subject = [...groups.keys()].find((key) => key.endsWith("single operations")) || groups.keys().next().value;
    const label = add(box, "label", {}, "Work: ");
    const select = add(label, "select", { id: "subject" });
    for (const key of groups.keys()) {
      const option = add(select, "option", {}, key);
      option.value = key;
      option.selected = key === subject;
    }
    select.addEventListener("change", () => { subject = select.value; draw(); });
    if (hadFocus) select.focus();
    const last = (index, count) => (index === count - 1 ? 0.999 : index / (count - 1));
    const series = groups.get(subject).map((row) => ({ row, points: row.quantiles.map((value, index) => [value, last(index, row.quantiles.length)]) }));
    add(box, "p", { class: "note" }, "Share of samples that took at most this long, up to the 99.9th percentile; further left is better.");
    legend(box, series.map(({ row }) => row.provider));
    drawLines(box, `${subject}: distribution`, series, "time", "share", true);
    return undefined;
  };

  // The full table: rows in the order of the data until someone sorts.
  const table = document.querySelector("table.sortable");
  const lines = [...table.tBodies[0].rows];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const numeric = head.classList.contains("num");
    const key = (line) => (numeric ? line.cells[column].dataset.value : line.cells[column].textContent);
    const order = [...lines].sort((a, b) => {
      const [x, y] = [key(a), key(b)];
      // What has no number stays at the end in both directions.
      if (numeric && (x === undefined || y === undefined)) return (x === undefined) - (y === undefined);
      const sign = numeric ? Number(x) - Number(y) : x.localeCompare(y, "en", { numeric: true });
      return down ? -sign : sign;
    });
    table.tBodies[0].append(...order);
  }));

  const meanings = {
    "★": "fastest: its interval lies below all others",
    "≈": "tied: its interval overlaps that of the smallest",
    "?": "a control failed",
    "!": "many samples were disturbed",
  };
  const occurring = Object.keys(meanings).filter((sign) => rows.some((row) => row.signs.includes(sign)));
  const explained = occurring.map((sign) => `${sign} ${meanings[sign]}`).join("; ");

  const draw = () => {
    const visible = rows.filter(shown);
    tip.hidden = true;
    byId("count").textContent = `${visible.length} of ${rows.length} rows pass the filters. ${explained}`;
    rows.forEach((row) => { lines[row.index].hidden = !shown(row); });
    drawTimes(visible);
    drawSizes(visible);
    drawDistribution(visible);
  };
  let width = document.body.clientWidth;
  let waiting = 0;
  window.addEventListener("resize", () => {
    if (document.body.clientWidth === width) return;
    width = document.body.clientWidth;
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(draw);
  });
  draw();
})();
