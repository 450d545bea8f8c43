/**
 * Events inside the engine, delivered to listeners: logs, metrics, the web page, tests. Imports
 * nothing.
 */
package dev.cairn.engine.event;
