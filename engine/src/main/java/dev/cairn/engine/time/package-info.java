/** Injected time and waiting, and tasks that run in parallel. */
package dev.cairn.engine.time;
