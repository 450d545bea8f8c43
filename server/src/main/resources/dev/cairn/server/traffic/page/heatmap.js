// Draws the heat map of a table: zoom by dragging, or by keyboard with the picture focused.
(function () {
  'use strict';
  const RAMP = [[8, 8, 24], [46, 16, 101], [124, 29, 111], [206, 66, 60], [246, 148, 29], [252, 248, 180]];
  const SPANS = [['15m', 15], ['1h', 60], ['6h', 360], ['24h', 1440], ['3d', 4320], ['14d', 20160]];
  const KEYS_HELP = 'Arrow keys move the marker (ten steps with Shift), plus zooms in, minus or Home shows all, B shows or hides borders.';
  const LEFT = 0;
  const TOP = 14; // for the marks of events
  const HEIGHT = 460;
  const KEY_LABELS = 10;

  function element(name, properties, parent) {
    const made = Object.assign(document.createElement(name), properties);
    if (parent) { parent.append(made); }
    return made;
  }

  /** Makes a place for labels. They are not read aloud, because the picture has a description. */
  function axis(parent, style) {
    const made = element('div', {}, parent);
    made.setAttribute('aria-hidden', 'true');
    Object.assign(made.style, { fontSize: '.8rem', lineHeight: '1.2' }, style);
    return made;
  }

  function bytesOf(hex) {
    return hex.match(/../g)?.map(pair => parseInt(pair, 16)) || [];
  }

  function textOf(bytes) {
    return bytes.map(b => b >= 0x20 && b < 0x7f && b !== 0x5c ? String.fromCharCode(b) : '\\x' + b.toString(16).toUpperCase().padStart(2, '0')).join('');
  }

  function numberOf(bytes) {
    return bytes.reduce((sum, b) => sum * 256n + BigInt(b), 0n);
  }

  const BYTES = { int: 4, long: 8, revlong: 8, millis: 8, revmillis: 8 };
  const KINDS = 'text, hex, to:, int, long, revlong, millis, revmillis';

  /**
   * Reads a pattern like "tenant:text4, time:revlong, id:hex". A field "name:to:X" ends before X, which
   * may be any character, also a comma or a space. Returns the fields, or what cannot be read.
   */
  function fieldsOf(pattern) {
    const field = /\s*([^:,]+):(?:to:(.)|(text|hex)([1-9][0-9]{0,4})?|(int|long|revlong|millis|revmillis))\s*(?:,|$)/suy;
    const fields = [];
    while (field.lastIndex < pattern.trimEnd().length) {
      const at = field.lastIndex;
      const found = field.exec(pattern);
      if (!found) {
        return { wrong: pattern.slice(at).trim() };
      }
      const [, name, end, open, size, fixed] = found;
      fields.push({
        name: name.trim(),
        kind: open || fixed || 'text',
        size: fixed ? BYTES[fixed] : Number(size) || 0,
        end: end && Array.from(new TextEncoder().encode(end))
      });
    }
    return { fields };
  }

  function indexOf(bytes, part, from) {
    for (let i = from; i + part.length <= bytes.length; i++) {
      if (part.every((b, k) => bytes[i + k] === b)) { return i; }
    }
    return bytes.length;
  }

  function shown(part, field) {
    if (field.kind === 'hex') { return part.map(b => b.toString(16).padStart(2, '0')).join(''); }
    if (!BYTES[field.kind] || part.length < field.size) { return textOf(part); }
    const number = field.kind.startsWith('rev') ? 0x7fffffffffffffffn - numberOf(part)
        : BigInt.asIntN(8 * field.size, numberOf(part));
    if (!field.kind.endsWith('millis')) { return number.toString(); }
    const date = new Date(Number(number));
    return isNaN(date) ? number.toString() : date.toISOString();
  }

  /** Names the parts of a key by the fields of a pattern. */
  function parsed(bytes, fields) {
    let at = 0;
    const parts = [];
    for (const field of fields) {
      const end = field.end ? indexOf(bytes, field.end, at) : field.size ? at + field.size : bytes.length;
      const part = bytes.slice(at, end);
      if (part.length > 0) { parts.push(field.name + '=' + shown(part, field)); }
      at = end + (field.end ? field.end.length : 0);
    }
    return parts.join(' ') + (at < bytes.length ? ' …' : '');
  }

  function start(figure) {
    const set = figure.dataset;
    const bar = element('p', { className: 'filter' }, figure);
    let zoom = {}; // from, to, low, high
    let chosen = false; // how keys are shown
    function choice(label, values, chosen, before, then = () => load()) {
      const wrap = element('label', { textContent: label + ' ' }, bar);
      const select = element('select', {}, wrap);
      values.forEach(([text, value]) => element('option', { textContent: text, value, selected: value === chosen }, select));
      select.addEventListener('change', () => { if (before) { before(); } then(); });
      return select;
    }
    const table = choice('Table', set.tables.split(',').map(one => [one, one]), set.table, () => { zoom = {}; });
    const metric = choice('Metric', set.metrics.split(',').map(one => [one, one]), 'reads');
    const span = choice('Time', SPANS.map(([text, minutes]) => [text, String(minutes)]), '60', () => { zoom = {}; });
    const names = choice('Keys as', [['text', 'text'], ['hex', 'hex'], ['pattern', 'pattern']], 'text', () => { chosen = true; patternLabel.hidden = names.value !== 'pattern'; }, parse);
    const byFormat = element('option', { textContent: 'KEY_FORMAT', value: 'format' });
    const patternLabel = element('label', { textContent: 'Pattern ', hidden: true }, bar);
    const pattern = element('input', { type: 'text', placeholder: 'tenant:text4, time:revmillis, id:hex' }, patternLabel);
    const refused = element('p', { className: 'refused', hidden: true }, figure);
    refused.setAttribute('role', 'status');
    const all = element('button', { type: 'button', textContent: 'Show all' }, bar);
    const borders = element('button', { type: 'button', textContent: 'Borders' }, bar);
    borders.setAttribute('aria-pressed', 'true');
    const links = element('span', {}, bar);
    const plot = element('div', {}, figure);
    plot.style.display = 'flex';
    const keyAxis = axis(plot, { position: 'relative', flex: 'none', width: '8.5em' });
    const canvas = element('canvas', { tabIndex: 0 }, plot);
    canvas.setAttribute('role', 'img');
    Object.assign(canvas.style, { flex: '1 1 0', minWidth: 0, width: '100%', height: HEIGHT + TOP + 'px', display: 'block', cursor: 'crosshair', touchAction: 'pan-y' });
    const timeAxis = axis(figure, { display: 'flex', justifyContent: 'space-between' });
    const scale = axis(figure, { display: 'flex', gap: '.5em', alignItems: 'center', margin: '.5em 0' });
    const told = element('p', { className: 'told' }, figure);
    told.setAttribute('aria-live', 'polite');
    told.style.minHeight = '4.6em';
    told.style.overflowWrap = 'anywhere';
    element('p', { textContent: 'Drag to zoom. ' + KEYS_HELP }, figure).style.fontSize = '.87rem';

    let map = null;
    let marker = null;
    let fields = [];
    let drag = null;
    let asked = 0;

    function query(format) {
      const now = Date.now();
      const parameters = new URLSearchParams({ metric: metric.value, buckets: '160', columns: '400' });
      parameters.set('from', zoom.from || now - Number(span.value) * 60000);
      parameters.set('to', zoom.to || now);
      if (zoom.low) { parameters.set('low', zoom.low); }
      if (zoom.high) { parameters.set('high', zoom.high); }
      if (format) { parameters.set('format', format); }
      return 'api/v1/traffic/' + encodeURIComponent(table.value) + '?' + parameters;
    }

    /** Shows a sentence, which screen readers read unless it is quiet. */
    function tell(text, isQuiet) {
      told.setAttribute('aria-live', isQuiet ? 'off' : 'polite');
      told.textContent = text;
    }

    /** Loads the map. Refreshing by itself is quiet: the marker stays, and nothing is read aloud. */
    async function load(isRefresh) {
      const number = ++asked;
      links.replaceChildren();
      for (const format of ['png', 'csv', 'json']) {
        const link = element('a', { href: query(format), textContent: format.toUpperCase() }, links);
        link.download = table.value.replace(':', '.') + '-' + metric.value + '.' + format;
        links.append(' ');
      }
      let read;
      try {
        const answer = await fetch(query());
        read = await answer.json();
        if (!answer.ok) { throw new Error(read.error); }
      } catch (e) {
        if (number === asked) { tell('The traffic cannot be loaded: ' + e.message, isRefresh); }
        return;
      }
      if (number !== asked) { return; }
      marker = isRefresh && marker ? moved(marker, map, read) : null;
      map = read;
      offerFormat();
      draw();
      summarize(isRefresh);
    }

    /** Shows keys by the table's format if it has one, until another form is chosen. */
    function offerFormat() {
      if (map.parts && !byFormat.parentNode) {
        names.append(byFormat);
        if (!chosen) { names.value = 'format'; }
      } else if (!map.parts && byFormat.parentNode) {
        const wasShown = names.value === 'format';
        byFormat.remove();
        if (wasShown) { names.value = 'text'; }
      }
      if (names.value !== 'pattern') {
        refused.hidden = !map.keyProblem;
        refused.textContent = map.keyProblem || '';
      }
    }

    /** Returns the marker's place in a later map: the same time and key, as far as it has them. */
    function moved(at, from, to) {
      const x = Math.floor((from.fromMillis + at.x * from.stepMillis - to.fromMillis) / to.stepMillis);
      const y = to.keysHex.findLastIndex(key => key <= from.keysHex[at.y]);
      return { x: Math.max(0, Math.min(to.values.length - 1, x)), y: Math.max(0, y) };
    }

    function summarize(isRefresh) {
      let best = [0, 0];
      map.values.forEach((column, x) => column.forEach((value, y) => {
        if (value > map.values[best[0]][best[1]]) { best = [x, y]; }
      }));
      const text = map.total === 0 ? 'No traffic in this time.' : 'Most: ' + describe(best[0], best[1]);
      canvas.setAttribute('aria-label', 'Heat map of ' + map.metric + ' of ' + map.table + '. ' + text + ' ' + KEYS_HELP);
      tell(marker ? describe(marker.x, marker.y) : text, isRefresh);
    }

    function keyName(y) {
      if (y >= map.keysHex.length) { return 'the end'; }
      const bytes = bytesOf(map.keysHex[y]);
      if (bytes.length === 0) { return 'the start'; }
      if (names.value === 'format' && map.parts && map.parts[y]) { return map.parts[y]; }
      return names.value === 'hex' ? map.keysHex[y] : names.value === 'pattern' && fields.length ? parsed(bytes, fields) : map.keys[y];
    }

    function timeName(millis) {
      return new Date(millis).toISOString().replace('T', ' ').slice(0, 16);
    }

    function describe(x, y) {
      const at = map.fromMillis + x * map.stepMillis;
      const value = map.values[x][y];
      const seconds = map.stepMillis / 1000;
      const events = map.events.filter(one => Math.floor((one.millis - map.fromMillis) / map.stepMillis) === x)
          .slice(0, 5).map(one => one.kind + ' ' + one.region.slice(0, 8) + ' at ' + one.server);
      return timeName(at) + ' UTC, ' + keyName(y) + ' to ' + keyName(y + 1) + ': '
          + value.toLocaleString('en') + ' ' + map.unit + ' (' + (value / seconds).toLocaleString('en', { maximumFractionDigits: 1 }) + ' per second)'
          + (events.length ? '. Regions: ' + events.join(', ') : '');
    }

    const colours = Array.from({ length: 256 }, (none, shade) => {
      const place = shade * (RAMP.length - 1) / 255;
      const below = Math.min(RAMP.length - 2, Math.floor(place));
      return RAMP[below].map((value, i) => Math.round(value + (place - below) * (RAMP[below + 1][i] - value)));
    });

    function labels() {
      const wide = figure.clientWidth >= 600;
      keyAxis.hidden = !wide;
      keyAxis.replaceChildren();
      const rows = map.keys.length;
      let last = -1;
      for (let i = 0; i < KEY_LABELS && wide; i++) {
        const y = Math.floor(i * rows / KEY_LABELS);
        if (y === last) { continue; }
        last = y;
        const label = element('div', { textContent: keyName(y), title: keyName(y) }, keyAxis);
        Object.assign(label.style, { position: 'absolute', top: TOP + y * HEIGHT / rows + 'px', left: 0, right: '.5em',
          overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', textAlign: 'right' });
      }
      timeAxis.style.marginLeft = wide ? '8.5em' : 0;
      const times = wide ? 5 : 2;
      timeAxis.replaceChildren();
      for (let i = 0; i < times; i++) {
        const millis = map.fromMillis + map.values.length * map.stepMillis * i / (times - 1);
        element('span', { textContent: timeName(millis) + (i + 1 === times ? ' UTC' : '') }, timeAxis);
      }
      scale.replaceChildren('0');
      const bar = element('span', {}, scale);
      Object.assign(bar.style, { width: '10em', height: '.8em', background: 'linear-gradient(to right,'
          + RAMP.map(colour => 'rgb(' + colour.join(',') + ')').join(',') + ')' });
      const most = map.max / (map.stepMillis / 1000);
      scale.append(most.toLocaleString('en', { maximumFractionDigits: 1 }) + ' ' + map.unit + ' per second, on a logarithmic scale');
    }

    function draw() {
      if (!map) { return; }
      labels();
      const width = canvas.clientWidth;
      const density = window.devicePixelRatio || 1;
      canvas.width = width * density;
      canvas.height = (HEIGHT + TOP) * density;
      const paint = canvas.getContext('2d');
      paint.scale(density, density);
      const columns = map.values.length;
      const rows = map.keys.length;
      const picture = new ImageData(columns, rows);
      const most = Math.log1p(map.max) || 1;
      map.values.forEach((column, x) => column.forEach((value, y) => {
        const colour = colours[Math.round(255 * Math.log1p(value) / most)];
        picture.data.set([colour[0], colour[1], colour[2], 255], 4 * (y * columns + x));
      }));
      const small = document.createElement('canvas');
      small.width = columns;
      small.height = rows;
      small.getContext('2d').putImageData(picture, 0, 0);
      paint.imageSmoothingEnabled = false;
      paint.drawImage(small, LEFT, TOP, width, HEIGHT);
      if (borders.getAttribute('aria-pressed') === 'true') {
        paint.fillStyle = 'rgba(255,255,255,.55)';
        const known = new Set(map.bordersHex);
        map.keysHex.forEach((key, y) => {
          if (known.has(key)) { paint.fillRect(0, TOP + y * HEIGHT / rows, width, 1); }
        });
        for (const event of map.events) {
          const x = (event.millis - map.fromMillis) / map.stepMillis * width / columns;
          paint.fillStyle = { split: '#e8b400', merged: '#3fa7d6', closed: '#d1495b' }[event.kind] || '#5a9e6f';
          paint.fillRect(x, 0, 2, TOP - 3);
          if (event.newBorder) {
            const y = map.keysHex.indexOf(event.startHex);
            if (y > 0) { paint.fillRect(x, TOP + y * HEIGHT / rows, width - x, 1); }
          }
        }
      }
      if (marker) {
        paint.strokeStyle = '#fff';
        paint.lineWidth = 2;
        paint.strokeRect(marker.x * width / columns - 1, TOP + marker.y * HEIGHT / rows - 1, Math.max(4, width / columns + 2), Math.max(4, HEIGHT / rows + 2));
      }
      if (drag && drag.to) {
        paint.strokeStyle = '#fff';
        paint.setLineDash([4, 3]);
        paint.strokeRect(drag.from.px, drag.from.py, drag.to.px - drag.from.px, drag.to.py - drag.from.py);
      }
    }

    /** Reads the pattern. While it cannot be read, keys are shown as text. */
    function parse() {
      const read = names.value === 'pattern' ? fieldsOf(pattern.value) : { fields: [] };
      fields = read.fields || [];
      refused.hidden = !read.wrong;
      refused.textContent = read.wrong ? 'The pattern cannot be read at "' + read.wrong + '". Kinds: ' + KINDS + '.' : '';
      pattern.setAttribute('aria-invalid', String(Boolean(read.wrong)));
      if (map) {
        offerFormat();
        draw();
        summarize();
      }
    }

    function place(event) {
      const box = canvas.getBoundingClientRect();
      const px = Math.max(0, Math.min(box.width - 1, event.clientX - box.left));
      const py = Math.max(TOP, Math.min(TOP + HEIGHT - 1, event.clientY - box.top));
      return {
        px, py,
        x: Math.min(map.values.length - 1, Math.floor(px / box.width * map.values.length)),
        y: Math.min(map.keys.length - 1, Math.floor((py - TOP) / HEIGHT * map.keys.length))
      };
    }

    function zoomTo(x1, x2, y1, y2) {
      const end = y2 + 1 < map.keys.length ? map.keys[y2 + 1] : zoom.high;
      zoom = {
        from: map.fromMillis + x1 * map.stepMillis,
        to: map.fromMillis + (x2 + 1) * map.stepMillis,
        low: map.keys[y1] || zoom.low,
        high: end
      };
      load();
    }

    canvas.addEventListener('pointerdown', event => {
      if (map) { drag = { from: place(event) }; canvas.setPointerCapture(event.pointerId); }
    });
    canvas.addEventListener('pointermove', event => {
      if (!map) { return; }
      const here = place(event);
      if (drag) { drag.to = here; } else { marker = { x: here.x, y: here.y }; }
      tell(describe(here.x, here.y));
      draw();
    });
    canvas.addEventListener('pointerup', event => {
      if (!drag) { return; }
      const from = drag.from;
      const to = place(event);
      drag = null;
      // A finger that moves up or down scrolls the page, so one direction is enough for a zoom.
      const byTime = Math.abs(to.px - from.px) > 5;
      const byKey = Math.abs(to.py - from.py) > 5;
      if (byTime || byKey) {
        zoomTo(byTime ? Math.min(from.x, to.x) : 0, byTime ? Math.max(from.x, to.x) : map.values.length - 1,
            byKey ? Math.min(from.y, to.y) : 0, byKey ? Math.max(from.y, to.y) : map.keys.length - 1);
      }
    });
    canvas.addEventListener('pointercancel', () => { drag = null; draw(); });
    canvas.addEventListener('keydown', event => {
      if (!map || event.ctrlKey || event.metaKey || event.altKey) { return; }
      const columns = map.values.length;
      const rows = map.keys.length;
      const by = event.shiftKey ? 10 : 1;
      const moves = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by] };
      marker = marker || { x: columns - 1, y: 0 };
      if (moves[event.key]) {
        marker.x = Math.max(0, Math.min(columns - 1, marker.x + moves[event.key][0]));
        marker.y = Math.max(0, Math.min(rows - 1, marker.y + moves[event.key][1]));
        tell(describe(marker.x, marker.y));
        draw();
      } else if (event.key === '+' || event.key === '=') {
        const wide = Math.max(1, Math.floor(columns / 8));
        const high = Math.max(1, Math.floor(rows / 8));
        zoomTo(Math.max(0, marker.x - wide), Math.min(columns - 1, marker.x + wide), Math.max(0, marker.y - high), Math.min(rows - 1, marker.y + high));
      } else if (event.key === '-' || event.key === 'Home' || event.key === 'Escape') {
        zoom = {};
        load();
      } else if (event.key === 'b' || event.key === 'B') {
        borders.click();
      } else {
        return;
      }
      event.preventDefault();
    });
    all.addEventListener('click', () => { zoom = {}; load(); });
    borders.addEventListener('click', () => {
      borders.setAttribute('aria-pressed', String(borders.getAttribute('aria-pressed') !== 'true'));
      draw();
    });
    pattern.addEventListener('input', parse);
    window.addEventListener('resize', draw);
    setInterval(() => { if (!zoom.to && !drag && !document.hidden) { load(true); } }, 60000);
    load();
  }

  document.querySelectorAll('[data-figure="heatmap"]').forEach(start);
})();
