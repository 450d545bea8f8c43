/**
 * The web pages in a real browser: Debian's chromium, driven by its own chromedriver over the W3C's
 * WebDriver protocol. The tests are skipped if it is missing.
 */
package dev.cairn.interop.web;
