/**
 * What happens inside the engine, told to whoever listens: logs, metrics, the web page, tests.
 * Imports nothing.
 */
package dev.cairn.engine.event;
