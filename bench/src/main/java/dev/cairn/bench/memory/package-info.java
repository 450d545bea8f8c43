/**
 * {@code bin/cairn bench memory}: clients that ask for more memory than a server has, all at once.
 * Shows whether the server lives, what other clients wait meanwhile, and whether it gives the
 * memory back.
 */
package dev.cairn.bench.memory;
