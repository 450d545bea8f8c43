/**
 * {@code bin/cairn bench scale}: measures how many operations region servers do per second of
 * processor time, depending on their number.
 */
package dev.cairn.bench.scale;
