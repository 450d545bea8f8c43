/**
 * Runs the threads of many simulated machines one at a time, in an order that a seed determines.
 * {@link dev.cairn.torture.scheduler.Scheduler} keeps the time and chooses the next thread. A
 * {@link dev.cairn.torture.scheduler.Machine} has a clock, threads, executors and a timer, and can
 * be frozen or stopped. Code that waits through its {@link dev.cairn.engine.time.Clock} runs here
 * unchanged.
 */
package dev.cairn.torture.scheduler;
