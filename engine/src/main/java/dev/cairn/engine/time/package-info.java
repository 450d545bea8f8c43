/** Injected time and waiting. */
package dev.cairn.engine.time;
