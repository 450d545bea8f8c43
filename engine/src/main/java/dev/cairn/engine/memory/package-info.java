/**
 * The account of the memory that calls may take together. Code borrows from it before it allocates
 * anything whose size a client decides, and gives back what it borrowed when the memory is free.
 * Depends on nothing but the clock, so every other package may use it.
 */
package dev.cairn.engine.memory;
