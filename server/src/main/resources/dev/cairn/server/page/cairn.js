// Refreshes the parts of the page that are marked data-live, and sorts and turns the pages of
// tables without leaving the page. All of it also works without this script, by links.
(function () {
  'use strict';
  const EVERY_MILLIS = 5000;
  const KEY = 'cairn.live';
  let shown = location.href;
  let asked = 0;

  function remembered() {
    try { return localStorage.getItem(KEY) !== 'off'; } catch (e) { return true; }
  }

  function isBusy(part) {
    const selection = document.getSelection();
    return part.contains(document.activeElement) && document.activeElement.matches('input, button')
        || selection && !selection.isCollapsed && selection.containsNode(part, true);
  }

  /** Finds the element again that had the focus, after its part was replaced. */
  function focusKey(part) {
    const active = document.activeElement;
    if (!part.contains(active)) { return null; }
    const all = Array.from(part.querySelectorAll('a, button, input, [tabindex]'));
    return active.dataset.sort ? { sort: active.dataset.sort } : { index: all.indexOf(active) };
  }

  function refocus(part, key) {
    if (!key) { return; }
    const all = Array.from(part.querySelectorAll('a, button, input, [tabindex]'));
    const next = key.sort ? all.find(one => one.dataset.sort === key.sort) : all[key.index];
    if (next) { next.focus({ preventScroll: true }); }
  }

  function replace(fresh, force) {
    for (const part of document.querySelectorAll('[data-live]')) {
      const next = fresh.getElementById(part.id);
      if (next && next.innerHTML !== part.innerHTML && (force || !isBusy(part))) {
        const key = focusKey(part);
        const places = Array.from(part.querySelectorAll('.scroll, pre')).map(one => [one.scrollLeft, one.scrollTop]);
        part.innerHTML = next.innerHTML;
        part.className = next.className;
        part.querySelectorAll('.scroll, pre').forEach((one, i) => {
          if (places[i]) { one.scrollLeft = places[i][0]; one.scrollTop = places[i][1]; }
        });
        refocus(part, key);
      }
    }
    for (const id of ['as-of']) {
      const now = fresh.getElementById(id);
      if (now) { document.getElementById(id).textContent = now.textContent; }
    }
  }

  async function load(address, force) {
    const number = ++asked;
    const answer = await fetch(address, { headers: { Accept: 'text/html' } });
    if (answer.ok) {
      const text = await answer.text();
      if (number === asked) { // else a later request has overtaken this one
        replace(new DOMParser().parseFromString(text, 'text/html'), force);
      }
    }
    return answer.ok;
  }

  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Live';
  button.title = 'Refresh every five seconds';
  button.setAttribute('aria-pressed', String(remembered()));
  button.addEventListener('click', () => {
    const on = button.getAttribute('aria-pressed') !== 'true';
    button.setAttribute('aria-pressed', String(on));
    try { localStorage.setItem(KEY, on ? 'on' : 'off'); } catch (e) { /* then only until the page is left */ }
  });
  const isLive = document.querySelector('[data-live]') !== null;
  if (isLive) { document.querySelector('.right').prepend(button); }

  // A browser moves the focus to the target of a link only with its next frame, and some never do.
  document.querySelector('.skip').addEventListener('click', () => document.getElementById('main').focus());

  document.addEventListener('click', event => {
    const link = event.target.closest('[data-live] thead a, [data-live] .pager a');
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) { return; }
    event.preventDefault();
    load(link.href, true).then(ok => {
      if (ok) {
        history.replaceState(null, '', link.href);
        shown = link.href;
      } else {
        location.href = link.href;
      }
    }).catch(() => { location.href = link.href; });
  });

  setInterval(() => {
    if (isLive && button.getAttribute('aria-pressed') === 'true' && !document.hidden) {
      load(shown, false).catch(() => { /* the server may be down; the footer shows the time of the data */ });
    }
  }, EVERY_MILLIS);
})();
