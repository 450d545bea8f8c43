/**
 * {@code bin/cairn bench scale}: measures what more region servers bring: the operations that the
 * servers do in a second of processor time, by their number.
 */
package dev.cairn.bench.scale;
