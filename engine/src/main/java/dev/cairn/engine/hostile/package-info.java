/**
 * Input for random tests. The tests of every module and {@code bin/cairn torture} draw their rows,
 * qualifiers and values here. The package imports only the sizes of cells, and no package of the
 * engine imports it.
 */
package dev.cairn.engine.hostile;
