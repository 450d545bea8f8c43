/**
 * Limits the memory that all calls take together. Code borrows from the account before it allocates
 * anything whose size a client decides, and gives the loan back when the memory is free. {@link
 * dev.cairn.engine.memory.ObjectPool} keeps objects for their next use. The package imports only
 * the clock, so every other package may use it.
 */
package dev.cairn.engine.memory;
