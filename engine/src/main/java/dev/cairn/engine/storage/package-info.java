/**
 * The files that everything else lies in: one small contract, {@link
 * dev.cairn.engine.storage.Storage}, with a local disk and a simulated one behind it. Files are
 * written once, from front to back, and then only read. Imports nothing of the project.
 */
package dev.cairn.engine.storage;
