/**
 * The files that everything else lies in: one small contract, {@link
 * dev.cairn.engine.storage.Storage}, with a local disk ({@link
 * dev.cairn.engine.storage.LocalStorage}), memory that can lose power ({@link
 * dev.cairn.engine.storage.MemoryStorage}) and chosen faults ({@link
 * dev.cairn.engine.storage.FaultyStorage}) behind it. Files are written once, from front to back,
 * and then only read. Of the project it imports the clock.
 */
package dev.cairn.engine.storage;
